/*
 * The planners of GPUs' folds whose terms lie side by side, or in columns that do: each makes a
 * step whose arguments are set one of its own schedule. Which of them a step goes to is for
 * schedule.c to say.
 */
#ifndef TALLY_PLAN_FOLD_SCHEDULE_H
#define TALLY_PLAN_FOLD_SCHEDULE_H

#include "plan/plan.h"

/* Rows of many terms, whose blocks several work-items share. */
void tally_plan_rows(const tally_problem *problem, const tally_limits *limits, tally_step *step);

/* Rows whose blocks one launch folds, and combines as well. */
void tally_plan_whole(const tally_problem *problem, const tally_limits *limits, tally_step *step);

/* Short rows that go through local memory; the first says whether they are packed. */
bool tally_plan_has_short_rows(const tally_problem *problem, const tally_step *step);
void tally_plan_short_rows(const tally_problem *problem, tally_step *step);

/* Short columns that are taken as such rows; the first says whether they are worth it. */
bool tally_plan_has_short_columns(const tally_problem *problem, const tally_step *step);
void tally_plan_short_columns(const tally_problem *problem, tally_step *step);

/* Columns that work-items go down, if they suit and keep the device busy so; false if not. */
bool tally_plan_columns(const tally_problem *problem, const tally_limits *limits, tally_step *step);

#endif
