/*
 * rules.h: what must be true of every plan, for whatever device: worked out from the problem
 * and the device's limits alone, so that invented devices and sizes beyond all memory can be held
 * against it.
 */
#ifndef TESTS_SUPPORT_RULES_RULES_H
#define TESTS_SUPPORT_RULES_RULES_H

#include "plan/plan.h"

/* The first rule that the plan breaks, in words; NULL if it keeps all. */
const char *plan_rules_broken(const tally_problem *problem, const tally_limits *limits,
                              const tally_plan *plan);

#endif
