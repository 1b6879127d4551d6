/*
 * tally bench layouts: operators on random problems, timed next to copies, or held to the generic
 * kernels' bytes.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_LAYOUTS_H
#define TALLY_CLI_BENCH_LAYOUTS_LAYOUTS_H

#include "cli/bench/layouts/draw/draw.h"
#include "cli/options/options.h"

#define BENCH_LAYOUTS_SEED 1
#define BENCH_LAYOUTS_COUNT 100
#define BENCH_LAYOUTS_COUNT_MAX 1000000
#define BENCH_LAYOUTS_SAMPLES 7

typedef struct bench_layouts_options {
    const common_options *common;
    const char *only; /* an operator; NULL: all of them */
    const char *json; /* NULL: none */
    uint64_t seed;
    uint32_t count;          /* problems 0 to count - 1 */
    uint32_t part, parts;    /* of these part, part + parts, part + 2 * parts and so on */
    int log2[LAYOUTS_SIZES]; /* of bytes */
    size_t sizes;            /* 0: one, the device's default */
    uint32_t samples;
    bool prepare; /* make the operators, and run nothing */
    bool check;   /* compare results, and time nothing */
} bench_layouts_options;

int bench_layouts_run(const bench_layouts_options *given, cli_error *error);

#endif
