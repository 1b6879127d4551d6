/*
 * The numbers of a result that the page shows.
 */
#include "cli/bench/page/values.h"

#include "cli/bench/results/number.h"

double page_time(const bench_result *result) {
    return result->times.event * 1e6;
}

double page_wall(const bench_result *result) {
    return result->times.wall * 1e6;
}

double page_empty_time(const bench_result *result) {
    return result->empty.event * 1e6;
}

double page_empty_wall(const bench_result *result) {
    return result->empty.wall * 1e6;
}

double page_of_empty(const bench_result *result) {
    return bench_ratio(result->times.wall, result->empty.wall);
}

double page_rate(const bench_result *result) {
    return result->rate * 1e-9;
}

double page_copy(const bench_result *result) {
    return result->best_rate[BENCH_COPY] * 1e-9;
}

double page_read(const bench_result *result) {
    return result->best_rate[BENCH_READ] * 1e-9;
}

double page_fill(const bench_result *result) {
    return result->best_rate[BENCH_FILL] * 1e-9;
}

double page_of_copy(const bench_result *result) {
    return bench_ratio(result->rate, result->best_rate[BENCH_COPY]);
}

double page_of_read(const bench_result *result) {
    return bench_ratio(result->rate, result->best_rate[BENCH_READ]);
}

double page_of_fill(const bench_result *result) {
    return bench_ratio(result->rate, result->best_rate[BENCH_FILL]);
}
