/*
 * All that the page is made of, gathered while it is measured. Knows no HTML.
 */
#ifndef TALLY_CLI_BENCH_PAGE_RESULTS_H
#define TALLY_CLI_BENCH_PAGE_RESULTS_H

#include "cli/bench/page/values.h"
#include "cli/bench/results/head.h"
#include "cli/bench/results/stats.h"
#include "cli/devices/verdicts.h"

typedef struct page_row {
    bench_workload workload;
    bench_result result;
} page_row;

/* The rows of an operator. */
typedef struct page_section {
    page_row *rows;
    size_t count, room;
} page_section;

typedef struct page_results {
    bench_head head;
    char guaranteed[VERDICT_LINE_BYTES]; /* whether the device gives the guaranteed bits */
    int log2;
    uint32_t samples;
    page_section sections[BENCH_SUBJECTS];
    double *numbers; /* room for one of each row */
} page_results;

/* Room for the rows with the text in their names; NULL: for all. */
int page_results_open(page_results *results, const char *only, cli_error *error);
void page_results_close(page_results *results);

/* What is measured on, and a row of one of the operators. */
void page_results_begin(page_results *results, const bench_session *session);
void page_results_row(page_results *results, const bench_workload *workload,
                      const bench_result *result);

/* Statistics of a number of an operator's rows, or with BENCH_SUBJECTS of all that have it. */
bench_stats page_results_stats(page_results *results, bench_subject subject, page_value *value);

/* The operator's row with the lowest share of a copy; NULL: no row has a share. */
const page_row *page_results_worst(const page_results *results, bench_subject subject);

#endif
