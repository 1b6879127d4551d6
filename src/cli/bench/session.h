/*
 * The device and the memory of tally bench, which all workloads share, and the limits that they
 * are held against.
 */
#ifndef TALLY_CLI_BENCH_SESSION_H
#define TALLY_CLI_BENCH_SESSION_H

#include "cli/bench/limits/limits.h"
#include "cli/bench/time.h"
#include "cli/bench/workloads.h"
#include "cli/device.h"
#include "cli/options/options.h"
#include "cli/transfer.h"

/* All workloads use the same three buffers, one after the other. */
typedef struct bench_session {
    bench_subject subject;
    device device;
    cl_command_queue untimed; /* for wall times: keeping times is not free */
    int log2;
    cl_mem input, output;
    size_t input_bytes, output_bytes;
    transfer_buffer scratch; /* as large as the hungriest workload needs */
    size_t limit_bytes;      /* what the limits copy or read */
    uint64_t allocation_max;
    tally_dtype filled; /* what the input holds */
    bench_limits limits;
    bench_timer timer;
} bench_session;

/*
 * log2 0: the default of the device. Fails if input and output do not both fit the device; a
 * single buffer is at most as large as the device allocates at once.
 */
int bench_session_open(bench_session *session, bench_subject subject, const common_options *common,
                       int log2, uint32_t samples, cli_error *error);
void bench_session_close(bench_session *session);

#endif
