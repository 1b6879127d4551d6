/*
 * tally bench start: how long the first result of a process takes. Its rows are processes, started
 * one after the other.
 */
#ifndef TALLY_CLI_BENCH_START_START_H
#define TALLY_CLI_BENCH_START_START_H

#include "cli/options/options.h"

typedef struct bench_start_options {
    const common_options *common;
    const char *only; /* NULL: every row */
    const char *json; /* NULL: none */
    uint32_t samples;
} bench_start_options;

#define BENCH_START_SAMPLES 5

/* Whether any row has the text in its name, which NULL always is. */
bool bench_start_any(const char *only);

int bench_start_run(const bench_start_options *given, cli_error *error);

/* What such a process does: the row of this name, and a line on stdout. */
int bench_start_child(const common_options *common, const char *name, cli_error *error);

#endif
