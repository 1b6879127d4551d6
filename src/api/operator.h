/*
 * What is behind tally_op: a problem, its plan, and kernels of its own.
 */
#ifndef TALLY_API_OPERATOR_H
#define TALLY_API_OPERATOR_H

#include "api/runtime.h"
#include "device/launch.h"

struct tally_op {
    tally_runtime *runtime;
    tally_problem problem;
    tally_limits limits; /* that the plan keeps: its kernels may allow less than the device */
    tally_plan plan;
    cl_kernel kernel[TALLY_MAX_STEPS]; /* no other operator's: arguments are a kernel's state */
    tally_endings endings;             /* if the plan has a closing group, or a board */
    bool loaded;                       /* some of them are of programs that were remembered */
    tally_lock lock;                   /* held while arguments are set and launches enqueued */
    tally_text description;
};

/* Refuse NULL for what every create call needs, and empty *op and *error. */
tally_status tally_op_begin(const tally_runtime *runtime, tally_op **op, tally_error *error);

/* Make the operator that solves problem. */
tally_status tally_op_make(tally_runtime *runtime, const tally_problem *problem, tally_op **op,
                           tally_error *error);

/* The same within other limits than the device's own. */
tally_status tally_op_make_within(tally_runtime *runtime, const tally_problem *problem,
                                  const tally_limits *limits, tally_op **op, tally_error *error);

/* The key of the program of a step's kernel. */
tally_program_key tally_op_program(const tally_op *op, uint32_t step);

/* Refuse a description of an operator that is not one of the three. */
tally_status tally_desc_check(const tally_desc *desc, tally_error *error);

/*
 * Check the binding of an enqueue against the operator, and resolve it: the places of the launch.
 * Nothing is enqueued if it is refused.
 */
tally_status tally_binding_check(const tally_op *op, const tally_binding *binding,
                                 tally_launch *launch, tally_error *error);

#endif
