/*
 * What is behind tally_runtime: a device, its programs, what is known of its arithmetic, and how
 * many hold it.
 */
#ifndef TALLY_API_RUNTIME_H
#define TALLY_API_RUNTIME_H

#include "api/numerics.h"
#include "device/kernels.h"

struct tally_runtime {
    tally_count count; /* the caller and every operator */
    tally_device device;
    tally_kernels kernels;
    tally_verdict verdict;
};

#endif
