/*
 * tally bench report: a page of HTML on the speed of all operators.
 */
#ifndef TALLY_CLI_BENCH_PAGE_PAGE_H
#define TALLY_CLI_BENCH_PAGE_PAGE_H

#include "cli/bench/rows.h"

typedef struct page_options {
    bench_rows_options rows;
    const char *path;    /* "-": standard output, which then has no tables */
    const char *command; /* the line that asks for the page */
} page_options;

/* Fails before anything is measured if the page cannot be written. */
int page_run(const page_options *given, cli_error *error);

#endif
