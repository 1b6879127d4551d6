/*
 * The style of the page: colours and widths. Knows classes, no contents.
 */
#ifndef TALLY_CLI_BENCH_PAGE_STYLE_H
#define TALLY_CLI_BENCH_PAGE_STYLE_H

/* Lines of CSS; the last one is NULL. */
extern const char *const page_style[];

#endif
