/*
 * Boxes: how much of each axis a group takes into local memory at a time, so that it reads and
 * writes whole pieces of memory in either order. Knows sizes and strides, and no kernel.
 */
#ifndef TALLY_PLAN_BOX_H
#define TALLY_PLAN_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "model/dims.h"

#define TALLY_BOX_DIMS (TALLY_MAX_RANK + 1)

/* An axis of a problem, with its strides in the input and in the output, in elements. */
typedef struct tally_box_axis {
    uint64_t size, in, out;
} tally_box_axis;

/* What is asked of a box. Axis 0 is cut at powers of two times its unit, or not at all. */
typedef struct tally_box_wish {
    uint32_t axes;
    tally_box_axis axis[TALLY_BOX_DIMS];
    uint32_t bytes;    /* of an element */
    uint64_t unit;     /* of axis 0 */
    uint64_t least;    /* of axis 0, where it is cut */
    uint64_t most;     /* of axis 0, where it is cut, unless nothing else is left to take */
    uint64_t limit;    /* of axis 0, where it is cut */
    uint64_t elements; /* of the box, at most */
    uint32_t cut;      /* axes of which a box has more than one coordinate, at most */
    uint64_t piece;    /* bytes that lie together in either memory, if they can */
} tally_box_wish;

/* Axes by distance, the closest first: those of the output, or of the input. Returns how many. */
uint32_t tally_box_order(const tally_box_wish *wish, bool output, uint32_t order[TALLY_BOX_DIMS]);

/* Choose the box's size along each axis. */
void tally_box_choose(const tally_box_wish *wish, uint64_t size[TALLY_BOX_DIMS]);

/* Halve a box along its longest axis but axis 0; false if all of those have one coordinate. */
bool tally_box_halve(const tally_box_wish *wish, uint64_t size[TALLY_BOX_DIMS]);

/*
 * Bytes that memory moves for the box, in sectors, of either side, for 64 bytes of elements: a
 * sector more for each piece, and `written` more for each that is written and begins anywhere in
 * one.
 */
uint64_t tally_box_cost(const tally_box_wish *wish, const uint64_t size[TALLY_BOX_DIMS],
                        uint64_t written);

#endif
