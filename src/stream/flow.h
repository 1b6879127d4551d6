/*
 * The run of a stream: pieces from the source through the device to the sink, with several under
 * way. Knows how pieces are cut and moved, and which operators they need.
 */
#ifndef TALLY_STREAM_FLOW_H
#define TALLY_STREAM_FLOW_H

#include "stream/io.h"
#include "stream/ops.h"
#include "stream/transfer.h"

#define TALLY_FLOW_SLOTS 3u

/* An output that is on its way to the host. */
typedef struct tally_flow_pending {
    bool is_pending;
    tally_flat_box box;
} tally_flow_pending;

typedef struct tally_flow {
    const tally_flat *flat;
    tally_pieces pieces;
    tally_ops ops;
    tally_io io;
    tally_transfer transfer;
    uint32_t slots;
    tally_slot input[TALLY_FLOW_SLOTS], output[TALLY_FLOW_SLOTS];
    tally_flow_pending pending[TALLY_FLOW_SLOTS];
    uint64_t inputs, outputs; /* pieces that were begun */
    cl_mem states[2];         /* of all parts; or of this part and of the next one */
    cl_mem scratch;
} tally_flow;

/* Bytes of device memory of a flow with these pieces, so many slots, and this scratch. */
uint64_t tally_flow_memory(const tally_pieces *pieces, uint32_t slots, uint64_t scratch);

/* Make the memory. The caller closes the flow, also after a failure. */
tally_status tally_flow_open(tally_flow *flow, tally_error *error);
tally_status tally_flow_run(tally_flow *flow, tally_error *error);

/* Release the memory, when the queues are finished. */
void tally_flow_close(tally_flow *flow);

#endif
