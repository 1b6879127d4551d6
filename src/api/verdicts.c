/*
 * Asking a runtime what was found of its device: whether its arithmetic is the guaranteed one, and
 * whether its scans take a single pass.
 */
#include "api/runtime.h"

#include "base/struct.h"

tally_status tally_runtime_numerics(tally_runtime *runtime, tally_numerics *numerics,
                                    tally_error *error) {
    tally_numerics known = TALLY_NUMERICS_INIT;
    tally_status status = tally_check_question(runtime, numerics, "tally_numerics", error);
    if (status == TALLY_OK)
        status = tally_verdict_ask(&runtime->verdict, &runtime->device, &known, error);
    if (status == TALLY_OK)
        tally_struct_give(&known, sizeof known, numerics);
    return status;
}

tally_status tally_runtime_scans(tally_runtime *runtime, tally_scans *scans, tally_error *error) {
    tally_scans known = TALLY_SCANS_INIT;
    tally_status status = tally_check_question(runtime, scans, "tally_scans", error);
    if (status != TALLY_OK)
        return status;
    tally_trial_ask(&runtime->trial, &runtime->device, &runtime->kernels, &known);
    tally_struct_give(&known, sizeof known, scans);
    return TALLY_OK;
}
