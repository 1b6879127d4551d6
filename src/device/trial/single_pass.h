/*
 * Whether a device's scans of few long rows go over memory in a single pass, in which groups wait
 * for one another: OpenCL does not promise that this works, so the device is tried.
 */
#ifndef TALLY_DEVICE_TRIAL_SINGLE_PASS_H
#define TALLY_DEVICE_TRIAL_SINGLE_PASS_H

#include "device/trial/single_pass_trial.h"

typedef struct tally_trial {
    tally_single_pass wish; /* of the overrides */
    tally_lock lock;        /* of all that follows; held while the device is tried */
    bool known;
    tally_trial_result result;
    char first_failure[sizeof(((tally_trial_result *)NULL)->reason)]; /* of a trial made again */
} tally_trial;

bool tally_trial_init(tally_trial *trial, tally_single_pass wish);
void tally_trial_free(tally_trial *trial);

/*
 * Set limits->single_pass for a problem's plan. The first plan that would make use of it tries the
 * device, which compiles and computes; that never fails, but may say no.
 */
void tally_trial_settle(tally_trial *trial, tally_device *device, tally_kernels *kernels,
                        const tally_problem *problem, tally_limits *limits);

/* Which plans an operator may get by what is known so far: with a single pass, without it. */
typedef struct tally_trial_outcomes {
    bool with, without;
} tally_trial_outcomes;
tally_trial_outcomes tally_trial_possible(tally_trial *trial);

/*
 * Set limits->single_pass as tally_trial_settle does where a trial that is not known yet says yes.
 * Tries nothing.
 */
void tally_trial_expect(tally_trial *trial, const tally_problem *problem, tally_limits *limits);

/* The verdict in words and numbers. The first question tries the device. */
void tally_trial_ask(tally_trial *trial, tally_device *device, tally_kernels *kernels,
                     tally_scans *scans);

#endif
