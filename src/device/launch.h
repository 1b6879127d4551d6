/*
 * Enqueueing a plan's steps. Knows plans and memory, no operators.
 */
#ifndef TALLY_DEVICE_LAUNCH_H
#define TALLY_DEVICE_LAUNCH_H

#include "device/arguments.h"

/* What one enqueue of a plan needs beside the plan. */
typedef struct tally_launch {
    cl_command_queue queue;
    const tally_allocator *allocator; /* of what is needed until all is enqueued */
    const cl_kernel *kernel;          /* one for each launch */
    tally_endings *endings; /* the operator's, if its plan has closing groups or a board */
    tally_ending ending;    /* of the launch under way */
    tally_region region[TALLY_ROLES];
    bool in_place; /* the input is the output; see tally_plan_steps */
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;  /* of the last launch; NULL if none is wanted */
    cl_event *events; /* of each launch, in place of the last one's; NULL if they are not wanted */
    uint32_t *launched; /* with events: how many there are, also after a failure */
} tally_launch;

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
