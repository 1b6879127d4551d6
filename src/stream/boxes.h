/*
 * A box of flat axes as boxes of the caller's axes, each of which lies in one piece of packed
 * memory. Knows no memory.
 */
#ifndef TALLY_STREAM_BOXES_H
#define TALLY_STREAM_BOXES_H

#include "stream/flat.h"

/* A box of the caller's axes; its first element's number among those of the flat box. */
typedef tally_status tally_box_visit(void *user, const uint64_t *begin, const uint64_t *size,
                                     uint64_t first, tally_error *error);

/*
 * Visit the boxes in row-major order; of the output, or of the input. A flat box without elements
 * has none.
 */
tally_status tally_boxes_visit(const tally_flat *flat, const tally_flat_box *box, bool output,
                               tally_box_visit *visit, void *user, tally_error *error);

/*
 * The share of a flat box that the index-th of so many threads does: a range of its outermost axis
 * of several coordinates. The number of the share's first element among those of the box.
 */
uint64_t tally_boxes_share(const tally_flat *flat, uint32_t index, uint32_t shares,
                           tally_flat_box *box);

/* The input's box as the output has it: one coordinate along axes that are reduced. */
tally_flat_box tally_boxes_output(const tally_flat *flat, const tally_flat_box *box);

#endif
