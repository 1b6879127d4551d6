/*
 * Folds whose groups read neighbours in memory that the order keeps far apart: outputs beside each
 * other, or lines, the terms inside of the swept axis along which elements are neighbours. See
 * cl/io/fold_lines.cl.
 */
#ifndef TALLY_PLAN_FOLD_LINES_H
#define TALLY_PLAN_FOLD_LINES_H

#include "plan/plan.h"

/*
 * Of fold_any's groups on GPUs: bytes of memory side by side, and outputs or lines at most; groups
 * for each compute unit.
 */
#define TALLY_ANY_BYTES 128
#define TALLY_ANY_BESIDE 32
#define TALLY_ANY_GROUPS 4

/*
 * The swept axis along which terms are nearest to each other in memory, the last one if there is
 * none, and how many terms are inside of it. Repeated terms are none.
 */
typedef struct tally_near_axis {
    uint32_t axis;
    uint64_t size, stride, inside;
} tally_near_axis;

tally_near_axis tally_plan_nearest_axis(const tally_step *step);

/* As many side by side on a GPU as 128 bytes or so have, fewer if there are not so many. */
uint64_t tally_plan_beside(const tally_problem *problem, uint64_t many);

/*
 * Lines beside each other, and pieces of them. Work-items step along a line by no more than its
 * innermost axis has. A piece costs a block of terms more, which are looked at and left to the
 * group before or behind it, so pieces are no shorter than some blocks, unless lines are, or groups
 * would be few. False if groups are few all the same.
 */
bool tally_plan_lines(const tally_problem *problem, const tally_limits *limits,
                      const tally_near_axis *nearest, tally_step *step);

/*
 * The same on a CPU, of functions that round, where terms that are neighbours in memory are far
 * apart in the order and nothing lies nearer. False where not.
 */
bool tally_plan_cpu_lines(const tally_problem *problem, const tally_limits *limits,
                          tally_step *step);

#endif
