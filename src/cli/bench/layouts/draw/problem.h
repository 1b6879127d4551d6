/*
 * A random problem of tally bench layouts, and what is asked for to get it: plain data.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_DRAW_PROBLEM_H
#define TALLY_CLI_BENCH_LAYOUTS_DRAW_PROBLEM_H

#include "cli/bench/layouts/draw/placement.h"
#include "cli/bench/layouts/draw/tables.h"

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
    bool in_place;           /* the input is the output's memory, with its position */
    tally_tensor input;      /* of a fill without input as the output */
    tally_tensor output;
    layouts_placement input_placement, output_placement;
    uint32_t axes; /* a bit for each axis that is swept, or scanned */
    tally_tie tie;
    tally_nan nan;
    bool exclusive, descending;
    int64_t begin, end; /* of a fill */
} layouts_problem;

#endif
