/*
 * The table of where the terms of outputs side by side lie, as the planner of folds by outputs asks
 * for it.
 */
#ifndef TALLY_PLAN_FOLD_OUTPUTS_H
#define TALLY_PLAN_FOLD_OUTPUTS_H

#include "plan/plan.h"

/*
 * Entries of the table of groups of so many terms, the innermost first: a lane for each term, of
 * which those of the innermost may have several; 0 if there is no such table.
 */
uint64_t tally_outputs_entries(const uint64_t *nest, uint32_t groups, bool exact);

/*
 * Entries of the table of a step whose terms are of several groups, or of several axes; 0: it has
 * none. States lie one after the other, so later launches need no table where the order does not
 * matter.
 */
uint64_t tally_outputs_table(const tally_problem *problem, const tally_step *step);

#endif
