/*
 * What is behind tally_runtime: a device, its programs, what is known of its arithmetic, and how
 * many hold it.
 */
#ifndef TALLY_API_RUNTIME_H
#define TALLY_API_RUNTIME_H

#include "base/count.h"
#include "device/record/commands.h"
#include "device/kernels.h"
#include "device/trial/single_pass.h"
#include "device/trial/verdict.h"

struct tally_runtime {
    tally_count count; /* the caller, every operator and every scratch */
    tally_device device;
    tally_kernels kernels;
    tally_verdict verdict;
    tally_trial trial;
    tally_commands commands;
};

/* Refuse a value that is none of the enumeration's. */
tally_status tally_check_single_pass(tally_single_pass single_pass, tally_error *error);

/* Begin to answer: clear error and refuse no runtime, or an answer's struct that is none. */
tally_status tally_check_question(const tally_runtime *runtime, const void *answer,
                                  const char *name, tally_error *error);

#endif
