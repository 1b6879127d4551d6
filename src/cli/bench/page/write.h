/*
 * The page as a whole, from what was measured. Knows no device.
 */
#ifndef TALLY_CLI_BENCH_PAGE_WRITE_H
#define TALLY_CLI_BENCH_PAGE_WRITE_H

#include "cli/bench/page/results.h"
#include "cli/bench/results/file.h"

/* line: the command that the page is made by; only: as it was given, or NULL. */
void page_write(bench_file *page, page_results *results, const char *line, const char *only);

#endif
