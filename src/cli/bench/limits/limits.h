/*
 * What the device's memory can do: kernels that only copy, read or fill, next to those that make
 * the input and do nothing. Knows buffers, no operators.
 */
#ifndef TALLY_CLI_BENCH_LIMITS_LIMITS_H
#define TALLY_CLI_BENCH_LIMITS_LIMITS_H

#include "cli/bench/time.h"
#include "cli/device.h"

#define BENCH_LIMITS_MAX 8

typedef enum bench_limit_kind {
    BENCH_COPY,
    BENCH_READ,
    BENCH_FILL,
    BENCH_COPY_SMALL, /* a copy that keeps a large device busy with few bytes */
    BENCH_LIMIT_KINDS
} bench_limit_kind;

/* One way to move memory; the work of its enqueue is its bench_limit. */
typedef struct bench_limit {
    const char *name;
    bench_limit_kind kind;
    double bytes; /* moved by a run, read and written */
    bench_enqueue *enqueue;
    cl_kernel kernel; /* NULL: clEnqueueCopyBuffer or clEnqueueFillBuffer */
    size_t global, local;
    size_t chunk; /* bytes of a work-group; 0: any number of bytes will do */
    cl_mem source, target;
    size_t size; /* bytes that are copied, read or filled */
} bench_limit;

typedef struct bench_limits {
    cl_program program;
    cl_kernel fill;
    cl_kernel empty;
    bench_limit limit[BENCH_LIMITS_MAX];
    size_t count;
} bench_limits;

/*
 * Build the kernels for the device, and have the limits of the kinds that are true. bytes: the
 * memory that source and target have, a multiple of 256 KiB.
 */
int bench_limits_open(bench_limits *limits, const device *on, const bool kinds[BENCH_LIMIT_KINDS],
                      cl_mem source, cl_mem target, size_t bytes, cli_error *error);
void bench_limits_close(bench_limits *limits);

/*
 * Have the limit move another number of bytes, at most those that it was made with, rounded to
 * whole chunks.
 */
void bench_limit_resize(bench_limit *limit, size_t bytes);

/*
 * Pseudo-random finite values of the type, other ones for each type; of TALLY_DTYPE_NONE random
 * bits. The first bytes are the same however many there are. Enqueues and returns.
 */
int bench_limits_fill(const bench_limits *limits, cl_command_queue queue, tally_dtype dtype,
                      cl_mem buffer, size_t bytes, cli_error *error);

/* Enqueue the kernel that does nothing; the work is the bench_limits. */
bench_enqueue bench_limits_empty;

#endif
