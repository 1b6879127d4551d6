/*
 * How large pieces are, and how many are under way, so that a stream's memory keeps within its
 * budget. Knows the limits of the device.
 */
#ifndef TALLY_STREAM_BUDGET_H
#define TALLY_STREAM_BUDGET_H

#include "stream/flow.h"

typedef struct tally_budget {
    uint64_t memory;  /* bytes, at most, of all buffers */
    uint64_t largest; /* of one buffer */
    uint64_t piece;   /* of input and output of a piece, at most */
} tally_budget;

/* How pieces come to the kernels. */
typedef enum tally_budget_way {
    TALLY_BUDGET_LENT,   /* they are computed where they lie */
    TALLY_BUDGET_COPIED, /* to a device with memory of its own */
    TALLY_BUDGET_CACHED, /* the host writes them where kernels read */
} tally_budget_way;

/* The budget of a stream on a device. */
tally_status tally_budget_read(const tally_stream *stream, cl_device_id device,
                               tally_budget_way way, tally_budget *budget, tally_error *error);

/*
 * Set the flow's pieces, operators and slots. On success the caller releases pieces and operators.
 * TALLY_INVALID with the least budget if this one is too small.
 */
tally_status tally_budget_settle(const tally_budget *budget, tally_runtime *runtime,
                                 tally_flow *flow, tally_error *error);

/* The least memory that any budget may have; the same as the sentence says. */
tally_status tally_budget_least(const tally_budget *budget, tally_runtime *runtime,
                                tally_flow *flow, uint64_t *memory, tally_error *error);

#endif
