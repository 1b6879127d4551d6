/*
 * The workloads of one operator measured, row by row, and told to who shows them. Shows nothing.
 */
#ifndef TALLY_CLI_BENCH_ROWS_H
#define TALLY_CLI_BENCH_ROWS_H

#include "cli/bench/run.h"

#define BENCH_ROWS_SAMPLES 21

typedef struct bench_rows_options {
    const common_options *common;
    const char *only; /* NULL: every row */
    int log2;         /* 0: the device's default */
    uint32_t samples;
} bench_rows_options;

/* Who hears of them: of the device before the first row, and of each row when it is done. */
typedef struct bench_listener {
    void *user;
    void (*begin)(void *user, const bench_session *session);
    void (*row)(void *user, const bench_workload *workload, const bench_result *result);
} bench_listener;

/* The session is closed at the end. */
int bench_rows_measure(bench_subject subject, const bench_rows_options *given,
                       const bench_listener *listener, cli_error *error);

#endif
