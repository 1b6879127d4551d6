/*
 * tally bench: how fast the operators run, next to what the device's memory can do. Knows the
 * options; workloads, limits, times and reports are in the files of their names.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench_report.h"
#include "cli/bench_run.h"
#include "cli/bench_start.h"
#include "cli/commands.h"
#include "cli/numbers.h"
#include "cli/progress.h"

#define SAMPLES_DEFAULT 21
#define SAMPLES_MAX 100000

typedef struct bench_options {
    common_options common;
    bench_subject subject; /* BENCH_SUBJECTS: start */
    const char *child;     /* of start: a row to do in this process; NULL: none */
    const char *json;      /* NULL: none */
    const char *only;      /* NULL: every row */
    int log2;              /* 0: the device's default */
    uint32_t samples;      /* 0: the benchmark's default */
} bench_options;

static int parse_subject(const char *text, void *into, cli_error *error) {
    for (bench_subject i = BENCH_REDUCE; i < BENCH_SUBJECTS; i++)
        if (strcmp(text, bench_subject_name(i)) == 0) {
            *(bench_subject *)into = i;
            return CLI_DONE;
        }
    *(bench_subject *)into = BENCH_SUBJECTS;
    if (strcmp(text, "start") == 0)
        return CLI_DONE;
    return cli_misuse(error, "is no benchmark; there are: reduce scan diagonal start");
}

static int parse_range(const char *text, const char *what, int64_t least, int64_t most,
                       int64_t *value, cli_error *error) {
    int status = number_signed(text, what, least, most, value, error);
    if (status == CLI_DONE && *value < least)
        return cli_misuse(error, "is below %" PRId64 ", the lowest %s", least, what);
    return status;
}

static int parse_log2(const char *text, void *into, cli_error *error) {
    int64_t value = 0;
    int status = parse_range(text, "log2", BENCH_LOG2_MIN, BENCH_LOG2_MAX, &value, error);
    *(int *)into = (int)value;
    return status;
}

static int parse_samples(const char *text, void *into, cli_error *error) {
    int64_t value = 0;
    int status = parse_range(text, "number of samples", 1, SAMPLES_MAX, &value, error);
    *(uint32_t *)into = (uint32_t)value;
    return status;
}

/* The empty text is in every name. */
static int parse_only(const char *text, void *into, cli_error *error) {
    (void)error;
    *(const char **)into = text;
    return CLI_DONE;
}

static const option operands[] = {
    {"WHAT", NULL,
     "what to measure: reduce, scan or diagonal; or start, the time to the\n"
     "first result of a process",
     parse_subject, offsetof(bench_options, subject), true},
};

static const option options[] = {
    {"log2", "K",
     "2^K elements of 4 bytes in each workload, 16 to 40; default: 28,\n"
     "on CPUs 25; not for start",
     parse_log2, offsetof(bench_options, log2), false},
    {"samples", "N", "samples that a median is of; default: 21, for start 5", parse_samples,
     offsetof(bench_options, samples), false},
    {"only", "PATTERN", "the rows with this in their names; default: all", parse_only,
     offsetof(bench_options, only), false},
    {"json", "FILE", "write the results to the file as well", value_text,
     offsetof(bench_options, json), false},
    {"child", "ROW", NULL, value_text, offsetof(bench_options, child), false},
};

/* Which rows there are depends on the benchmark, so that no parser can tell. */
static int check_only(const bench_options *given, cli_error *error) {
    char first[BENCH_NAME_MAX];
    bench_workload workload;
    if (given->subject == BENCH_SUBJECTS) {
        if (bench_start_any(given->only))
            return CLI_DONE;
        return cli_misuse(error, "--only %s: is in no row's name; names of start are such as '%s'",
                          given->only, "reduce sum");
    }
    if (bench_workload_any(given->subject, given->only))
        return CLI_DONE;
    bench_workload_at(given->subject, 0, BENCH_LOG2_MIN, &workload);
    snprintf(first, sizeof first, "%s", workload.name);
    return cli_misuse(error, "--only %s: is in no row's name; names of %s are such as '%s'",
                      given->only, bench_subject_name(given->subject), first);
}

/* What is measured, row by row; report and session are the caller's to close. */
static int measure(const bench_options *given, bench_session *session, bench_report *report,
                   cli_error *error) {
    bench_workload workload;
    bench_result result;
    const uint32_t samples = given->samples != 0 ? given->samples : SAMPLES_DEFAULT;
    int status = bench_report_open(report, given->json, error);
    if (status == CLI_DONE)
        status = bench_session_open(session, given->subject, &given->common, given->log2, samples,
                                    error);
    if (status == CLI_DONE)
        bench_report_begin(report, session);
    for (size_t i = 0;
         status == CLI_DONE && bench_workload_at(given->subject, i, session->log2, &workload);
         i++) {
        if (!bench_workload_matches(&workload, given->only))
            continue;
        status = bench_run(session, &workload, &result, error);
        if (status == CLI_DONE)
            bench_report_row(report, &workload, &result);
        else
            cli_error_prefix(error, workload.name, status);
    }
    return status == CLI_DONE ? bench_report_end(report, error) : status;
}

static int measure_start(const bench_options *given, cli_error *error) {
    const bench_start_options wanted = {.common = &given->common,
                                        .only = given->only,
                                        .json = given->json,
                                        .samples = given->samples != 0 ? given->samples
                                                                       : BENCH_START_SAMPLES};
    if (given->log2 != 0)
        return cli_misuse(error, "--log2 %d: start has sizes of its own", given->log2);
    return given->child != NULL ? bench_start_child(&given->common, given->child, error)
                                : bench_start_run(&wanted, error);
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    bench_options given = {.samples = 0};
    bench_session session = {0};
    bench_report report = {0};
    double began = progress_clock();
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = check_only(&given, error);
    if (status == CLI_DONE)
        status = given.subject == BENCH_SUBJECTS ? measure_start(&given, error)
                                                 : measure(&given, &session, &report, error);
    bench_report_close(&report);
    bench_session_close(&session);
    if (status == CLI_DONE && given.common.time)
        fprintf(stderr, "wall %.3f ms\n", (progress_clock() - began) * 1e3);
    return status;
}

const command command_bench = {
    .name = "bench",
    .synopsis = "WHAT",
    .summary = "Measure operators next to the device's memory",
    .notes =
        "A row is a layout, a function and a type, such as 'rows-16 sum f32'. Its time runs on\n"
        "the device's clock from the end of an empty kernel to its own, taken in turns with\n"
        "copies (C), for reduce reads (R) and for diagonal fills (F) of the same memory; small\n"
        "rows stand next to an empty kernel. The checksum is of both ends of the result: on\n"
        "equal data equal bits.\n",
    .operands = operands,
    .operand_count = sizeof operands / sizeof operands[0],
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .kind = COMMAND_COMPUTES,
    .run = run,
};
