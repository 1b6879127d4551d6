/*
 * The closing groups of a fold: a last step that needs no launch. Knows a plan that is made, and
 * not how it was.
 */
#ifndef TALLY_PLAN_FOLD_CLOSING_H
#define TALLY_PLAN_FOLD_CLOSING_H

#include "plan/plan.h"

/* Give the last step to its predecessor's closing groups, if its states are few enough for them. */
void tally_plan_close(const tally_limits *limits, tally_plan *plan);

#endif
