/*
 * The random problems of tally bench layouts: a pure function of a seed, a number, a size and an
 * operator. Plain descriptions; no device and no library. docs/performance.md has the distribution.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_DRAW_H
#define TALLY_CLI_BENCH_LAYOUTS_DRAW_H

#include "cli/bench_layouts_place.h"
#include "cli/bench_layouts_tables.h"

/*
 * A problem of size K: the larger of its tensors, without gaps, has between 2^(K-1/2) and
 * 2^(K+1/2) bytes, and either one reaches over at most 2^(K+2) bytes with its gaps.
 */
#define LAYOUTS_SIZES 16 /* of one benchmark, at most */
enum { LAYOUTS_LOG2_MIN = 12, LAYOUTS_LOG2_MAX = 40, LAYOUTS_LOG2_CPU = 27, LAYOUTS_LOG2_GPU = 30 };

/* What is drawn: BENCH_SUBJECTS as only stands for every operator. */
typedef struct layouts_request {
    uint64_t seed;
    uint32_t index;
    int log2;
    bench_subject only;
} layouts_request;

typedef struct layouts_problem {
    layouts_request from;
    bench_subject subject;
    tally_function function; /* none of a fill */
    bool has_input;          /* all but some fills */
    bool in_place;           /* the input is the output's memory, with its place */
    tally_tensor input;      /* of a fill without input as the output */
    tally_tensor output;
    layouts_place input_place, output_place;
    uint32_t axes; /* a bit for each axis that is swept, or scanned */
    tally_tie tie;
    tally_nan nan;
    bool exclusive, descending;
    int64_t begin, end; /* of a fill */
} layouts_problem;

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
