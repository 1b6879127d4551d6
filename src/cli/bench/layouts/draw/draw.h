/*
 * The random problems of tally bench layouts: a pure function of a seed, a number, a size and an
 * operator. Plain descriptions; no device and no library. docs/performance.md has the distribution.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_DRAW_DRAW_H
#define TALLY_CLI_BENCH_LAYOUTS_DRAW_DRAW_H

#include "cli/bench/layouts/draw/problem.h"

/*
 * A problem of size K: the larger of its tensors, without gaps, has between 2^(K-1/2) and
 * 2^(K+1/2) bytes, and either one reaches over at most 2^(K+2) bytes with its gaps.
 */
#define LAYOUTS_SIZES 16 /* of one benchmark, at most */
enum { LAYOUTS_LOG2_MIN = 12, LAYOUTS_LOG2_MAX = 40, LAYOUTS_LOG2_CPU = 27, LAYOUTS_LOG2_GPU = 30 };

/*
 * Draw the problem. Problems of one seed and number are alike at every size: operator, function,
 * types, rank, axes and layouts are the same, and only sizes and the padding differ.
 */
void layouts_draw(const layouts_request *request, layouts_problem *problem);

/* The description of the operator. That of a fill points to the problem's input. */
tally_reduce layouts_reduce(const layouts_problem *problem);
tally_cumulative layouts_scan(const layouts_problem *problem);
tally_diagonal layouts_diagonal(const layouts_problem *problem);

/*
 * The problem in a line: "reduce sum f32 [128,77,64]/{1} order 2,0,1 pitch of 0 +3 -> at 5".
 * LAYOUTS_TEXT_BYTES are enough.
 */
#define LAYOUTS_TEXT_BYTES 512
void layouts_describe(const layouts_problem *problem, char *text, size_t bytes);

#endif
