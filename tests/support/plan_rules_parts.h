/*
 * plan_rules_parts.h: what plan_rules.c puts together. Each gives a broken rule's sentence or NULL.
 */
#ifndef TESTS_SUPPORT_PLAN_RULES_PARTS_H
#define TESTS_SUPPORT_PLAN_RULES_PARTS_H

#include "plan/plan.h"

const char *plan_rules_scratch(const tally_problem *problem, const tally_plan *plan);
const char *plan_rules_fold(const tally_problem *problem, const tally_plan *plan);
const char *plan_rules_scan(const tally_problem *problem, const tally_plan *plan);
const char *plan_rules_band(const tally_problem *problem, const tally_plan *plan);

#endif
