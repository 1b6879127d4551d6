/*
 * The device and the memory of tally bench, and one workload run on them. Prints nothing.
 */
#ifndef TALLY_CLI_BENCH_RUN_H
#define TALLY_CLI_BENCH_RUN_H

#include "cli/bench_limits.h"
#include "cli/bench_time.h"
#include "cli/bench_workloads.h"
#include "cli/device.h"
#include "cli/options.h"

/* All workloads use the same three buffers, one after the other. */
typedef struct bench_session {
    device device;
    cl_command_queue untimed; /* for wall times: keeping times is not free */
    int log2;
    cl_mem input, output, scratch;
    size_t input_bytes, output_bytes, scratch_bytes;
    size_t limit_bytes; /* what the limits copy or read */
    uint64_t allocation_max;
    tally_dtype filled; /* what the input holds */
    bench_limits limits;
    bench_timer timer;
} bench_session;

/* Seconds; rates in bytes per second; negative: not measured or not known. */
typedef struct bench_result {
    char refusal[504]; /* why it was not run; "": it ran */
    bench_times times;
    bench_times empty;                    /* of a small workload */
    double limit_event[BENCH_LIMITS_MAX]; /* of the others, in the order of the limits */
    double rate, copy_rate, read_rate;    /* of the others: compulsory bytes, and the best limits */
    uint64_t checksum; /* of the output's first BENCH_CHECKSUM_BYTES: FNV-1a, 64 bits */
} bench_result;

#define BENCH_CHECKSUM_BYTES 4096

/* log2 0: the default of the device. */
int bench_session_open(bench_session *session, const common_options *common, int log2,
                       uint32_t samples, cli_error *error);
void bench_session_close(bench_session *session);

/* A workload that does not fit the device is CLI_DONE with a refusal. */
int bench_run(bench_session *session, const bench_workload *workload, bench_result *result,
              cli_error *error);

#endif
