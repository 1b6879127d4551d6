/*
 * Shared by the planners of fills: each makes a step of single elements one of its own kernels, or
 * leaves it as it is.
 */
#ifndef TALLY_PLAN_FILL_FILL_H
#define TALLY_PLAN_FILL_FILL_H

#include "plan/fill/walk.h"
#include "plan/plan.h"
#include "plan/positions.h"

void tally_plan_fill_gpu(const tally_problem *problem, const tally_walk *walk,
                         const tally_limits *limits, tally_step *step);
void tally_plan_fill_cpu(const tally_walk *walk, const tally_limits *limits, tally_step *step);

/* n / divisor is mul_hi(2 * n, magic) >> shift for all n below half of what the dwords hold. */
void tally_plan_magic(uint64_t divisor, uint32_t bits, tally_u64 *magic, tally_u64 *shift);

/*
 * Elements of a run, side by side from any first one on, in the output, and in the input as well if
 * that is asked for, and the first axis that is in it.
 */
uint64_t tally_fill_run(const tally_step *step, bool input, uint32_t *axes);

/* Elements side by side over the axes from one on: in both tensors, or in the output alone. */
typedef struct tally_run {
    uint64_t elements;
    uint32_t inner_axes;
    bool picks, rewrites;
} tally_run;

/* Packs of 16 bytes of such runs. */
void tally_plan_fill_packs(const tally_problem *problem, const tally_limits *limits, tally_run it,
                           uint32_t group, tally_step *step);

/* Set what fill_axes.cl must know of the axes. */
void tally_fill_set_axes(tally_step *step);

/* Whether the input's innermost axis is another one than the output's. */
bool tally_walk_is_transposed(const tally_walk *walk);

/* The boxes of a step that has some, on either family. */
tally_boxes tally_fill_boxes(tally_fill_box_args *args, const tally_step *step);

/*
 * Boxes of a GPU that do not go through local memory. A group finds its positions once for some
 * boxes, or for a box of some read positions: for fewer where groups would be too few for all
 * compute units.
 */
void tally_plan_fill_box(const tally_limits *limits, uint32_t group, tally_step *step);

/*
 * Boxes of a GPU that go through local memory, as input and output differ in their order; false if
 * there is too little of it.
 */
bool tally_plan_fill_transpose(const tally_limits *limits, uint32_t group, tally_step *step);

/* Choose a CPU's box, and how it lies in private memory. */
void tally_fill_choose_box(tally_step *step);

#endif
