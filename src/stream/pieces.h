/*
 * Into which pieces a flat tensor is cut so that none is larger than so many bytes. Knows
 * descriptions and the orders' alignments by tally/part.h, no devices.
 */
#ifndef TALLY_STREAM_PIECES_H
#define TALLY_STREAM_PIECES_H

#include "stream/flat.h"

typedef struct tally_pieces {
    const tally_flat *flat;
    uint64_t count[TALLY_MAX_RANK]; /* along each axis that gives results; 1 along others */
    uint64_t boxes;                 /* their product */
    uint32_t parts;                 /* of each box along the swept axis; 1: it is not cut */
    uint64_t *bounds;               /* of parts, parts + 1 of them; the caller's to release */
    bool descending;                /* the last part comes first */
    bool chained; /* the last results of a scan's part are the carry of the next one */
    /* Of the largest piece, and of the states that are kept at a time: */
    uint64_t input_bytes, output_bytes;
    uint64_t state_bytes; /* of one buffer of states; 0: there are none */
    uint32_t state_buffers;
} tally_pieces;

/* Which axes are cut first. */
typedef enum tally_pieces_way {
    TALLY_PIECES_OUTER_FIRST, /* the outermost, whatever it is */
    TALLY_PIECES_KEPT_FIRST   /* those that need no states */
} tally_pieces_way;

/*
 * Cut so that input and output of a piece have no more bytes than most, if that is possible, and
 * otherwise as small as can be.
 */
tally_status tally_pieces_choose(const tally_flat *flat, tally_pieces_way way, uint64_t most,
                                 tally_pieces *pieces, tally_error *error);
void tally_pieces_release(tally_pieces *pieces);

/* The number-th of the boxes, with all of the swept axis. */
tally_flat_box tally_pieces_box(const tally_pieces *pieces, uint64_t number);

/* The box with the number-th part alone of its swept axis, counted as they are visited. */
tally_flat_box tally_pieces_part(const tally_pieces *pieces, const tally_flat_box *box,
                                 uint32_t number);

/* The cut of a box's problem along the swept axis, which has several parts. */
tally_status tally_pieces_cut(const tally_pieces *pieces, const tally_flat_box *box, tally_cut *cut,
                              tally_error *error);

#endif
