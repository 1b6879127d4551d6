/*
 * tally bench: how fast the operators run, next to what the device's memory can do. Calls the
 * benchmark; options, workloads, limits, times and reports are in the files of their names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/calls/calls.h"
#include "cli/bench/devices/devices.h"
#include "cli/bench/options.h"
#include "cli/bench/page/command.h"
#include "cli/bench/page/page.h"
#include "cli/bench/report.h"
#include "cli/bench/rows.h"
#include "cli/bench/start/start.h"
#include "cli/commands.h"
#include "platform/system.h"

static bench_rows_options rows_options(const bench_options *given) {
    return (bench_rows_options){.common = &given->common,
                                .only = given->only,
                                .log2 = given->log2.value[0],
                                .samples =
                                    given->samples != 0 ? given->samples : BENCH_ROWS_SAMPLES};
}

static int measure_workloads(const bench_options *given, cli_error *error) {
    bench_report report = {0};
    const bench_listener listener = bench_report_listener(&report);
    const bench_rows_options wanted = rows_options(given);
    int status = bench_report_open(&report, given->json, error);
    if (status == CLI_DONE)
        status = bench_rows_measure(given->what->subject, &wanted, &listener, error);
    if (status == CLI_DONE)
        status = bench_report_end(&report, error);
    bench_report_close(&report);
    return status;
}

static int measure_report(const bench_options *given, cli_error *error) {
    const page_options wanted = {
        .rows = rows_options(given), .path = given->page, .command = given->command};
    return page_run(&wanted, error);
}

static int measure_start(const bench_options *given, cli_error *error) {
    const bench_start_options wanted = {.common = &given->common,
                                        .only = given->only,
                                        .json = given->json,
                                        .samples = given->samples != 0 ? given->samples
                                                                       : BENCH_START_SAMPLES};
    return given->child != NULL ? bench_start_child(&given->common, given->child, error)
                                : bench_start_run(&wanted, error);
}

static int measure_calls(const bench_options *given, cli_error *error) {
    const bench_calls_options wanted = {.common = &given->common,
                                        .only = given->only,
                                        .json = given->json,
                                        .samples = given->samples != 0 ? given->samples
                                                                       : BENCH_CALLS_SAMPLES};
    return bench_calls_run(&wanted, error);
}

static int measure_devices(const bench_options *given, cli_error *error) {
    const bench_devices_options wanted = {.common = &given->common,
                                          .json = given->json,
                                          .log2 = given->log2.value[0],
                                          .samples = given->samples != 0 ? given->samples
                                                                         : BENCH_DEVICES_SAMPLES};
    return bench_devices_run(&wanted, error);
}

static int measure_layouts(const bench_options *given, cli_error *error) {
    bench_layouts_options wanted = {
        .common = &given->common,
        .only = given->only,
        .json = given->json,
        .seed = given->seed.given ? given->seed.value : BENCH_LAYOUTS_SEED,
        .count = given->count.given ? (uint32_t)given->count.value : BENCH_LAYOUTS_COUNT,
        .part = given->part.of > 0 ? given->part.number - 1 : 0,
        .parts = given->part.of > 0 ? given->part.of : 1,
        .sizes = given->log2.count,
        .samples = given->samples != 0 ? given->samples : BENCH_LAYOUTS_SAMPLES,
        .prepare = given->prepare,
        .check = given->check};
    memcpy(wanted.log2, given->log2.value, sizeof wanted.log2);
    if (given->index.given) {
        wanted.part = (uint32_t)given->index.value;
        wanted.count = wanted.part + 1;
    }
    return bench_layouts_run(&wanted, error);
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    typedef int measurer(const bench_options *given, cli_error *error);
    static measurer *const measurers[] = {
        [BENCH_OF_WORKLOADS] = measure_workloads, [BENCH_OF_START] = measure_start,
        [BENCH_OF_LAYOUTS] = measure_layouts,     [BENCH_OF_CALLS] = measure_calls,
        [BENCH_OF_DEVICES] = measure_devices,     [BENCH_OF_REPORT] = measure_report};
    /* Parsing moves the arguments. */
    bench_options given = {.samples = 0, .command = page_command_line(argc, argv)};
    double began = tally_clock();
    if (given.command == NULL)
        return cli_fail_memory(error, "the command line");
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = bench_options_check(&given, error);
    if (status == CLI_DONE)
        status = measurers[given.what->kind](&given, error);
    if (status == CLI_DONE && given.common.time)
        fprintf(stderr, "wall %.3f ms\n", (tally_clock() - began) * 1e3);
    free(given.command);
    return status;
}

static const help_example examples[] = {
    {"tally bench reduce --only rows --json rows.json",
     "reductions of rows next to plain copies and reads"},
    {"tally bench layouts --seed 7 --count 20 --check", "random problems, whose bits are compared"},
    {"tally bench report speed.html", "a page of this device's speeds"},
    {"tally bench start", "the time to the first result, with the cache and without"},
    {NULL, NULL},
};

const command command_bench = {
    .name = "bench",
    .synopsis = "WHAT [PAGE]",
    .summary = "Measure operators next to the device's memory",
    .notes =
        "A row is a layout, a function and a type, such as 'rows-16 sum f32'. Its time runs on\n"
        "the device's clock from the end of an empty kernel to its own, taken in turns with\n"
        "copies (C), for reduce reads (R) and for diagonal fills (F) of the same memory; small\n"
        "rows stand next to an empty kernel. The checksum is of both ends of the result: on\n"
        "equal data equal bits.\n"
        "\n"
        "report measures the rows of reduce, scan and diagonal, and writes them to a page of HTML\n"
        "with the device, the shares of a copy as bars, and their geometric means. If PAGE is a\n"
        "file, the tables are shown as well.\n"
        "\n"
        "layouts draws problems from the distribution of docs/performance.md. Each is enqueued\n"
        "back to back, in turns with a copy of as many bytes as it must move; a share of 1 is\n"
        "the copy's speed. A seed gives the same problems on every machine.\n"
        "\n"
        "calls has the host's time for one call: of creating an operator of a new shape whose\n"
        "program is in memory, of enqueueing it, and of a bare enqueue beside it.\n"
        "\n"
        "devices has a sum and a running sum of 2^K float32, which lie on the devices already:\n"
        "on each device by itself, then on the first one, two and so on of --device all (the\n"
        "default) or --device 0,2. A ratio is the time of the first device to that of the row.\n",
    .operands = bench_operands,
    .operand_count = BENCH_OPERANDS,
    .options = bench_option_rows,
    .option_count = BENCH_OPTIONS,
    .examples = examples,
    .kind = COMMAND_COMPUTES,
    .run = run,
};
