/*
 * check.h: one problem planned for one device, and held against the rules of plans; what is
 * not so ends the test, with the problem, the device and the plan in words.
 */
#ifndef TESTS_SUPPORT_PLANS_CHECK_H
#define TESTS_SUPPORT_PLANS_CHECK_H

#include "plan/plan.h"
#include "support/descriptions/describe.h"

/* True if there is a plan; false if the problem was refused, as it should be. */
bool plan_check(const text *desc, const tally_problem *problem, const tally_limits *limits,
                tally_plan *plan);

/* Fail because of this plan: what should be so. */
void plan_check_fail(const text *desc, const tally_limits *limits, const tally_plan *plan,
                     const char *broken);

#endif
