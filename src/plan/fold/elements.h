/*
 * States that are numbers of a data type: a launch over them is a fold of elements, for which CPUs
 * have agents that read columns as well as rows. States of other kinds are read in rows.
 */
#ifndef TALLY_PLAN_FOLD_ELEMENTS_H
#define TALLY_PLAN_FOLD_ELEMENTS_H

#include "plan/fold/axes.h"
#include "plan/plan.h"

/*
 * Whether the results of a group, the last one, take a launch of their own: its states are
 * elements, but no fold of elements makes these results of them, and its terms are so many that
 * this is little.
 */
bool tally_fold_has_end_launch(const tally_problem *problem, const tally_limits *limits,
                               uint32_t group);

/* The order of the states, one of each output, that are left when so many groups are folded. */
tally_states_order tally_fold_states_order(const tally_problem *problem, const tally_limits *limits,
                                           uint32_t folded);

/*
 * Plan a step over states, whose arguments are set, as a fold of elements. False if it is none, or
 * had better read rows of states as they are, and nothing is changed.
 */
bool tally_fold_plan_elements(const tally_problem *problem, const tally_limits *limits,
                              tally_step *step);

#endif
