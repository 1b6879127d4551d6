/*
 * The source of the kernels that tally bench measures against.
 */
#ifndef TALLY_CLI_BENCH_LIMITS_KERNELS_H
#define TALLY_CLI_BENCH_LIMITS_KERNELS_H

#include <stddef.h>

extern const char *const bench_kernels[]; /* pieces of one program */
extern const size_t bench_kernel_count;

#endif
