/*
 * The command line of tally bench as tables, and what of it does not go together. Measures nothing.
 */
#include "cli/bench/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench/calls/calls.h"
#include "cli/bench/start/start.h"
#include "cli/bench/workloads.h"
#include "cli/options/numbers.h"

#define SAMPLES_MAX 100000

static const bench_what whats[] = {
    {"reduce", BENCH_OF_WORKLOADS, BENCH_REDUCE},     {"scan", BENCH_OF_WORKLOADS, BENCH_SCAN},
    {"diagonal", BENCH_OF_WORKLOADS, BENCH_DIAGONAL}, {"start", BENCH_OF_START, BENCH_SUBJECTS},
    {"layouts", BENCH_OF_LAYOUTS, BENCH_SUBJECTS},    {"calls", BENCH_OF_CALLS, BENCH_SUBJECTS},
    {"devices", BENCH_OF_DEVICES, BENCH_SUBJECTS},    {"report", BENCH_OF_REPORT, BENCH_REDUCE}};
#define WHATS (sizeof whats / sizeof whats[0])

static int parse_what(const char *text, void *into, cli_error *error) {
    for (size_t i = 0; i < WHATS; i++)
        if (strcmp(text, whats[i].name) == 0) {
            *(const bench_what **)into = &whats[i];
            return CLI_DONE;
        }
    return cli_misuse(error, "is no benchmark; there are: reduce scan diagonal start layouts calls "
                             "devices report");
}

static int parse_range(const char *text, const char *what, int64_t least, int64_t most,
                       int64_t *value, cli_error *error) {
    int status = number_signed(text, what, least, most, value, error);
    if (status == CLI_DONE && *value < least)
        return cli_misuse(error, "is below %" PRId64 ", the lowest %s", least, what);
    return status;
}

/* Numbers between commas; the benchmark says which are too low or too high for it. */
static int parse_log2(const char *text, void *into, cli_error *error) {
    bench_log2_list *list = into;
    int status = CLI_DONE;
    do {
        char number[32];
        int64_t value = 0;
        const size_t length = strcspn(text, ",");
        snprintf(number, sizeof number, "%.*s", (int)length, text);
        status = parse_range(number, "log2", 0, BENCH_LOG2_MAX, &value, error);
        if (status == CLI_DONE && list->count == LAYOUTS_SIZES)
            return cli_misuse(error, "has more than %d numbers", LAYOUTS_SIZES);
        if (status == CLI_DONE)
            list->value[list->count++] = (int)value;
        text += length;
    } while (status == CLI_DONE && *text++ == ',');
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

static int parse_seed(const char *text, void *into, cli_error *error) {
    bench_number *seed = into;
    seed->given = true;
    return number_unsigned(text, "seed", UINT64_MAX, &seed->value, error);
}

static int parse_number(const char *text, const char *what, int64_t least, void *into,
                        cli_error *error) {
    bench_number *number = into;
    int64_t value = 0;
    int status = parse_range(text, what, least, BENCH_LAYOUTS_COUNT_MAX, &value, error);
    *number = (bench_number){true, (uint64_t)value};
    return status;
}

static int parse_count(const char *text, void *into, cli_error *error) {
    return parse_number(text, "number of problems", 1, into, error);
}

static int parse_index(const char *text, void *into, cli_error *error) {
    return parse_number(text, "problem", 0, into, error);
}

/* "2/8": the second of eight parts. */
static int parse_part(const char *text, void *into, cli_error *error) {
    bench_part *chosen = into;
    const char *slash = strchr(text, '/');
    char first[32];
    int64_t number = 0, of = 0;
    if (slash == NULL)
        return cli_misuse(error, "is not as 2/8, the second of eight parts");
    snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
    int status = parse_range(slash + 1, "number of parts", 1, BENCH_LAYOUTS_COUNT_MAX, &of, error);
    if (status == CLI_DONE)
        status = parse_range(first, "part", 1, of, &number, error);
    *chosen = (bench_part){(uint32_t)number, (uint32_t)of};
    return status;
}

const option bench_operands[] = {
    {"WHAT", NULL,
     "what to measure: reduce, scan or diagonal; layouts, random problems\n"
     "of all three; start, the time to the first result of a process;\n"
     "calls, the time that the library's calls take the host; devices,\n"
     "what several devices gain over one; or report, a page of the speeds\n"
     "of reduce, scan and diagonal",
     parse_what, offsetof(bench_options, what), true},
    {"PAGE", NULL,
     "of report: the HTML file to write, which needs no other files and\n"
     "no network; - is standard output",
     value_text, offsetof(bench_options, page), false},
};

const option bench_option_rows[] = {
    {"log2", "K",
     "2^K elements of 4 bytes in each workload, 16 to 40; default: 28,\n"
     "on CPUs 25. Of layouts 2^K bytes in the larger tensor, 12 to 40,\n"
     "or a list, 20,23,26,30; default: 30, on CPUs 27. Not for start and\n"
     "calls",
     parse_log2, offsetof(bench_options, log2), false},
    {"samples", "N",
     "samples that a median is of; default: 21, for start 5, for calls\n"
     "2001, for layouts 7, or one if a run takes longer than half a second",
     parse_samples, offsetof(bench_options, samples), false},
    {"only", "PATTERN",
     "the rows with this in their names; of layouts an operator: reduce,\n"
     "scan or diagonal; default: all",
     parse_only, offsetof(bench_options, only), false},
    {"json", "FILE", "write the results to the file as well", value_text,
     offsetof(bench_options, json), false},
    {"seed", "S", "of layouts: the seed of the problems; default: 1", parse_seed,
     offsetof(bench_options, seed), false},
    {"count", "N", "of layouts: problems 0 to N - 1 of the seed; default: 100", parse_count,
     offsetof(bench_options, count), false},
    {"index", "I", "of layouts: problem I alone", parse_index, offsetof(bench_options, index),
     false},
    {"part", "K/N", "of layouts: every N-th problem, from the K-th on; K from 1 to N", parse_part,
     offsetof(bench_options, part), false},
    {"prepare", NULL,
     "of layouts: make the operators, so that their kernels are in the\n"
     "cache, and run nothing; with --part several processes share that",
     value_flag, offsetof(bench_options, prepare), false},
    {"check", NULL,
     "of layouts: compare all bytes of the results with those of the\n"
     "generic kernels, and time nothing",
     value_flag, offsetof(bench_options, check), false},
    {"child", "ROW", NULL, value_text, offsetof(bench_options, child), false},
};

/* ---- What does not go together ------------------------------------------------------------- */

/* Whether a workload of what is measured has the text in its name. */
static bool has_workload(const bench_what *what, const char *only) {
    for (bench_subject i = BENCH_REDUCE; i < BENCH_SUBJECTS; i++)
        if ((what->kind == BENCH_OF_REPORT || i == what->subject) &&
            bench_workload_count(i, only) > 0)
            return true;
    return false;
}

/* Which rows there are depends on the benchmark, so that no parser can tell. */
static int check_only(const bench_options *given, cli_error *error) {
    char first[BENCH_NAME_MAX];
    bench_workload workload;
    if (given->what->kind == BENCH_OF_LAYOUTS)
        return CLI_DONE;
    if (given->what->kind == BENCH_OF_DEVICES)
        return given->only == NULL
                   ? CLI_DONE
                   : cli_misuse(error, "--only %s: devices has no rows to choose", given->only);
    if (given->what->kind == BENCH_OF_START || given->what->kind == BENCH_OF_CALLS) {
        const bool start = given->what->kind == BENCH_OF_START;
        if (start ? bench_start_any(given->only) : bench_calls_any(given->only))
            return CLI_DONE;
        return cli_misuse(error, "--only %s: is in no row's name; names of %s are such as '%s'",
                          given->only, given->what->name, start ? "reduce sum" : "create sum");
    }
    if (has_workload(given->what, given->only))
        return CLI_DONE;
    bench_workload_at(given->what->subject, 0, BENCH_LOG2_MIN, &workload);
    snprintf(first, sizeof first, "%s", workload.name);
    return cli_misuse(error, "--only %s: is in no row's name; names of %s are such as '%s'",
                      given->only, given->what->name, first);
}

/* The sizes within the benchmark's limits, and one alone but for layouts. */
static int check_log2(const bench_options *given, cli_error *error) {
    const bool layouts = given->what->kind == BENCH_OF_LAYOUTS;
    const int least = layouts ? LAYOUTS_LOG2_MIN : BENCH_LOG2_MIN;
    const int most = layouts ? LAYOUTS_LOG2_MAX : BENCH_LOG2_MAX;
    if (given->log2.count > 0 &&
        (given->what->kind == BENCH_OF_START || given->what->kind == BENCH_OF_CALLS))
        return cli_misuse(error, "--log2 %d: %s has sizes of its own", given->log2.value[0],
                          given->what->name);
    if (!layouts && given->log2.count > 1)
        return cli_misuse(error, "--log2 %d,%d: %s takes one size", given->log2.value[0],
                          given->log2.value[1], given->what->name);
    for (size_t i = 0; i < given->log2.count; i++)
        if (given->log2.value[i] < least || given->log2.value[i] > most)
            return cli_misuse(error, "--log2 %d: %s takes %d to %d", given->log2.value[i],
                              given->what->name, least, most);
    return CLI_DONE;
}

/* Options of layouts with another benchmark, and those that say which problems in two ways. */
static int check_layouts(const bench_options *given, cli_error *error) {
    const struct {
        const char *name;
        bool given;
    } own[] = {{"seed", given->seed.given},   {"count", given->count.given},
               {"index", given->index.given}, {"part", given->part.of > 0},
               {"prepare", given->prepare},   {"check", given->check}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i].given && given->what->kind != BENCH_OF_LAYOUTS)
            return cli_misuse(error, "--%s is for layouts, not for %s", own[i].name,
                              given->what->name);
    if (given->index.given && (given->count.given || given->part.of > 0))
        return cli_misuse(error, "--index %" PRIu64 " is one problem, and leaves nothing to --%s",
                          given->index.value, given->count.given ? "count" : "part");
    return CLI_DONE;
}

/* A report has its page, which no other benchmark has, instead of JSON. */
static int check_page(const bench_options *given, cli_error *error) {
    const bool report = given->what->kind == BENCH_OF_REPORT;
    if (report && given->page == NULL)
        return cli_misuse(error, "PAGE is missing");
    if (!report && given->page != NULL)
        return cli_misuse(error, "'%s' is one argument too many", given->page);
    if (report && given->json != NULL)
        return cli_misuse(error,
                          "--json %s: report writes a page; reduce, scan and diagonal write "
                          "JSON",
                          given->json);
    return CLI_DONE;
}

int bench_options_check(const bench_options *given, cli_error *error) {
    int status = check_page(given, error);
    if (status == CLI_DONE)
        status = check_layouts(given, error);
    if (status == CLI_DONE)
        status = check_log2(given, error);
    return status == CLI_DONE ? check_only(given, error) : status;
}
