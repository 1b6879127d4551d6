/*
 * What a planner may know of a device: plain numbers, so that tests can plan for devices that
 * nobody has.
 */
#ifndef TALLY_PLAN_LIMITS_H
#define TALLY_PLAN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include <tally/types.h>

typedef struct tally_limits {
    uint64_t
        group_max; /* work-items of a group, the least of the device's and its kernels' limits */
    uint64_t local_bytes;  /* local memory of a group */
    uint32_t units;        /* compute units */
    uint32_t address_bits; /* 32 or 64 */
    tally_family family;   /* GENERIC, GPU or CPU, never AUTO: on a CPU a barrier is dear */
    uint8_t word_bytes;    /* that a store writes at once for all to see: 8, or 4 */
    bool single_pass;      /* groups of a scan may wait for one another; see scan_rows_passes.cl */
    bool has_f64;
} tally_limits;

#endif
