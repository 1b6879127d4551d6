/*
 * The command line of tally bench: what is measured, and how. Parses and checks; measures nothing.
 */
#ifndef TALLY_CLI_BENCH_OPTIONS_H
#define TALLY_CLI_BENCH_OPTIONS_H

#include "cli/bench/layouts/layouts.h"
#include "cli/bench/subject.h"
#include "cli/options/options.h"

/* What is measured: a benchmark of workloads, or one with a file of its own. */
typedef enum bench_kind {
    BENCH_OF_WORKLOADS,
    BENCH_OF_START,
    BENCH_OF_LAYOUTS,
    BENCH_OF_CALLS,
    BENCH_OF_DEVICES,
    BENCH_OF_REPORT
} bench_kind;

typedef struct bench_what {
    const char *name;
    bench_kind kind;
    bench_subject subject; /* of workloads; of a report the first one */
} bench_what;

typedef struct bench_log2_list {
    int value[LAYOUTS_SIZES];
    size_t count; /* 0: the device's default */
} bench_log2_list;

typedef struct bench_number {
    bool given;
    uint64_t value;
} bench_number;

typedef struct bench_part {
    uint32_t number, of; /* 1 to of; of 0: not given */
} bench_part;

typedef struct bench_options {
    common_options common;
    const bench_what *what;
    const char *page;  /* of report: the file; NULL: none */
    char *command;     /* the line that was given, to be freed */
    const char *child; /* of start: a row to do in this process; NULL: none */
    const char *json;  /* NULL: none */
    const char *only;  /* NULL: every row */
    bench_log2_list log2;
    uint32_t samples; /* 0: the benchmark's default */
    /* Of layouts: */
    bench_number seed, count, index;
    bench_part part;
    bool prepare, check;
} bench_options;

enum { BENCH_OPERANDS = 2, BENCH_OPTIONS = 11 };
extern const option bench_operands[BENCH_OPERANDS], bench_option_rows[BENCH_OPTIONS];

/* Whether the options go together, with the sizes and the rows of the benchmark. */
int bench_options_check(const bench_options *given, cli_error *error);

#endif
