/*
 * What a random problem is made of, part by part. Each part draws from streams of its own, so that
 * sizes change nothing else. For the files that draw alone; knows no device.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_DRAW_PARTS_H
#define TALLY_CLI_BENCH_LAYOUTS_DRAW_PARTS_H

#include "cli/bench/layouts/draw/problem.h"

/* The streams of a problem; each attempt to find sizes has one, from LAYOUTS_STREAM_SIZES on. */
enum {
    LAYOUTS_STREAM_OPERATOR,
    LAYOUTS_STREAM_PLACEMENT,
    LAYOUTS_STREAM_BAND,
    LAYOUTS_STREAM_INPUT_PADDING,
    LAYOUTS_STREAM_OUTPUT_PADDING,
    LAYOUTS_STREAM_SIZES
};

layouts_random layouts_stream(const layouts_problem *problem, uint64_t number);

/* Whether the axis has size 1 in the output. */
bool layouts_is_reduced(const layouts_problem *problem, uint32_t axis);

/* Give both tensors sizes. The remaining axis takes what the others leave of the bytes. */
void layouts_set_sizes(layouts_problem *problem, uint32_t remaining);

/* Give a fill its begin and end; the sizes are there. */
void layouts_set_band(layouts_problem *problem);

#endif
