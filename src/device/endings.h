/*
 * Memory of an operator in which the groups of a launch publish to each other: counts of groups
 * that have ended, or boards; one for each such launch that may be under way beside others of the
 * same operator. Zero at first; what launches leave there is theirs to know.
 */
#ifndef TALLY_DEVICE_ENDINGS_H
#define TALLY_DEVICE_ENDINGS_H

#include "device/device.h"

/*
 * Endings of queues that keep the order of commands, one for each; and all, of which others share
 * the rest. Boards are large, so they are fewer.
 */
#define TALLY_ENDINGS_QUEUES 16
#define TALLY_ENDINGS 64
#define TALLY_BOARD_QUEUES 2
#define TALLY_BOARDS 4

typedef struct tally_endings {
    cl_mem memory;                                /* NULL if no launch needs any */
    uint32_t queues, count;                       /* of these lists that there are */
    cl_command_queue queue[TALLY_ENDINGS_QUEUES]; /* retained, so that none takes its place */
    cl_event event[TALLY_ENDINGS];                /* of the last launch that had it; NULL: none */
    uint32_t launches[TALLY_ENDINGS];             /* that had it, and the one under way */
    uint32_t next;    /* the shared one that is taken where none is free */
    cl_mem *recorded; /* an ending of each recording, a buffer each */
    uint32_t recorded_count;
    const tally_allocator *allocator; /* of that list; NULL while there is none */
} tally_endings;

/* An ending for one launch. */
typedef struct tally_ending {
    uint32_t index;
    uint32_t launch; /* its number among those that had the ending, from 1 on */
    cl_event before; /* to wait for first, owned by the endings; NULL: nothing */
    bool shared;     /* tally_endings_end wants the launch's event */
} tally_ending;

/* Endings of so many bytes: a board's, or a count's, which are four. */
tally_status tally_endings_make(tally_endings *endings, const tally_device *device, uint64_t bytes,
                                tally_error *error);
void tally_endings_free(tally_endings *endings);

/*
 * An ending of as many bytes for a recording, which no launch and no other recording shares: nobody
 * knows when it is replayed. It is kept until the endings are freed.
 */
tally_status tally_endings_record(tally_endings *endings, const tally_device *device,
                                  uint64_t bytes, cl_mem *memory, tally_error *error);

/*
 * An ending for a launch on queue. A queue that keeps the order has one to itself, if it is one of
 * the first. Other launches have a shared one that no launch has; if there is none, they wait for
 * the launch that has theirs.
 */
tally_status tally_endings_begin(tally_endings *endings, cl_command_queue queue, bool any_order,
                                 tally_ending *ending, tally_error *error);

/* Take over the event of the launch that has a shared ending. */
void tally_endings_end(tally_endings *endings, const tally_ending *ending, cl_event event);

#endif
