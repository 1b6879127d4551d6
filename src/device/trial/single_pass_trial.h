/*
 * Trying a device: whether the groups of a scan can wait for one another there. Knows not who asks,
 * nor whether the answer is kept.
 */
#ifndef TALLY_DEVICE_TRIAL_SINGLE_PASS_TRIAL_H
#define TALLY_DEVICE_TRIAL_SINGLE_PASS_TRIAL_H

#include "device/kernels.h"

/* Of what is done here: another trial is another question to those who remember the answer. */
#define TRIAL_VERSION 2

/* How the device did. */
typedef struct tally_trial_result {
    bool passed;
    bool lasts; /* whether to try again would give the same, whatever else the device does then */
    uint32_t units, left;
    char reason[256];
} tally_trial_result;

/* The long sum that a device with these limits is tried with, and how many terms it has. */
tally_status tally_trial_state(const tally_limits *limits, tally_problem *problem, uint64_t *count,
                               tally_error *error);

/* Try it, with its programs. *error says what failed if something did. */
tally_status tally_trial_run(tally_device *device, tally_kernels *kernels,
                             tally_trial_result *trial, tally_error *error);

#endif
