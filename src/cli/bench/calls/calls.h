/*
 * tally bench calls: what the calls of the library cost the host, whatever the device then does.
 */
#ifndef TALLY_CLI_BENCH_CALLS_CALLS_H
#define TALLY_CLI_BENCH_CALLS_CALLS_H

#include "cli/options/options.h"

typedef struct bench_calls_options {
    const common_options *common;
    const char *only; /* NULL: every row */
    const char *json; /* NULL: none */
    uint32_t samples;
} bench_calls_options;

#define BENCH_CALLS_SAMPLES 2001

/* Whether any row has the text in its name, which NULL always is. */
bool bench_calls_any(const char *only);

int bench_calls_run(const bench_calls_options *given, cli_error *error);

#endif
