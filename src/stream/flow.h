/*
 * The run of a stream: pieces from the source through the device to the sink, with several under
 * way. Knows how pieces are cut and moved, and which operators they need.
 */
#ifndef TALLY_STREAM_FLOW_H
#define TALLY_STREAM_FLOW_H

#include "stream/ops.h"
#include "stream/slots.h"

typedef struct tally_flow {
    const tally_flat *flat;
    tally_pieces pieces;
    tally_ops ops;
    tally_slots slots;
    cl_mem states[2]; /* of all parts; or of this part and of the next one */
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
