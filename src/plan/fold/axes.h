/*
 * Where the outputs and the terms of a fold's launches lie: what the first one reads is the input,
 * what the others read are states. Plain data; of schedules it knows nothing.
 */
#ifndef TALLY_PLAN_FOLD_AXES_H
#define TALLY_PLAN_FOLD_AXES_H

#include "model/problem.h"

/* A launch's outputs, with the strides of what it reads and of what it writes, and its terms. */
typedef struct tally_fold_axes {
    tally_dims outputs;
    tally_dims terms;
} tally_fold_axes;

/* The order of axes in which states lie. */
typedef enum tally_states_order {
    /* The kept axes as the problem has them, then the groups, the next one innermost. */
    TALLY_STATES_IN_ROWS,
    /* That of the memory that was read, so that neighbours are written as they are read. */
    TALLY_STATES_AS_READ,
    /* The same, but for the next group's axis: it is innermost where states are few, or hardly any
     * outputs lie side by side. */
    TALLY_STATES_FEW_IN_ROWS
} tally_states_order;

/*
 * All axes of the groups [0, groups), outermost first. In place of the output's strides they have
 * steps of the index, if the function has one.
 */
tally_dims tally_fold_terms(const tally_problem *problem, uint32_t groups);

/* From the index of a term to that of the next one; 0 if that is not the same for all terms. */
uint64_t tally_fold_index_scale(const tally_dims *terms);

/*
 * What is left to fold when the first `folded` groups are: the strides of its axes are those of the
 * states, which lie without gaps; each group is one axis.
 */
tally_problem tally_fold_states(const tally_problem *read, uint32_t folded,
                                tally_states_order order);

/*
 * The outputs of a launch after which the first `folded` groups are folded: it reads one problem's
 * memory and writes the other's, or the output if there is none.
 */
tally_dims tally_fold_outputs(const tally_problem *read, uint32_t folded,
                              const tally_problem *written);

#endif
