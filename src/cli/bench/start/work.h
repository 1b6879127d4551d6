/*
 * What tally bench start has its processes do: make operators and get their first results. Knows
 * operators, not how often or against what they are timed.
 */
#ifndef TALLY_CLI_BENCH_START_WORK_H
#define TALLY_CLI_BENCH_START_WORK_H

#include "cli/device.h"

/* What one process found. Times are moments on tally_clock, the same for all processes. */
typedef struct start_result {
    double driver;  /* the driver had made a context and a queue */
    double runtime; /* Tally had made its runtime on them */
    double result;  /* the last operator's result was there, in the host's memory */
    unsigned programs, built, loaded;
    unsigned long long checksum; /* of all results */
} start_result;

/* The name of a row, "reduce sum" or "empty kernel"; NULL behind the last. */
const char *start_work_name(size_t index);

/* Whether the row is of all operators, which takes long. */
bool start_work_is_whole(size_t index);

/* Do what the row says on a device of this process. */
int start_work_run(size_t index, const device_request *request, start_result *result,
                   cli_error *error);

#endif
