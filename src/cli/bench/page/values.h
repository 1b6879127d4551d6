/*
 * The numbers of a result that the page shows, in its units. Knows no page.
 */
#ifndef TALLY_CLI_BENCH_PAGE_VALUES_H
#define TALLY_CLI_BENCH_PAGE_VALUES_H

#include "cli/bench/run.h"

/* Zero or negative: not measured, or not known. */
typedef double page_value(const bench_result *result);

/* Microseconds: on the device's clock, and from the call to the end, which the host waits for. */
page_value page_time, page_wall;

/* The same of an empty kernel, beside a small workload, and the ratio of the two wall times. */
page_value page_empty_time, page_empty_wall, page_of_empty;

/* GB/s: of the workload, and of the best copy, read and fill beside it. */
page_value page_rate, page_copy, page_read, page_fill;

/* The workload's share of these. */
page_value page_of_copy, page_of_read, page_of_fill;

#endif
