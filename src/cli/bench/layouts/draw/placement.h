/*
 * How a tensor of tally bench layouts lies in memory: the order of its axes, padded rows, gaps
 * between elements, a repeated axis, and where it starts. Makes strides of that; knows no operator.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_DRAW_PLACEMENT_H
#define TALLY_CLI_BENCH_LAYOUTS_DRAW_PLACEMENT_H

#include <tally/types.h>

#include "cli/bench/layouts/draw/random.h"

#define LAYOUTS_NO_AXIS TALLY_MAX_RANK

typedef struct layouts_placement {
    uint32_t order[TALLY_MAX_RANK]; /* the axes in memory, outermost first */
    uint32_t repeated;              /* the axis of stride 0; LAYOUTS_NO_AXIS: none */
    uint64_t offset;                /* elements of the buffer before the first element */
    bool wants_padding, wants_gaps; /* what layouts_placement_strides tries to give it */
    uint32_t gap;                   /* the stride of the innermost axis; 1: no gaps */
    uint32_t padded;                /* the axis whose pitch is enlarged; LAYOUTS_NO_AXIS: none */
    uint64_t padding;               /* elements that the pitch is larger */
} layouts_placement;

/* Row-major, packed, from the buffer's start. */
layouts_placement layouts_placement_packed(uint32_t rank);

/*
 * Give the tensor strides, and the position the padding and the gaps that it wants and that fit:
 * the tensor reaches over at most bytes_max bytes. An axis of size 1 has no say.
 */
void layouts_placement_strides(layouts_placement *placement, layouts_random random,
                               uint64_t bytes_max, tally_tensor *tensor);

/* Elements from the first to the last, gaps included. */
uint64_t layouts_extent(const tally_tensor *tensor);

#endif
