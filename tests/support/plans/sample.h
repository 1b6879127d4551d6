/*
 * sample.h: plans of descriptions for a few devices like those that there are. Fail the
 * running test where there is no plan.
 */
#ifndef TESTS_SUPPORT_PLANS_SAMPLE_H
#define TESTS_SUPPORT_PLANS_SAMPLE_H

#include "plan/plan.h"

extern const tally_limits plan_sample_gpu, plan_sample_cpu;

/* A GPU whose groups are too small for those that move 16 bytes for each work-item. */
extern const tally_limits plan_sample_narrow;

/* A GPU with room for the groups that fold whole rows. */
extern const tally_limits plan_sample_large;

tally_plan plan_sample_reduce(const tally_reduce *desc, const tally_limits *limits);
tally_plan plan_sample_scan(const tally_cumulative *desc, const tally_limits *limits);
tally_plan plan_sample_fill(const tally_diagonal *desc, const tally_limits *limits);

/* The first step of a scan's plan. */
tally_step plan_sample_scan_step(const tally_cumulative *desc, const tally_limits *limits);

#endif
