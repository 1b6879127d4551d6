/*
 * What tally bench devices times: a sum and a running sum of float32, on one device and on
 * several. Knows how to run each once, not how often.
 */
#ifndef TALLY_CLI_BENCH_DEVICES_WORK_H
#define TALLY_CLI_BENCH_DEVICES_WORK_H

#include "cli/options/options.h"
#include "cli/several/several.h"

/* The devices, each with an input and an output of its own that have room for the whole. */
typedef struct devices_session {
    several on;
    uint64_t elements;
    cl_mem input[TALLY_DEVICES_MAX], output[TALLY_DEVICES_MAX];
    double speeds[TALLY_DEVICES_MAX]; /* bytes per second that a device reads */
} devices_session;

/* log2 0: the default of the first device. */
int devices_session_open(devices_session *at, const common_options *common, int log2,
                         cli_error *error);
void devices_session_close(devices_session *at);

/*
 * An operator that is ready to run: by its create call on one device, or by tally/devices.h on the
 * first ones.
 */
typedef struct devices_work {
    const devices_session *at;
    bool scan;      /* else the sum */
    uint32_t first; /* the device, or 0 */
    uint32_t count; /* 0: one device by its create call */
    tally_op *op;
    tally_scratch *scratch;
    tally_devices_op *several;
    tally_binding bindings[TALLY_DEVICES_MAX];
    uint64_t begin[TALLY_DEVICES_MAX], end[TALLY_DEVICES_MAX]; /* of the output, by device */
} devices_work;

int devices_work_open(devices_work *work, const devices_session *at, bool scan, uint32_t first,
                      uint32_t count, cli_error *error);
void devices_work_close(devices_work *work);

/* Run it, and say how many seconds the call and the wait took. */
int devices_work_run(devices_work *work, double *seconds, cli_error *error);

/* A sum of the bits of all results: equal on equal bits. */
int devices_work_checksum(const devices_work *work, uint32_t *sum, cli_error *error);

#endif
