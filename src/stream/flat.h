/*
 * A description with as few axes as its order allows: neighbours that are swept, or kept, together
 * are one axis, and axes of size 1 are none. Pieces are boxes of these flat axes. Knows the public
 * descriptions, no memory and no devices.
 */
#ifndef TALLY_STREAM_FLAT_H
#define TALLY_STREAM_FLAT_H

#include <tally/stream.h>

#include "base/status.h"

typedef enum tally_flat_kind {
    TALLY_FLAT_REDUCE,
    TALLY_FLAT_SCAN,
    TALLY_FLAT_FILL
} tally_flat_kind;

/* What an axis is to the operator. Neighbours of one role are one flat axis. */
typedef enum tally_flat_role {
    TALLY_FLAT_KEPT,
    TALLY_FLAT_SWEPT, /* or scanned */
    TALLY_FLAT_ROWS,  /* of a fill's matrices */
    TALLY_FLAT_COLUMNS
} tally_flat_role;

typedef struct tally_flat_axis {
    uint64_t size;
    uint32_t first, end; /* of the caller's axes; those of size 1 among them do not matter */
    tally_flat_role role;
    uint64_t least; /* coordinates of a piece, at least, if there are as many */
} tally_flat_axis;

typedef struct tally_flat {
    tally_flat_kind kind;
    uint32_t rank; /* at least 1 */
    tally_flat_axis axes[TALLY_MAX_RANK];
    uint32_t swept;                     /* the axis that can be cut into states; rank: none */
    bool reads;                         /* there is an input */
    tally_tensor input, output;         /* the caller's, packed */
    uint64_t input_bytes, output_bytes; /* of an element */
    tally_reduce reduce; /* one of the three, whose tensors and axes tally_flat_piece() sets */
    tally_cumulative cumulative;
    tally_diagonal diagonal;
} tally_flat;

/* Check a description for a device, and flatten it. */
tally_status tally_flat_read(const tally_desc *whole, const tally_device_limits *limits,
                             tally_flat *flat, tally_error *error);

/* A box of the flat axes. */
typedef struct tally_flat_box {
    uint64_t begin[TALLY_MAX_RANK], size[TALLY_MAX_RANK];
} tally_flat_box;

/* Elements of the box in the input; in the output, where swept axes of a reduction have one. */
uint64_t tally_flat_input_elements(const tally_flat *flat, const tally_flat_box *box);
uint64_t tally_flat_output_elements(const tally_flat *flat, const tally_flat_box *box);

/* The description of a box as a problem of its own, with packed tensors. */
typedef struct tally_flat_desc {
    tally_desc desc; /* points into the struct */
    tally_reduce reduce;
    tally_cumulative cumulative;
    tally_diagonal diagonal;
    tally_tensor input;
} tally_flat_desc;

void tally_flat_piece(const tally_flat *flat, const tally_flat_box *box, tally_flat_desc *piece);

#endif
