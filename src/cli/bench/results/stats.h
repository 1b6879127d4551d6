/*
 * What the shares of many problems, or other numbers, come to. Pure; knows no problem.
 */
#ifndef TALLY_CLI_BENCH_RESULTS_STATS_H
#define TALLY_CLI_BENCH_RESULTS_STATS_H

#include <stddef.h>

typedef struct bench_stats {
    size_t count; /* 0: the others mean nothing */
    double geometric_mean, median, worst, best;
    double p10; /* a tenth of the shares is below; between two shares linear */
} bench_stats;

/* Sorts the numbers, which are positive. */
bench_stats bench_stats_of(double *shares, size_t count);

#endif
