/*
 * The tables of the page: of what the operators come to, and of the rows of each. Knows no device.
 */
#ifndef TALLY_CLI_BENCH_PAGE_TABLES_H
#define TALLY_CLI_BENCH_PAGE_TABLES_H

#include "cli/bench/page/results.h"
#include "cli/bench/results/file.h"

/* A line for each operator that was measured: mean, median and worst of its shares. */
void page_write_summary(bench_file *page, page_results *results);

/* The headings and the tables of all operators that were measured. */
void page_write_sections(bench_file *page, page_results *results);

#endif
