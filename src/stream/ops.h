/*
 * The operators of a stream's pieces. Pieces of one shape share an operator. Knows the public calls
 * that make operators, no memory.
 */
#ifndef TALLY_STREAM_OPS_H
#define TALLY_STREAM_OPS_H

#include "stream/pieces.h"

/* What an operator does with a piece. */
typedef enum tally_ops_task {
    TALLY_OPS_RESULTS,     /* all of it: the swept axis is not cut */
    TALLY_OPS_STATES,      /* input to states, or to what stretches come to */
    TALLY_OPS_COMBINE,     /* all states to the output */
    TALLY_OPS_CARRY,       /* the carry and a part's states to the next carry */
    TALLY_OPS_CARRY_FIRST, /* a part's states to a carry */
    TALLY_OPS_SCAN         /* input, from the carry on, to the output */
} tally_ops_task;

/* Operators that are kept; a stream whose pieces need more makes the oldest ones again. */
#define TALLY_OPS_MOST 64u

typedef struct tally_ops_key {
    uint64_t size[TALLY_MAX_RANK];
    uint64_t begin;  /* where a result depends on it */
    int64_t band[2]; /* of a fill */
    uint64_t task;
} tally_ops_key;

typedef struct tally_ops {
    tally_runtime *runtime;
    const tally_pieces *pieces;
    tally_ops_key keys[TALLY_OPS_MOST];
    tally_op *kept[TALLY_OPS_MOST];
    uint32_t count, next; /* next: the one that goes where all are taken */
    tally_flat_box cut_box;
    tally_cut cut;    /* of that box; struct_size 0: none yet */
    uint64_t scratch; /* the most bytes that one of them needs */
} tally_ops;

/* Ones of these pieces, none of which is made yet. */
void tally_ops_init(tally_ops *ops, tally_runtime *runtime, const tally_pieces *pieces);
void tally_ops_release(tally_ops *ops);

/* The operator of a piece's task, which stays until another is asked for. */
tally_status tally_ops_find(tally_ops *ops, tally_ops_task task, const tally_flat_box *part,
                            tally_op **op, tally_error *error);

/* Make an operator of each shape that pieces have, so that all scratch is known. */
tally_status tally_ops_prepare(tally_ops *ops, tally_error *error);

/* The states of a part, and the bytes of one state of all lines of its box. */
tally_status tally_ops_states(tally_ops *ops, const tally_flat_box *part, uint64_t *states,
                              uint64_t *bytes, tally_error *error);

#endif
