/*
 * What tally bench layouts found: a line for each problem, statistics and the worst problems on
 * stdout, and all of it as JSON in a file. Runs nothing.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_REPORT_H
#define TALLY_CLI_BENCH_LAYOUTS_REPORT_H

#include "cli/bench/results/json.h"
#include "cli/bench/layouts/run.h"
#include "cli/bench/results/stats.h"

/* A problem that was measured. */
typedef struct layouts_measured {
    layouts_problem problem;
    layouts_result result; /* its plan is the report's */
} layouts_measured;

#define LAYOUTS_GROUPS 5

/* What the groups of problems of a size come to. */
typedef struct layouts_sum {
    int log2;
    bench_stats groups[LAYOUTS_GROUPS];
} layouts_sum;

typedef struct layouts_report {
    bench_file json;
    layouts_measured *rows; /* of the size that is being measured */
    size_t count, capacity, refused;
    size_t written; /* rows of the JSON, of all sizes */
    layouts_sum sums[LAYOUTS_SIZES];
    size_t sizes;
} layouts_report;

/* What was asked for. */
typedef struct layouts_asked {
    uint64_t seed;
    uint32_t count, part, parts;
    bench_subject only;
    uint32_t samples;
    const int *log2;
    size_t sizes; /* at most LAYOUTS_SIZES */
} layouts_asked;

/* Open the file; fails if it cannot be written, before minutes of work. */
int layouts_report_open(layouts_report *report, const char *json_path, cli_error *error);

/* What is measured, and on what. */
void layouts_report_begin(layouts_report *report, cl_device_id id, const layouts_asked *asked);

/* The heading of a size. */
void layouts_report_size(layouts_report *report, int log2);

/* A problem's number before it runs, and the rest of the line after; takes the result's plan. */
void layouts_report_start(const layouts_problem *problem);
int layouts_report_row(layouts_report *report, const layouts_problem *problem,
                       layouts_result *result, cli_error *error);

/* The statistics of a size, and its worst problems. */
int layouts_report_sum(layouts_report *report, int log2, cli_error *error);

/* The end of the JSON, and the file in its place. */
int layouts_report_end(layouts_report *report, cli_error *error);

/* Leave nothing of an unfinished file; a no-op after layouts_report_end. */
void layouts_report_close(layouts_report *report);

/* ---- JSON ---------------------------------------------------------------------------------- */

/* A row: the problem with all that a peer needs to run it, and the result. */
void layouts_json_row(bench_file *json, const layouts_problem *problem,
                      const layouts_result *result);

#endif
