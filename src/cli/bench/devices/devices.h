/*
 * tally bench devices: what several devices gain over one. Its rows are operators on tensors that
 * lie on the devices already.
 */
#ifndef TALLY_CLI_BENCH_DEVICES_DEVICES_H
#define TALLY_CLI_BENCH_DEVICES_DEVICES_H

#include "cli/options/options.h"

typedef struct bench_devices_options {
    const common_options *common;
    const char *json; /* NULL: none */
    int log2;         /* 0: the default of the first device */
    uint32_t samples;
} bench_devices_options;

#define BENCH_DEVICES_SAMPLES 21

int bench_devices_run(const bench_devices_options *given, cli_error *error);

#endif
