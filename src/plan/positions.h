/*
 * Boxes of positions: what of each axis a group has, by two numberings of positions, those along
 * the axes that lie closest in one memory and those along the axes that do in the other. See
 * cl/io/box_positions.cl. Planners of fills and of scans share them. Knows sizes and strides, and
 * no kernel.
 */
#ifndef TALLY_PLAN_POSITIONS_H
#define TALLY_PLAN_POSITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cl/core/args.h"
#include "plan/pieces.h"

/* A box in a launch's arguments, and the axes that it is of. */
typedef struct tally_boxes {
    tally_box_args *box;
    uint32_t rank;
    const tally_u64 *size, *in, *out;
} tally_boxes;

/* A numbering of a box's positions, while it grows. */
typedef struct tally_positions {
    uint64_t count, most;
    tally_u64 *box, *pitch;
    bool cut; /* its outermost axis is not whole: none can follow */
} tally_positions;

void tally_boxes_clear(tally_box_args *box);

/* The innermost axis by these strides that is in no numbering yet, or TALLY_AXES. */
uint32_t tally_boxes_next(const tally_boxes *boxes, const tally_u64 *stride);

/* Add an axis, so much of it. */
void tally_boxes_take(const tally_boxes *boxes, tally_positions *it, uint32_t k, uint64_t part);

/* Add an axis, all of it or an equal part. */
void tally_boxes_add(const tally_boxes *boxes, tally_positions *it, uint32_t k);

/*
 * Add the innermost axis by these strides that no numbering has, maybe cut; false if there are
 * enough positions, or none can follow.
 */
bool tally_boxes_grow(const tally_boxes *boxes, tally_positions *it, const tally_u64 *stride,
                      uint64_t enough);

/*
 * Set a box of so many read positions at most, along the axes that are innermost in the input, and
 * of write positions likewise. side_by_side: of each kind only those that lie so in their memory.
 */
void tally_boxes_cross(const tally_boxes *boxes, uint64_t reads, uint64_t writes,
                       bool side_by_side);

/* Set into how many boxes each axis is cut. Returns how many boxes there are. */
uint64_t tally_boxes_count(const tally_boxes *boxes);

/* Elements of a row of so many in local memory: an odd number of dwords or of wider elements. */
uint64_t tally_boxes_pitch(uint64_t elements, uint64_t bytes);

/*
 * Bytes that memory moves for a box on the side of these strides, and for the ends of each piece so
 * many more, or a part of that if all pieces are whole sectors. Elements of a piece are at most gap
 * elements apart. terms, if not NULL, is an axis that is none of the boxes', of which the box has a
 * part too.
 */
uint64_t tally_boxes_moved(const tally_boxes *boxes, const tally_u64 *stride,
                           const tally_cut *terms, uint32_t bytes, uint64_t gap, uint64_t ends);

/* What boxes cost that reach beyond the ends of axes, where one costs so much. */
uint64_t tally_boxes_beyond(const tally_boxes *boxes, uint64_t cost);

#endif
