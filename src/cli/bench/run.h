/*
 * One workload of tally bench run on the device of a session. Prints nothing.
 */
#ifndef TALLY_CLI_BENCH_RUN_H
#define TALLY_CLI_BENCH_RUN_H

#include "cli/bench/session.h"

/* Seconds; rates in bytes per second; negative: not measured or not known. */
typedef struct bench_result {
    char refusal[504]; /* why it was not run; "": it ran */
    bench_times times;
    bench_times empty;                    /* of a small workload */
    double limit_event[BENCH_LIMITS_MAX]; /* of the others, in the order of the limits */
    double rate;                          /* of the others: compulsory bytes */
    double best_rate[BENCH_LIMIT_KINDS];  /* and of the best limit of each kind */
    uint64_t checksum; /* of both ends of the output, BENCH_CHECKSUM_BYTES each: FNV-1a, 64 bits */
} bench_result;

#define BENCH_CHECKSUM_BYTES 4096

/* A workload that does not fit the device is CLI_DONE with a refusal. */
int bench_run(bench_session *session, const bench_workload *workload, bench_result *result,
              cli_error *error);

#endif
