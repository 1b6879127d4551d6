/*
 * tally bench calls: each row is a call, timed on the host's clock, one sample at a time. Rows take
 * turns, so that a change of the machine's mood meets all of them.
 */
#include "cli/bench/calls/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/calls/work.h"
#include "cli/bench/results/json.h"
#include "cli/bench/time.h"

/* Samples of a row before the next row has its turn. */
#define BLOCK 50

/* ---- Rows ---------------------------------------------------------------------------------- */

static bool is_wanted(size_t row, const char *only) {
    return only == NULL || strstr(calls_name(row), only) != NULL;
}

/* The next row that is wanted, from row on; CALLS_ROWS if there is none. */
static size_t next_row(size_t row, const char *only) {
    while (row < CALLS_ROWS && !is_wanted(row, only))
        row++;
    return row;
}

bool bench_calls_any(const char *only) {
    return next_row(0, only) < CALLS_ROWS;
}

/* ---- Measuring ----------------------------------------------------------------------------- */

/*
 * The samples of a row from the first up to the last, which is not among them. Afterwards the
 * device rests, so that no row waits for what another one has enqueued.
 */
static int take_block(calls_session *at, size_t row, uint32_t first, uint32_t last, double *samples,
                      cli_error *error) {
    int status = CLI_DONE;
    for (at->sample = first; at->sample < last && status == CLI_DONE; at->sample++)
        status = calls_make(at, row, &samples[at->sample], error);
    return status == CLI_DONE ? calls_rest(at, error) : status;
}

/* Blocks of all rows in turns; before them one sample of each, which makes the programs. */
static int take_samples(calls_session *at, const bench_calls_options *given, double *samples,
                        cli_error *error) {
    int status = CLI_DONE;
    uint32_t first = 0, last = 1;
    for (bool warm = false; first < given->samples && status == CLI_DONE; warm = true) {
        for (size_t row = next_row(0, given->only); row < CALLS_ROWS && status == CLI_DONE;
             row = next_row(row + 1, given->only))
            status = take_block(at, row, first, last, samples + row * given->samples, error);
        first = warm ? last : 0;
        last = given->samples - first < BLOCK ? given->samples : first + BLOCK;
    }
    return status;
}

static void report_row(bench_file *json, const char *name, double *samples, uint32_t count,
                       bool first) {
    const double median = bench_median(samples, count); /* sorts them */
    const double tenth = samples[count - 1 - count / 10];
    printf("%-24s %10.2f %10.2f\n", name, median * 1e6, tenth * 1e6);
    bench_file_add(json, "%s\n  {", first ? "" : ",");
    bench_json_text(json, "name", name);
    bench_json_number(json, "median_us", median * 1e6);
    bench_json_number(json, "p90_us", tenth * 1e6);
    bench_file_add(json, "}");
}

static int report(bench_file *json, const calls_session *at, const bench_calls_options *given,
                  double *samples, cli_error *error) {
    bool first = true;
    bench_json_head(json, at->device.id);
    printf("%-24s %10s %10s\n", "call", "median us", "p90 us");
    bench_file_add(json, " \"benchmark\": \"calls\",\n \"samples\": %u,\n \"rows\": [",
                   (unsigned)given->samples);
    for (size_t row = next_row(0, given->only); row < CALLS_ROWS;
         row = next_row(row + 1, given->only)) {
        report_row(json, calls_name(row), samples + row * given->samples, given->samples, first);
        first = false;
    }
    bench_file_add(json, "\n ]}\n");
    return bench_file_end(json, error);
}

int bench_calls_run(const bench_calls_options *given, cli_error *error) {
    calls_session at = {.sample = 0};
    bench_file json = {.path = NULL};
    double *samples = calloc((size_t)CALLS_ROWS * given->samples, sizeof *samples);
    if (samples == NULL)
        return cli_fail_memory(error, "the samples");
    int status = bench_file_open(&json, given->json, error);
    if (status == CLI_DONE)
        status = calls_session_open(&at, given->common, error);
    if (status == CLI_DONE)
        status = take_samples(&at, given, samples, error);
    if (status == CLI_DONE)
        status = report(&json, &at, given, samples, error);
    bench_file_close(&json);
    calls_session_close(&at);
    free(samples);
    return status;
}
