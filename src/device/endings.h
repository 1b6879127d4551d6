/*
 * The counts of groups that have ended, for launches whose last group does more: one for each such
 * launch that may be under way beside others of the same operator. Each is 0 between launches.
 */
#ifndef TALLY_DEVICE_ENDINGS_H
#define TALLY_DEVICE_ENDINGS_H

#include "device/device.h"

/* Counts of queues that keep the order of commands, one for each; and those that others share. */
#define TALLY_ENDINGS_QUEUES 16
#define TALLY_ENDINGS 64

typedef struct tally_endings {
    cl_mem counts;                                /* NULL if no launch needs any */
    cl_command_queue queue[TALLY_ENDINGS_QUEUES]; /* retained, so that none takes its place */
    cl_event event[TALLY_ENDINGS];                /* of the last launch that had it; NULL: none */
    uint32_t next;                                /* of the shared ones, where all are taken */
} tally_endings;

/* A count for one launch. */
typedef struct tally_ending {
    uint32_t index;
    cl_event before; /* to wait for first, owned by the endings; NULL: nothing */
    bool shared;     /* tally_endings_end wants the launch's event */
} tally_ending;

tally_status tally_endings_make(tally_endings *endings, const tally_device *device,
                                tally_error *error);
void tally_endings_free(tally_endings *endings);

/*
 * A count for a launch on queue. A queue that keeps the order has one to itself, if it is one of
 * the first TALLY_ENDINGS_QUEUES. Other launches have a shared one that no launch has; if there is
 * none, they wait for the launch that has theirs.
 */
tally_status tally_endings_begin(tally_endings *endings, cl_command_queue queue, bool any_order,
                                 tally_ending *ending, tally_error *error);

/* Keep the event of the launch that has a shared count. */
void tally_endings_end(tally_endings *endings, const tally_ending *ending, cl_event event);

#endif
