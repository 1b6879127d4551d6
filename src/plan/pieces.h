/*
 * Pieces of memory: how the axes of a tensor lie, and what a box of them has there. Planners of
 * scans and of fills share it. Knows sizes and strides, and no kernel.
 */
#ifndef TALLY_PLAN_PIECES_H
#define TALLY_PLAN_PIECES_H

#include <stdint.h>

/* An axis of a tensor, of which a box has a part. */
typedef struct tally_cut {
    uint32_t axis; /* the caller's number of it */
    uint64_t size, part, stride;
} tally_cut;

/*
 * Sort axes by their distance, the closest first; an axis of stride 0, which moves nowhere, comes
 * last. Axes of one stride, as of inputs that overlap or repeat, stay as they come: planners of
 * scans have the terms first and then the outermost axis, those of fills the innermost axis.
 */
void tally_cuts_sort(tally_cut *cut, uint32_t count);

/* Pieces of memory that a box has. */
typedef struct tally_pieces {
    uint64_t count;
    uint64_t span; /* elements from a piece's first to its last */
    uint32_t axes; /* that pieces go along: so many of the sorted ones, the last maybe cut */
} tally_pieces;

/*
 * By sorted axes: pieces go along an axis if the box has all of those before, and if neighbours
 * along it are at most so many elements apart, or twice as many as the piece is long so far.
 */
tally_pieces tally_pieces_find(const tally_cut *cut, uint32_t count, uint64_t gap);

#endif
