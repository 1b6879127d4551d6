/*
 * The lines, statistics and worst problems of tally bench layouts. Runs nothing.
 */
#include "cli/bench/layouts/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORST 10

/* ---- Groups of problems -------------------------------------------------------------------- */

static bool is_log_sum_exp(const layouts_problem *problem) {
    return problem->function == TALLY_LOG_SUM_EXP;
}

static bool is_reduction(const layouts_problem *problem) {
    return problem->subject == BENCH_REDUCE && !is_log_sum_exp(problem);
}

static bool is_scan(const layouts_problem *problem) {
    return problem->subject == BENCH_SCAN;
}

static bool is_fill(const layouts_problem *problem) {
    return problem->subject == BENCH_DIAGONAL;
}

static bool is_any(const layouts_problem *problem) {
    (void)problem;
    return true;
}

/* LOG_SUM_EXP is apart, since its arithmetic takes longer than its memory. */
static const struct {
    const char *name;
    bool (*has)(const layouts_problem *problem);
} groups[LAYOUTS_GROUPS] = {{"reductions", is_reduction},
                            {"log_sum_exp", is_log_sum_exp},
                            {"scans", is_scan},
                            {"fills", is_fill},
                            {"all", is_any}};

/* ---- Lines --------------------------------------------------------------------------------- */

void layouts_report_begin(layouts_report *report, cl_device_id id, const layouts_asked *asked) {
    bench_json_head(&report->json, id);
    printf("seed %" PRIu64 ", medians of %" PRIu32 " samples; share: of a copy (C) of as many "
           "bytes, in sectors of 32\n",
           asked->seed, asked->samples);
    bench_file_add(&report->json,
                   " \"benchmark\": \"layouts\",\n \"seed\": %" PRIu64 ",\n \"count\": %" PRIu32
                   ",\n \"part\": [%" PRIu32 ", %" PRIu32 "],\n \"only\": %s%s%s,\n \"samples\": "
                   "%" PRIu32 ",\n \"log2\": [",
                   asked->seed, asked->count, asked->part, asked->parts,
                   asked->only < BENCH_SUBJECTS ? "\"" : "",
                   asked->only < BENCH_SUBJECTS ? bench_subject_name(asked->only) : "null",
                   asked->only < BENCH_SUBJECTS ? "\"" : "", asked->samples);
    for (size_t i = 0; i < asked->sizes; i++)
        bench_file_add(&report->json, "%s%d", i > 0 ? ", " : "", asked->log2[i]);
    bench_file_add(&report->json, "],\n \"rows\": [");
}

void layouts_report_size(layouts_report *report, int log2) {
    report->count = report->refused = 0;
    printf("\n2^%d bytes\n%5s %6s %9s %11s  %s\n", log2, "", "share", "GB/s", "us",
           "problem [schedules]");
}

/* A driver that ends the process is found by the number of the problem. */
void layouts_report_start(const layouts_problem *problem) {
    printf("%5" PRIu32, problem->from.index);
    fflush(stdout);
}

static void print_row(const layouts_problem *problem, const layouts_result *result) {
    char text[LAYOUTS_TEXT_BYTES];
    layouts_describe(problem, text, sizeof text);
    if (result->refusal[0] != '\0')
        printf(" not run: %s: %s\n", result->refusal, text);
    else
        printf(" %6.3f %9.2f %11.1f  %s [%s]\n", result->share,
               (double)result->bytes / result->seconds * 1e-9, result->seconds * 1e6, text,
               result->schedules);
    fflush(stdout);
}

static int keep(layouts_report *report, const layouts_problem *problem, layouts_result *result,
                cli_error *error) {
    if (report->count == report->capacity) {
        const size_t capacity = report->capacity > 0 ? 2 * report->capacity : 64;
        layouts_measured *rows = realloc(report->rows, capacity * sizeof *rows);
        if (rows == NULL)
            return cli_fail_memory(error, "the results");
        report->rows = rows;
        report->capacity = capacity;
    }
    report->rows[report->count++] = (layouts_measured){*problem, *result};
    result->plan = NULL;
    return CLI_DONE;
}

int layouts_report_row(layouts_report *report, const layouts_problem *problem,
                       layouts_result *result, cli_error *error) {
    print_row(problem, result);
    bench_file_add(&report->json, "%s\n  ", report->written++ > 0 ? "," : "");
    layouts_json_row(&report->json, problem, result);
    if (result->refusal[0] == '\0')
        return keep(report, problem, result, error);
    report->refused++;
    return CLI_DONE;
}

/* ---- Statistics ---------------------------------------------------------------------------- */

static void print_group(const char *name, const bench_stats *stats) {
    printf("%-12s %6zu", name, stats->count);
    if (stats->count > 0)
        printf(" %8.3f %8.3f %8.3f %8.3f", stats->geometric_mean, stats->median, stats->p10,
               stats->worst);
    printf("\n");
}

/* Of each group, with room for the shares of all. */
static void sum_groups(layouts_report *report, int log2, double *shares) {
    layouts_sum *sum = &report->sums[report->sizes++];
    sum->log2 = log2;
    printf("\n%-12s %6s %8s %8s %8s %8s\n", "share", "count", "geo.mean", "median", "p10", "worst");
    for (size_t g = 0; g < LAYOUTS_GROUPS; g++) {
        size_t count = 0;
        for (size_t i = 0; i < report->count; i++)
            if (groups[g].has(&report->rows[i].problem))
                shares[count++] = report->rows[i].result.share;
        sum->groups[g] = bench_stats_of(shares, count);
        print_group(groups[g].name, &sum->groups[g]);
    }
    if (report->refused > 0)
        printf("%-12s %6zu\n", "not run", report->refused);
}

static int by_share(const void *a, const void *b) {
    const layouts_measured *x = a, *y = b;
    return (x->result.share > y->result.share) - (x->result.share < y->result.share);
}

static void print_worst(const layouts_report *report, int log2) {
    printf("\nthe worst of 2^%d bytes\n", log2);
    for (size_t i = 0; i < report->count && i < WORST; i++) {
        const layouts_measured *row = &report->rows[i];
        char text[LAYOUTS_TEXT_BYTES];
        layouts_describe(&row->problem, text, sizeof text);
        printf("%5" PRIu32 " %6.3f  %s\n%s", row->problem.from.index, row->result.share, text,
               row->result.plan);
    }
}

static void forget_rows(layouts_report *report) {
    for (size_t i = 0; i < report->count; i++)
        layouts_result_release(&report->rows[i].result);
    report->count = 0;
}

int layouts_report_sum(layouts_report *report, int log2, cli_error *error) {
    double *shares = calloc(report->count + 1, sizeof *shares);
    if (shares == NULL)
        return cli_fail_memory(error, "the shares");
    sum_groups(report, log2, shares);
    free(shares);
    if (report->count > 0) {
        qsort(report->rows, report->count, sizeof *report->rows, by_share);
        print_worst(report, log2);
    }
    forget_rows(report);
    return CLI_DONE;
}

/* ---- Beginning and end --------------------------------------------------------------------- */

int layouts_report_open(layouts_report *report, const char *json_path, cli_error *error) {
    memset(report, 0, sizeof *report);
    return bench_file_open(&report->json, json_path, error);
}

static void emit_stats(bench_file *json, const char *name, const bench_stats *stats) {
    bench_file_add(json, ", \"%s\": {\"count\": %zu", name, stats->count);
    if (stats->count > 0) {
        bench_json_number(json, "geometric_mean", stats->geometric_mean);
        bench_json_number(json, "median", stats->median);
        bench_json_number(json, "p10", stats->p10);
        bench_json_number(json, "worst", stats->worst);
    }
    bench_file_add(json, "}");
}

int layouts_report_end(layouts_report *report, cli_error *error) {
    bench_file_add(&report->json, "\n ],\n \"statistics\": [");
    for (size_t i = 0; i < report->sizes; i++) {
        const layouts_sum *sum = &report->sums[i];
        bench_file_add(&report->json, "%s\n  {\"log2\": %d", i > 0 ? "," : "", sum->log2);
        for (size_t g = 0; g < LAYOUTS_GROUPS; g++)
            emit_stats(&report->json, groups[g].name, &sum->groups[g]);
        bench_file_add(&report->json, "}");
    }
    bench_file_add(&report->json, "\n ]}\n");
    return bench_file_end(&report->json, error);
}

void layouts_report_close(layouts_report *report) {
    forget_rows(report);
    free(report->rows);
    report->rows = NULL;
    bench_file_close(&report->json);
}
