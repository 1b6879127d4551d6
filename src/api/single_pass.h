/*
 * Whether a runtime's scans of few long rows go over memory in a single pass, in which groups wait
 * for one another: OpenCL does not promise that this works, so the device is tried.
 */
#ifndef TALLY_API_SINGLE_PASS_H
#define TALLY_API_SINGLE_PASS_H

#include <tally/tally.h>

#include "base/lock.h"
#include "model/problem.h"
#include "plan/limits.h"

typedef struct tally_trial {
    tally_single_pass wish; /* of the config */
    tally_lock lock;        /* of all that follows; held while the device is tried */
    bool known, passed;
    bool lasts; /* whether to ask again would give the same, whatever else the device does then */
    uint32_t units, left;
    char reason[256];
} tally_trial;

bool tally_trial_init(tally_trial *trial, tally_single_pass wish);
void tally_trial_free(tally_trial *trial);

/*
 * Set limits->single_pass for an operator. The first one whose plan would make use of it tries the
 * device, which compiles and computes; that never fails, but may say no.
 */
void tally_trial_settle(tally_runtime *runtime, const tally_problem *problem, tally_limits *limits);

#endif
