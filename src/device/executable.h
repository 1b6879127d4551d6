/*
 * A plan with kernels of its own, ready to be launched: what an operator enqueues. Knows a problem
 * and limits, not whose problem it is, nor the caller's memory.
 */
#ifndef TALLY_DEVICE_EXECUTABLE_H
#define TALLY_DEVICE_EXECUTABLE_H

#include "device/endings.h"
#include "device/kernels.h"
#include "plan/plan.h"

/* All zeros is one that has nothing to free. */
typedef struct tally_executable {
    tally_device *device;
    tally_kernels *kernels; /* where its programs come from */
    tally_limits limits;    /* that the plan keeps: its kernels may allow less than the device */
    tally_plan plan;
    cl_kernel kernel[TALLY_MAX_STEPS]; /* nobody else's: arguments are a kernel's state */
    tally_endings endings;             /* if the plan has closing groups, or a board */
    bool loaded;                       /* some of them are of programs that were remembered */
} tally_executable;

/* Plan the problem within these limits, and make the kernels. *made is zero if that fails. */
tally_status tally_executable_make(tally_executable *made, tally_device *device,
                                   tally_kernels *kernels, const tally_problem *problem,
                                   const tally_limits *limits, tally_error *error);
void tally_executable_free(tally_executable *executable);

/* Bytes of an ending of its launches; 0: none has one. */
uint64_t tally_executable_ending(const tally_executable *of);

/* The key of the program of a step's kernel. */
tally_program_key tally_executable_program(const tally_executable *of, uint32_t step);

#endif
