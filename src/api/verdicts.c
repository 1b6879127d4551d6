/*
 * Asking a runtime what was found of its device: whether its arithmetic is the guaranteed one, and
 * whether its scans take a single pass.
 */
#include "api/runtime.h"

tally_status tally_runtime_numerics(tally_runtime *runtime, tally_numerics *numerics,
                                    tally_error *error) {
    tally_status status =
        tally_check_question(runtime, numerics, sizeof *numerics, "tally_numerics", error);
    if (status != TALLY_OK)
        return status;
    return tally_verdict_ask(&runtime->verdict, &runtime->device, numerics, error);
}

tally_status tally_runtime_scans(tally_runtime *runtime, tally_scans *scans, tally_error *error) {
    tally_status status = tally_check_question(runtime, scans, sizeof *scans, "tally_scans", error);
    if (status == TALLY_OK)
        tally_trial_ask(&runtime->trial, &runtime->device, &runtime->kernels, scans);
    return status;
}
