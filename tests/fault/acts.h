/*
 * acts.h: what the library is made to fail in: making, asking and releasing runtimes, making,
 * enqueueing and releasing operators.
 */
#ifndef TESTS_FAULT_ACTS_H
#define TESTS_FAULT_ACTS_H

#include "sweep.h"

extern const act act_runtime;       /* make a runtime */
extern const act act_usm_runtime;   /* of a device with unified shared memory */
extern const act act_numerics;      /* ask for the verdict on the device's arithmetic */
extern const act act_trial;         /* ask whether scans take a single pass */
extern const act act_operator;      /* make an operator */
extern const act act_cold;          /* make a runtime and an operator with an empty cache on disk */
extern const act act_warm;          /* with one that has all that it takes */
extern const act act_complaint;     /* make one that the compiler refuses */
extern const act act_explain;       /* tell an operator's plan and programs */
extern const act act_scratch;       /* make a scratch that grows, and grow it */
extern const act act_launches;      /* enqueue one with an event for each launch */
extern const act act_record;        /* record one into a command buffer, and replay it */
extern const act act_parts;         /* make the operators of a scan in two parts */
extern const act act_parts_enqueue; /* make them, and enqueue all of them */
extern const act act_enqueue;       /* enqueue an operator that is there; the stage has it */
extern const act act_first_enqueue; /* make one, and enqueue it */
#define ACTS_OF_STREAMS 3
extern const act acts_of_streams[ACTS_OF_STREAMS]; /* compute in pieces */
extern const act act_devices;                      /* make a list of two devices */
extern const act act_devices_measured;             /* with their speeds, which takes long */
extern const act act_devices_op;                   /* make an operator on both */
extern const act act_devices_run;                  /* run it */

#endif
