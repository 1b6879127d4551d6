/*
 * An operator with its memory as something that tally bench enqueues.
 */
#ifndef TALLY_CLI_BENCH_OP_H
#define TALLY_CLI_BENCH_OP_H

#include "cli/bench/time.h"

typedef struct bench_op {
    tally_op *op;
    tally_binding binding;
} bench_op;

/* The work is the bench_op. */
bench_enqueue bench_op_enqueue;

#endif
