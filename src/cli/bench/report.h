/*
 * The results of tally bench as a table on stdout and as JSON in a file. Runs nothing.
 */
#ifndef TALLY_CLI_BENCH_REPORT_H
#define TALLY_CLI_BENCH_REPORT_H

#include "cli/bench/results/json.h"
#include "cli/bench/rows.h"

typedef struct bench_report {
    const bench_session *session;
    bench_file json;
    size_t rows;
    int heading; /* which columns the table shows */
} bench_report;

/* Open the file; fails if it cannot be written, before minutes of work. */
int bench_report_open(bench_report *report, const char *json_path, cli_error *error);

/* Shows what was measured on as the first lines, then each row. The report must stay. */
bench_listener bench_report_listener(bench_report *report);

/* The end of the JSON, and the file in its place. */
int bench_report_end(bench_report *report, cli_error *error);

/* Leave nothing of an unfinished file; a no-op after bench_report_end. */
void bench_report_close(bench_report *report);

#endif
