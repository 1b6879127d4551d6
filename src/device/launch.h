/*
 * Enqueueing a plan's steps. Knows plans and memory, no operators.
 */
#ifndef TALLY_DEVICE_LAUNCH_H
#define TALLY_DEVICE_LAUNCH_H

#include "device/endings.h"
#include "device/memory/memory.h"
#include "plan/plan.h"

/* A region of a plan: memory, and where in it the region begins. */
typedef struct tally_region {
    tally_memory memory;
    uint64_t offset; /* bytes */
} tally_region;

/* What one enqueue of a plan needs beside the plan. */
typedef struct tally_launch {
    cl_command_queue queue;
    const tally_allocator *allocator; /* of what is needed until all is enqueued */
    const cl_kernel *kernel;          /* one for each launch */
    tally_endings *endings; /* the operator's, if its plan has a closing group or a board */
    uint32_t ending;        /* the ending there of the launch under way */
    uint32_t tag;           /* its number among those that had the ending */
    tally_region region[TALLY_ROLES];
    bool in_place; /* the input is the output; see tally_plan_steps */
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;  /* of the last launch; NULL if none is wanted */
    cl_event *events; /* of each launch, in place of the last one's; NULL if they are not wanted */
    uint32_t *launched; /* with events: how many there are, also after a failure */
} tally_launch;

/* Set the arguments of a step's kernel, as the launch has its memory and its ending. */
tally_status tally_launch_arguments(const tally_plan *plan, uint32_t index,
                                    const tally_launch *launch, cl_kernel kernel,
                                    tally_error *error);

/*
 * Enqueue the steps that serve this memory, each after the one before; a plan of no steps is a
 * marker. The caller sees to it that no other thread sets arguments of these kernels meanwhile.
 */
tally_status tally_launch_plan(const tally_plan *plan, const tally_launch *launch,
                               tally_error *error);

/*
 * Launch every step with no units of work, and wait: a driver that compiles late does so now. *fits
 * is false if the driver refuses the size of a step's groups.
 */
tally_status tally_launch_dry(const tally_plan *plan, const cl_kernel *kernel,
                              const tally_device *device, bool *fits, tally_error *error);

#endif
