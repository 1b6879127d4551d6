/*
 * What a benchmark was measured on: the device, the library and the date. Knows no results.
 */
#ifndef TALLY_CLI_BENCH_RESULTS_HEAD_H
#define TALLY_CLI_BENCH_RESULTS_HEAD_H

#include "cli/device.h"

typedef struct bench_head {
    char device[512], driver[512], opencl[512]; /* as the driver says; "": it does not */
    char tally[48];                             /* the version, "0.1.0" */
    unsigned order_version;
    char date[32]; /* and time, UTC */
} bench_head;

void bench_head_make(bench_head *head, cl_device_id id);

#endif
