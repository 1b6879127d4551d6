/*
 * Statistics of shares. Knows no problem.
 */
#include "cli/bench/results/stats.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile of sorted numbers, linear between neighbours. */
static double quantile(const double *sorted, size_t count, double part) {
    const double placement = part * (double)(count - 1);
    const size_t below = (size_t)placement;
    const size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (placement - (double)below) * (sorted[above] - sorted[below]);
}

bench_stats bench_stats_of(double *shares, size_t count) {
    bench_stats stats = {.count = count};
    double logarithms = 0;
    if (count == 0)
        return stats;
    qsort(shares, count, sizeof *shares, compare);
    for (size_t i = 0; i < count; i++)
        logarithms += log(shares[i]);
    stats.geometric_mean = exp(logarithms / (double)count);
    stats.median = quantile(shares, count, 0.5);
    stats.p10 = quantile(shares, count, 0.1);
    stats.worst = shares[0];
    stats.best = shares[count - 1];
    return stats;
}
