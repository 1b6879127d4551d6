/*
 * A command line as text that a shell reads as the same arguments.
 */
#ifndef TALLY_CLI_BENCH_PAGE_COMMAND_H
#define TALLY_CLI_BENCH_PAGE_COMMAND_H

/* "tally bench" and the arguments, to be freed; NULL if there is no memory. */
char *page_command_line(int argc, char **argv);

#endif
