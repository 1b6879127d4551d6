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

/*
 * All axes of the groups [0, groups), outermost first. In place of the output's strides they have
 * steps of the index, if the function has one.
 */
tally_dims tally_fold_terms(const tally_problem *problem, uint32_t groups);

/* From the index of a term to that of the next one; 0 if that is not the same for all terms. */
uint64_t tally_fold_index_scale(const tally_dims *terms);

/*
 * What is left to fold when the first `folded` groups are: the strides of its axes are those of the
 * states, which lie without gaps; each group is one axis. By memory: in the order of the axes in
 * the memory that was read, so that neighbours are written as they are read; but for the next
 * group's axis, which is the innermost one where states are few or hardly any outputs are side by
 * side. Else: the kept axes as the problem has them, then the groups, the next one innermost.
 */
tally_problem tally_fold_states(const tally_problem *read, uint32_t folded, bool by_memory);

/*
 * The outputs of a launch after which the first `folded` groups are folded: it reads one problem's
 * memory and writes the other's, or the output if there is none.
 */
tally_dims tally_fold_outputs(const tally_problem *read, uint32_t folded,
                              const tally_problem *written);

#endif
