/*
 * tally bench devices: each operator on each device by itself, then on the first, the first two,
 * and so on. Times are the host's, from the call to the end of all devices.
 */
#include "cli/bench/devices/devices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/bench/devices/work.h"
#include "cli/bench/results/json.h"
#include "cli/bench/time.h"

/* Runs before the first that counts. */
#define WARM 3

typedef struct bench {
    const bench_devices_options *given;
    devices_session at;
    bench_file json;
    double *samples;
    double alone;      /* of the operator, on the first device */
    uint32_t checksum; /* of its results there */
    bool first;        /* no row was written yet */
} bench;

static int measure(bench *of, bool scan, uint32_t first, uint32_t count, double *median,
                   uint32_t *checksum, cli_error *error) {
    devices_work work;
    double ignored = 0;
    int status = devices_work_open(&work, &of->at, scan, first, count, error);
    for (int i = 0; i < WARM && status == CLI_DONE; i++)
        status = devices_work_run(&work, &ignored, error);
    for (uint32_t i = 0; i < of->given->samples && status == CLI_DONE; i++)
        status = devices_work_run(&work, &of->samples[i], error);
    if (status == CLI_DONE)
        status = devices_work_checksum(&work, checksum, error);
    devices_work_close(&work);
    *median = bench_median(of->samples, of->given->samples);
    return status;
}

static void report(bench *of, const char *operator_name, const char *on, uint32_t count,
                   double median, uint32_t checksum) {
    const double ratio = of->alone / median;
    printf("%-12s %-12s %10.3f %8.3f  %08" PRIx32 "%s\n", operator_name, on, median * 1e3, ratio,
           checksum, checksum == of->checksum ? "" : "  other bits");
    fflush(stdout);
    bench_file_add(&of->json, "%s\n  {", of->first ? "" : ",");
    bench_json_text(&of->json, "operator", operator_name);
    bench_file_add(&of->json, ", ");
    bench_json_text(&of->json, "on", on);
    bench_json_number(&of->json, "devices", count);
    bench_json_number(&of->json, "median_us", median * 1e6);
    bench_json_number(&of->json, "ratio", ratio);
    bench_file_add(&of->json, ", \"checksum\": \"%08" PRIx32 "\"}", checksum);
    of->first = false;
}

/* A row: so many devices of tally/devices.h, or with 0 the one device by itself. */
static int measure_row(bench *of, bool scan, uint32_t first, uint32_t count, cli_error *error) {
    const char *name = scan ? "running sum" : "sum";
    double median = 0;
    uint32_t checksum = 0;
    char on[32];
    int status = measure(of, scan, first, count, &median, &checksum, error);
    if (status != CLI_DONE)
        return status;
    if (count == 0 && first == 0) {
        of->alone = median;
        of->checksum = checksum;
    }
    snprintf(on, sizeof on, "%s %" PRIu32, count == 0 ? "device" : "first",
             count == 0 ? first : count);
    report(of, name, on, count == 0 ? 1 : count, median, checksum);
    if (checksum != of->checksum)
        return cli_fail(error, "the %s on %s has other bits than on the first device", name, on);
    return CLI_DONE;
}

static int measure_rows(bench *of, cli_error *error) {
    int status = CLI_DONE;
    for (int scan = 0; scan < 2; scan++) {
        for (uint32_t i = 0; i < of->at.on.count && status == CLI_DONE; i++)
            status = measure_row(of, scan != 0, i, 0, error);
        for (uint32_t n = 1; n <= of->at.on.count && status == CLI_DONE; n++)
            status = measure_row(of, scan != 0, 0, n, error);
    }
    return status;
}

static void print_head(bench *of) {
    bench_json_head(&of->json, of->at.on.device[0].id);
    printf("%" PRIu64 " float32; medians of %u runs. A device reads, in GB/s:", of->at.elements,
           (unsigned)of->given->samples);
    for (uint32_t i = 0; i < of->at.on.count; i++)
        printf(" %.1f", of->at.speeds[i] * 1e-9);
    printf("\n\n%-12s %-12s %10s %8s  %s\n", "operator", "on", "ms", "ratio", "checksum");
    bench_file_add(&of->json,
                   " \"benchmark\": \"devices\",\n \"elements\": %" PRIu64
                   ",\n \"samples\": %u,\n \"speeds\": [",
                   of->at.elements, (unsigned)of->given->samples);
    for (uint32_t i = 0; i < of->at.on.count; i++)
        bench_file_add(&of->json, "%s%.6g", i > 0 ? ", " : "", of->at.speeds[i]);
    bench_file_add(&of->json, "],\n \"rows\": [");
}

int bench_devices_run(const bench_devices_options *given, cli_error *error) {
    bench of = {.given = given, .first = true};
    of.samples = calloc(given->samples, sizeof *of.samples);
    if (of.samples == NULL)
        return cli_fail_memory(error, "the samples");
    int status = bench_file_open(&of.json, given->json, error);
    if (status == CLI_DONE)
        status = devices_session_open(&of.at, given->common, given->log2, error);
    if (status == CLI_DONE) {
        print_head(&of);
        status = measure_rows(&of, error);
    }
    bench_file_add(&of.json, "\n ]}\n");
    if (status == CLI_DONE)
        status = bench_file_end(&of.json, error);
    bench_file_close(&of.json);
    devices_session_close(&of.at);
    free(of.samples);
    return status;
}
