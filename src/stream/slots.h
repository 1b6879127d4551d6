/*
 * The slots of a stream: pieces come from the source into one after the other, and leave another
 * row of them for the sink, several under way at a time. Knows how pieces are moved, and no
 * operators.
 */
#ifndef TALLY_STREAM_SLOTS_H
#define TALLY_STREAM_SLOTS_H

#include "stream/io.h"
#include "stream/transfer.h"

#define TALLY_SLOTS_MOST 3u

/* An output that is on its way to the host. */
typedef struct tally_slots_pending {
    bool is_pending;
    tally_flat_box box;
} tally_slots_pending;

typedef struct tally_slots {
    tally_io io;
    tally_transfer transfer;
    uint32_t count;
    uint64_t input_bytes, output_bytes; /* of the largest piece */
    tally_slot input[TALLY_SLOTS_MOST], output[TALLY_SLOTS_MOST];
    tally_slots_pending pending[TALLY_SLOTS_MOST];
    uint64_t inputs, outputs; /* pieces that were begun */
} tally_slots;

/* Have the next slot hold the input of a box for the device; NULL: the operator has none. */
tally_status tally_slots_read(tally_slots *slots, const tally_flat_box *box, tally_slot **slot,
                              tally_error *error);

/* The slot that the output of a box goes into; it is free, as older outputs were written. */
tally_status tally_slots_output(tally_slots *slots, const tally_flat_box *box, tally_slot **slot,
                                tally_error *error);

/* Send that output back, and write the oldest one that is on its way if all slots are in use. */
tally_status tally_slots_fetch(tally_slots *slots, const tally_flat_box *box, tally_error *error);

/* Write all outputs that are on their way. */
tally_status tally_slots_write_rest(tally_slots *slots, tally_error *error);

/* Release their memory, when the queues are finished. */
void tally_slots_close(tally_slots *slots);

#endif
