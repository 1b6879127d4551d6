/*
 * What is behind tally_op: a problem, and what solves it.
 */
#ifndef TALLY_API_OPERATOR_H
#define TALLY_API_OPERATOR_H

#include "api/runtime.h"
#include "device/executable.h"
#include "device/launch.h"
#include "model/parts/part.h"

struct tally_op {
    tally_count count;
    tally_runtime *runtime;
    tally_problem problem;
    tally_executable executable;
    tally_lock lock; /* held while arguments are set and launches enqueued */
    tally_text description;
};

/* Refuse NULL for what every create call needs, and empty *op and *error. */
tally_status tally_op_begin(const tally_runtime *runtime, tally_op **op, tally_error *error);

/* Make the operator that solves problem. */
tally_status tally_op_make(tally_runtime *runtime, const tally_problem *problem, tally_op **op,
                           tally_error *error);

/* Whether a device of these limits, or any if they are NULL, supports the problem. */
tally_status tally_check_support(const tally_problem *problem, const tally_device_limits *given,
                                 tally_error *error);

/* Refuse a queue of another context or device, which takes no kernels of the operator. */
tally_status tally_check_queue(const tally_op *op, cl_command_queue queue, tally_error *error);

/* Refuse a count that does not fit its list. */
tally_status tally_check_waits(uint32_t wait_count, const void *wait_list, tally_error *error);

/*
 * Check the binding of an enqueue against the operator, and resolve it: the places of the launch.
 * The carry is NULL unless the caller gave one. Nothing is enqueued if it is refused.
 */
tally_status tally_binding_check(const tally_op *op, const tally_binding *binding,
                                 const tally_view *carry, tally_launch *launch, tally_error *error);

/* Enqueue with a carry, or without one if that is NULL. */
tally_status tally_op_enqueue_with(tally_op *op, cl_command_queue queue,
                                   const tally_binding *binding, const tally_view *carry,
                                   uint32_t wait_count, const cl_event *wait_list, cl_event *event,
                                   tally_error *error);

#endif
