/*
 * sample.c: devices, and plans of what ought to be possible.
 */
#include "sample.h"

#include <check.h>

#define GPU(group, bytes)                                                                          \
    {                                                                                              \
        .group_max = group, .local_bytes = bytes, .units = 16, .address_bits = 64,                 \
        .family = TALLY_FAMILY_GPU, .word_bytes = 8, .has_f64 = true                               \
    }

const tally_limits plan_sample_gpu = GPU(256, 32768);
const tally_limits plan_sample_narrow = GPU(128, 32768);
const tally_limits plan_sample_large = GPU(1024, 49152);
const tally_limits plan_sample_cpu = {.group_max = 4096,
                                      .local_bytes = 32768,
                                      .units = 8,
                                      .address_bits = 64,
                                      .family = TALLY_FAMILY_CPU,
                                      .has_f64 = true};

static tally_plan make(const tally_problem *problem, tally_status status,
                       const tally_limits *limits) {
    tally_plan plan;
    ck_assert_int_eq(status, TALLY_OK);
    ck_assert_int_eq(tally_plan_make(problem, limits, &plan, NULL), TALLY_OK);
    return plan;
}

tally_plan plan_sample_reduce(const tally_reduce *desc, const tally_limits *limits) {
    tally_problem problem;
    const tally_status status = tally_problem_reduce(desc, &problem, NULL);
    return make(&problem, status, limits);
}

tally_plan plan_sample_scan(const tally_cumulative *desc, const tally_limits *limits) {
    tally_problem problem;
    const tally_status status = tally_problem_cumulative(desc, &problem, NULL);
    return make(&problem, status, limits);
}

tally_plan plan_sample_fill(const tally_diagonal *desc, const tally_limits *limits) {
    tally_problem problem;
    const tally_status status = tally_problem_diagonal(desc, &problem, NULL);
    return make(&problem, status, limits);
}

tally_step plan_sample_scan_step(const tally_cumulative *desc, const tally_limits *limits) {
    return plan_sample_scan(desc, limits).step[0];
}
