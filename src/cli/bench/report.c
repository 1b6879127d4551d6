/*
 * The results of tally bench: a table on stdout, a row as soon as it is measured, and the same with
 * all limits as JSON in a file. Runs nothing.
 */
#include "cli/bench/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench/results/number.h"

/* ---- Limits -------------------------------------------------------------------------------- */

static const struct {
    char letter;      /* in the table */
    const char *name; /* in the JSON, and after "the best" */
} kinds[BENCH_LIMIT_KINDS] = {[BENCH_COPY] = {'C', "copy"},
                              [BENCH_READ] = {'R', "read"},
                              [BENCH_FILL] = {'F', "fill"},
                              [BENCH_COPY_SMALL] = {'S', "small copy"}};

/* Whether the benchmark has limits of the kind. */
static bool is_shown(const bench_report *report, size_t kind) {
    const bench_limits *limits = &report->session->limits;
    for (size_t i = 0; i < limits->count; i++)
        if (limits->limit[i].kind == (bench_limit_kind)kind)
            return true;
    return false;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void emit_times(bench_report *report, const char *prefix, const bench_times *times) {
    const struct {
        const char *key;
        double seconds;
    } all[] = {{"event_us", times->event},
               {"event_best_us", times->event_best},
               {"wall_us", times->wall},
               {"host_us", times->host}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s%s", prefix, all[i].key);
        bench_json_number(&report->json, key, all[i].seconds * 1e6);
    }
}

/* Rates in GB/s: 1e9 bytes per second. */
static void emit_rates(bench_report *report, const bench_result *result) {
    const bench_limits *limits = &report->session->limits;
    bench_json_number(&report->json, "gbs", result->rate * 1e-9);
    char key[64];
    for (size_t i = 0; i < BENCH_LIMIT_KINDS; i++) {
        if (!is_shown(report, i))
            continue;
        snprintf(key, sizeof key, "%s_gbs", kinds[i].name);
        bench_json_number(&report->json, key, result->best_rate[i] * 1e-9);
        snprintf(key, sizeof key, "of_%s", kinds[i].name);
        bench_json_number(&report->json, key, bench_ratio(result->rate, result->best_rate[i]));
    }
    for (size_t i = 0; i < limits->count; i++) {
        snprintf(key, sizeof key, "%s_gbs", limits->limit[i].name);
        bench_json_number(&report->json, key,
                          bench_ratio(limits->limit[i].bytes, result->limit_event[i]) * 1e-9);
    }
}

static const char *truth(bool is) {
    return is ? "true" : "false";
}

/* What is done to the tensor, by the description's own words. */
static void emit_operation(bench_report *report, const bench_workload *workload) {
    const tally_cumulative *scan = &workload->desc.scan;
    const tally_diagonal *band = &workload->desc.diagonal;
    if (workload->subject == BENCH_DIAGONAL)
        bench_file_add(&report->json,
                       ", \"begin\": %" PRId64 ", \"end\": %" PRId64 ", \"input\": %s", band->begin,
                       band->end, truth(workload->input_bytes > 0));
    else
        bench_file_add(&report->json, ", \"axes_mask\": %" PRIu32, workload->axes);
    if (workload->subject == BENCH_SCAN)
        bench_file_add(&report->json, ", \"exclusive\": %s, \"reverse\": %s, \"in_place\": %s",
                       truth(scan->exclusive), truth(scan->descending), truth(workload->in_place));
}

static void emit_row(bench_report *report, const bench_workload *workload,
                     const bench_result *result) {
    const tally_tensor *tensor = &workload->tensor;
    bench_file_add(&report->json, "%s\n  {", report->rows > 0 ? "," : "");
    bench_json_text(&report->json, "name", workload->name);
    bench_file_add(&report->json,
                   ", \"layout\": \"%s\", \"function\": \"%s\", \"dtype\": \"%s\", \"size\": [",
                   workload->layout, workload->function, tally_dtype_name(tensor->dtype));
    for (uint32_t i = 0; i < tensor->rank; i++)
        bench_file_add(&report->json, "%s%" PRIu64, i > 0 ? ", " : "", tensor->size[i]);
    if ((tensor->flags & TALLY_STRIDED) != 0) {
        bench_file_add(&report->json, "], \"stride\": [");
        for (uint32_t i = 0; i < tensor->rank; i++)
            bench_file_add(&report->json, "%s%" PRIu64, i > 0 ? ", " : "", tensor->stride[i]);
    }
    bench_file_add(&report->json, "]");
    emit_operation(report, workload);
    bench_file_add(&report->json, ", \"offset_bytes\": %" PRIu64 ", \"bytes\": %" PRIu64,
                   workload->offset, workload->bytes);
    if (result->refusal[0] != '\0') {
        bench_file_add(&report->json, ", ");
        bench_json_text(&report->json, "not_run", result->refusal);
    } else {
        emit_times(report, "", &result->times);
        if (workload->small)
            emit_times(report, "empty_", &result->empty);
        else
            emit_rates(report, result);
        bench_file_add(&report->json, ", \"checksum\": \"%016" PRIx64 "\"", result->checksum);
    }
    bench_file_add(&report->json, "}");
}

/* ---- The table ----------------------------------------------------------------------------- */

enum { HEADING_NONE, HEADING_LARGE, HEADING_SMALL };

static void print_heading(bench_report *report, int heading) {
    if (report->heading == heading)
        return;
    printf("%s%-32s %-22s ", report->heading != HEADING_NONE ? "\n" : "", "workload",
           bench_shape_heading(report->session->subject));
    if (heading == HEADING_LARGE) {
        printf("     GB/s");
        for (size_t i = 0; i < BENCH_LIMIT_KINDS; i++)
            if (is_shown(report, i))
                printf("       %c", kinds[i].letter);
        for (size_t i = 0; i < BENCH_LIMIT_KINDS; i++)
            if (is_shown(report, i))
                printf("   of %c", kinds[i].letter);
        printf("    event us     wall us");
    } else
        printf(" event us    empty    wall us    empty  ratio   host us    empty");
    printf("  checksum\n");
    report->heading = heading;
}

/* A space, and the number; "-" if it is not known. */
static void print_number(double number, int width, int digits) {
    char text[BENCH_NUMBER_BYTES];
    bench_number_write(number, digits, text);
    printf(" %*s", width, text);
}

static void print_large(const bench_report *report, const bench_result *result) {
    print_number(result->rate * 1e-9, 8, 2);
    for (size_t i = 0; i < BENCH_LIMIT_KINDS; i++)
        if (is_shown(report, i))
            print_number(result->best_rate[i] * 1e-9, 7, 1);
    for (size_t i = 0; i < BENCH_LIMIT_KINDS; i++)
        if (is_shown(report, i))
            print_number(bench_ratio(result->rate, result->best_rate[i]), 6, 3);
    print_number(result->times.event * 1e6, 11, 1);
    print_number(result->times.wall * 1e6, 11, 1);
}

static void print_small(const bench_result *result) {
    print_number(result->times.event * 1e6, 8, 1);
    print_number(result->empty.event * 1e6, 8, 1);
    print_number(result->times.wall * 1e6, 10, 1);
    print_number(result->empty.wall * 1e6, 8, 1);
    print_number(bench_ratio(result->times.wall, result->empty.wall), 6, 2);
    print_number(result->times.host * 1e6, 9, 2);
    print_number(result->empty.host * 1e6, 8, 2);
}

static void report_row(void *user, const bench_workload *workload, const bench_result *result) {
    bench_report *report = user;
    char shape[BENCH_SHAPE_BYTES];
    bench_workload_shape(workload, shape, sizeof shape);
    print_heading(report, workload->small ? HEADING_SMALL : HEADING_LARGE);
    printf("%-32s %-22s ", workload->name, shape);
    if (result->refusal[0] != '\0')
        printf(" not run: %s\n", result->refusal);
    else {
        if (workload->small)
            print_small(result);
        else
            print_large(report, result);
        printf("  %016" PRIx64 "\n", result->checksum);
    }
    fflush(stdout); /* a row shows when it is done; main tells if that fails */
    emit_row(report, workload, result);
    report->rows++;
}

/* ---- Beginning and end --------------------------------------------------------------------- */

int bench_report_open(bench_report *report, const char *json_path, cli_error *error) {
    memset(report, 0, sizeof *report);
    return bench_file_open(&report->json, json_path, error);
}

static void report_begin(void *user, const bench_session *session) {
    bench_report *report = user;
    report->session = session;
    bench_json_head(&report->json, session->device.id);
    printf("2^%d elements of 4 bytes, medians of %u samples;", session->log2,
           (unsigned)session->timer.samples);
    for (size_t i = 0; i < BENCH_LIMIT_KINDS; i++)
        if (is_shown(report, i))
            printf(" %c: the best %s,", kinds[i].letter, kinds[i].name);
    printf("\nGB/s of what has to be read and written\n\n");
    bench_file_add(
        &report->json, " \"benchmark\": \"%s\",\n \"log2\": %d,\n \"samples\": %u,\n \"rows\": [",
        bench_subject_name(session->subject), session->log2, (unsigned)session->timer.samples);
}

bench_listener bench_report_listener(bench_report *report) {
    return (bench_listener){report, report_begin, report_row};
}

int bench_report_end(bench_report *report, cli_error *error) {
    bench_file_add(&report->json, "\n ]}\n");
    return bench_file_end(&report->json, error);
}

void bench_report_close(bench_report *report) {
    bench_file_close(&report->json);
}
