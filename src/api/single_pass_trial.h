/*
 * Trying a device: whether the groups of a scan can wait for one another there. Knows not who asks,
 * nor whether the answer is kept.
 */
#ifndef TALLY_API_SINGLE_PASS_TRIAL_H
#define TALLY_API_SINGLE_PASS_TRIAL_H

#include "api/runtime.h"

/* Of what is done here: another trial is another question to those who remember the answer. */
#define TRIAL_VERSION 2

/* The long sum that a device with these limits is tried with, and how many terms it has. */
tally_status tally_trial_state(const tally_limits *limits, tally_problem *problem, uint64_t *count,
                               tally_error *error);

/* Try it, and fill in all but what is known. *error says what failed if something did. */
tally_status tally_trial_run(tally_runtime *runtime, tally_trial *trial, tally_error *error);

#endif
