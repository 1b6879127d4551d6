/*
 * Questions before an operator is made: whether its description is right and supported, by which
 * device, and what it would need. Nothing here builds a kernel, and only the estimate needs a
 * runtime.
 */
#include <inttypes.h>

#include "api/operator.h"
#include "base/struct.h"
#include "plan/explain/explain.h"

/* ---- Without a device ---------------------------------------------------------------------- */

/* Limits of planners: those of a usual device, but for what decides. */
static tally_status take_limits(const tally_device_limits *given, tally_limits *limits,
                                tally_error *error) {
    tally_device_limits known = TALLY_DEVICE_LIMITS_INIT;
    tally_status status = TALLY_OK;
    if (given != NULL)
        status = tally_struct_take(given, &known, sizeof known, "tally_device_limits", error);
    for (size_t i = 0; i < sizeof known.reserved && status == TALLY_OK; i++)
        status = tally_struct_check_reserved(known.reserved[i], "tally_device_limits", error);
    if (status != TALLY_OK)
        return status;
    if (known.address_bits != 0 && known.address_bits != 32 && known.address_bits != 64)
        return tally_fail(error, TALLY_INVALID,
                          "address_bits is %" PRIu32 ", but 32, 64 and 0 (64) are legal",
                          known.address_bits);
    *limits = tally_limits_usual(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON);
    limits->address_bits = known.address_bits != 0 ? known.address_bits : 64;
    limits->has_f64 = !known.no_fp64;
    return TALLY_OK;
}

tally_status tally_check_support(const tally_problem *problem, const tally_device_limits *given,
                                 tally_error *error) {
    tally_limits limits;
    tally_plan plan;
    tally_status status = take_limits(given, &limits, error);
    return status == TALLY_OK ? tally_plan_make(problem, &limits, &plan, error) : status;
}

tally_status tally_reduce_check(const tally_reduce *desc, const tally_device_limits *limits,
                                tally_error *error) {
    tally_problem problem;
    tally_error_clear(error);
    tally_status status = tally_problem_reduce(desc, &problem, error);
    return status == TALLY_OK ? tally_check_support(&problem, limits, error) : status;
}

tally_status tally_cumulative_check(const tally_cumulative *desc, const tally_device_limits *limits,
                                    tally_error *error) {
    tally_problem problem;
    tally_error_clear(error);
    tally_status status = tally_problem_cumulative(desc, &problem, error);
    return status == TALLY_OK ? tally_check_support(&problem, limits, error) : status;
}

tally_status tally_diagonal_check(const tally_diagonal *desc, const tally_device_limits *limits,
                                  tally_error *error) {
    tally_problem problem;
    tally_error_clear(error);
    tally_status status = tally_problem_diagonal(desc, &problem, error);
    return status == TALLY_OK ? tally_check_support(&problem, limits, error) : status;
}

/* ---- With a device ------------------------------------------------------------------------- */

tally_status tally_runtime_limits(tally_runtime *runtime, tally_device_limits *limits,
                                  tally_error *error) {
    tally_device_limits known = TALLY_DEVICE_LIMITS_INIT;
    tally_status status = tally_check_question(runtime, limits, "tally_device_limits", error);
    if (status != TALLY_OK)
        return status;
    known.address_bits = runtime->device.limits.address_bits;
    known.no_fp64 = !runtime->device.limits.has_f64;
    tally_struct_give(&known, sizeof known, limits);
    return TALLY_OK;
}

/* Plan with or without a single pass, and let the estimate cover it. */
static tally_status cover(const tally_problem *problem, tally_limits limits, bool single_pass,
                          tally_estimate *estimate, tally_error *error) {
    tally_plan plan;
    limits.single_pass = single_pass;
    tally_status status = tally_plan_make(problem, &limits, &plan, error);
    if (status != TALLY_OK)
        return status;
    const uint32_t launches = tally_plan_most_launches(&plan);
    estimate->launches = launches > estimate->launches ? launches : estimate->launches;
    estimate->scratch = plan.scratch > estimate->scratch ? plan.scratch : estimate->scratch;
    return TALLY_OK;
}

tally_status tally_runtime_estimate(tally_runtime *runtime, const tally_desc *desc,
                                    tally_estimate *estimate, tally_error *error) {
    tally_problem problem = {.kind = TALLY_KIND_FOLD};
    tally_estimate known = TALLY_ESTIMATE_INIT;
    tally_status status = tally_check_question(runtime, estimate, "tally_estimate", error);
    if (status == TALLY_OK)
        status = tally_desc_read(desc, &problem, error);
    if (status != TALLY_OK)
        return status;
    const tally_limits *limits = &runtime->device.limits;
    tally_trial_outcomes outcomes = {.without = true};
    if (problem.kind == TALLY_KIND_SCAN)
        outcomes = tally_trial_possible(&runtime->trial);
    if (outcomes.without)
        status = cover(&problem, *limits, false, &known, error);
    if (status == TALLY_OK && outcomes.with)
        status = cover(&problem, *limits, true, &known, error);
    if (status == TALLY_OK)
        tally_struct_give(&known, sizeof known, estimate);
    return status;
}
