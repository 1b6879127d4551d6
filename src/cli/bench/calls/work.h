/*
 * What tally bench calls times: calls by number. Knows their names and how to make them once, not
 * how often.
 */
#ifndef TALLY_CLI_BENCH_CALLS_WORK_H
#define TALLY_CLI_BENCH_CALLS_WORK_H

#include "cli/bench/op.h"
#include "cli/device.h"
#include "cli/options/options.h"

/* All that the calls are made with. All zeros is one that is not open. */
typedef struct calls_session {
    device device;
    cl_command_queue any_order;
    bench_op sum;       /* of each row, in one launch */
    cl_program program; /* of a kernel that does nothing */
    cl_kernel nothing;
    uint32_t sample;
} calls_session;

int calls_session_open(calls_session *at, const common_options *common, cli_error *error);
void calls_session_close(calls_session *at);

/* Calls there are, and their names. */
enum { CALLS_ROWS = 8 };
const char *calls_name(size_t row);

/* Make the call once, and say how many seconds it took. */
int calls_make(calls_session *at, size_t row, double *seconds, cli_error *error);

/* Wait until the device has nothing to do any more. */
int calls_rest(const calls_session *at, cli_error *error);

#endif
