/*
 * Pieces of HTML that the parts of the page have in common. Knows no results.
 */
#ifndef TALLY_CLI_BENCH_PAGE_PIECES_H
#define TALLY_CLI_BENCH_PAGE_PIECES_H

#include "cli/bench/results/file.h"

/*
 * HTML in which each $ is replaced by the next of the texts, which HTML's escapes make harmless.
 * There are as many of them.
 */
void page_put(bench_file *page, const char *html, const char *const texts[], size_t count);
#define PAGE_PUT(page, html, ...)                                                                  \
    page_put(page, html, (const char *const[]){__VA_ARGS__},                                       \
             sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *))

/* A table that scrolls by itself where it is wider than the screen; label: for screen readers. */
void page_begin_table(bench_file *page, const char *label);
void page_end_table(bench_file *page);

/* The heading of a column, as HTML. */
void page_put_heading(bench_file *page, const char *heading, bool is_number);

/* A cell with a number; "-" if it is negative, which stands for not known. */
void page_put_number(bench_file *page, double number, int digits);

/*
 * A cell with a share of a copy's speed: the number, and a bar that ends at a share of so many
 * hundredths. It is the same on all pages, so that they compare, and each page says it.
 */
#define PAGE_BAR_END 125
void page_put_share(bench_file *page, double share);

#endif
