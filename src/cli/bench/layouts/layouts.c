/*
 * tally bench layouts: one random problem after the other, size by size. Problems, sectors, times
 * and reports are in the files of their names.
 */
#include "cli/bench/layouts/layouts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench/layouts/report.h"

typedef struct bench_layouts {
    bench_layouts_options given; /* with a size */
    bench_subject only;
    layouts_session session;
    layouts_report report;
    uint32_t done, refused;
} bench_layouts;

/* ---- The problems -------------------------------------------------------------------------- */

/* What is done with each problem, and what is told of it. */
typedef int reporter(bench_layouts *all, const layouts_problem *problem, layouts_result *result,
                     cli_error *error);
typedef struct way {
    layouts_action *action;
    reporter *report;
    bool numbered; /* a line on stdout for each problem */
} way;

static int report_measured(bench_layouts *all, const layouts_problem *problem,
                           layouts_result *result, cli_error *error) {
    return layouts_report_row(&all->report, problem, result, error);
}

static int report_checked(bench_layouts *all, const layouts_problem *problem,
                          layouts_result *result, cli_error *error) {
    char text[LAYOUTS_TEXT_BYTES];
    (void)all;
    (void)error;
    layouts_describe(problem, text, sizeof text);
    if (result->refusal[0] != '\0')
        printf(" not run: %s: %s\n", result->refusal, text);
    else
        printf(" same  %s [%s]\n", text, result->schedules);
    fflush(stdout);
    return CLI_DONE;
}

static int report_nothing(bench_layouts *all, const layouts_problem *problem,
                          layouts_result *result, cli_error *error) {
    (void)all;
    (void)problem;
    (void)result;
    (void)error;
    return CLI_DONE;
}

static way way_of(const bench_layouts_options *given) {
    if (given->prepare)
        return (way){layouts_prepare, report_nothing, false};
    if (given->check)
        return (way){layouts_check, report_checked, true};
    return (way){layouts_measure, report_measured, true};
}

/* Put the problem before the sentence. */
static int name_problem(const layouts_problem *problem, int status, cli_error *error) {
    char text[LAYOUTS_TEXT_BYTES];
    layouts_describe(problem, text, sizeof text);
    cli_error_prefix(error, text, status);
    snprintf(text, sizeof text, "seed %" PRIu64 ", problem %" PRIu32 " of 2^%d bytes",
             problem->from.seed, problem->from.index, problem->from.log2);
    return cli_error_prefix(error, text, status);
}

static int run_problem(bench_layouts *all, const way *how, const layouts_problem *problem,
                       cli_error *error) {
    layouts_result result = {.plan = NULL};
    int status = CLI_DONE;
    if (how->numbered)
        layouts_report_start(problem);
    layouts_refuse(&all->session, problem, result.refusal);
    if (result.refusal[0] == '\0')
        status = how->action(&all->session, problem, &result, error);
    if (status == CLI_DONE)
        status = how->report(all, problem, &result, error);
    else
        name_problem(problem, status, error);
    if (how->numbered && status != CLI_DONE)
        printf("\n");
    all->done++;
    all->refused += result.refusal[0] != '\0';
    layouts_result_release(&result);
    return status;
}

/* The next problem of the part, from an index on; false behind the last. */
static bool draw_next(const bench_layouts *all, int log2, uint32_t *index,
                      layouts_problem *problem) {
    const layouts_request request = {all->given.seed, *index, log2, all->only};
    if (*index >= all->given.count)
        return false;
    layouts_draw(&request, problem);
    *index += all->given.parts;
    return true;
}

/* ---- Memory -------------------------------------------------------------------------------- */

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* As much as the largest problem needs, but for those that are refused. */
static int allocate(bench_layouts *all, cli_error *error) {
    uint64_t input = 0, output = 0;
    for (size_t i = 0; i < all->given.sizes; i++) {
        layouts_problem problem;
        uint32_t index = all->given.part;
        while (draw_next(all, all->given.log2[i], &index, &problem)) {
            char refusal[LAYOUTS_REFUSAL_BYTES];
            layouts_refuse(&all->session, &problem, refusal);
            if (refusal[0] != '\0')
                continue;
            input = larger(input, layouts_reach(&problem.input_placement, &problem.input));
            output = larger(output, layouts_reach(&problem.output_placement, &problem.output));
        }
    }
    return layouts_session_allocate(&all->session, input, output, error);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static int run_size(bench_layouts *all, int log2, cli_error *error) {
    const way how = way_of(&all->given);
    const bool times = !all->given.prepare && !all->given.check;
    layouts_problem problem;
    uint32_t index = all->given.part;
    int status = CLI_DONE;
    if (times)
        layouts_report_size(&all->report, log2);
    while (status == CLI_DONE && draw_next(all, log2, &index, &problem))
        status = run_problem(all, &how, &problem, error);
    return status == CLI_DONE && times ? layouts_report_sum(&all->report, log2, error) : status;
}

static int print_end(const bench_layouts *all, cli_error *error) {
    tally_stats stats = TALLY_STATS_INIT;
    tally_error refusal;
    if (tally_runtime_stats(all->session.device.runtime, &stats, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    if (all->given.prepare)
        printf("%" PRIu32 " problems prepared, %" PRIu32 " not run; %" PRIu64
               " programs compiled, %" PRIu64 " from the cache\n",
               all->done - all->refused, all->refused, stats.programs_built, stats.programs_loaded);
    else
        printf("%" PRIu32 " problems have the bytes of the generic kernels, %" PRIu32 " not run\n",
               all->done - all->refused, all->refused);
    return CLI_DONE;
}

static int open_all(bench_layouts *all, cli_error *error) {
    bench_layouts_options *given = &all->given;
    int status = layouts_report_open(&all->report, given->json, error);
    if (status == CLI_DONE)
        status = layouts_session_open(&all->session, given->common, given->check, error);
    if (status != CLI_DONE)
        return status;
    all->session.samples = given->samples;
    if (given->sizes == 0) {
        given->sizes = 1;
        given->log2[0] =
            device_is_cpu(all->session.device.id) ? LAYOUTS_LOG2_CPU : LAYOUTS_LOG2_GPU;
    }
    return given->prepare ? CLI_DONE : allocate(all, error);
}

static int run_all(bench_layouts *all, cli_error *error) {
    const bench_layouts_options *given = &all->given;
    const bool times = !given->prepare && !given->check;
    const layouts_asked asked = {given->seed, given->count,   given->part, given->parts,
                                 all->only,   given->samples, given->log2, given->sizes};
    int status = CLI_DONE;
    if (times)
        layouts_report_begin(&all->report, all->session.device.id, &asked);
    for (size_t i = 0; i < given->sizes && status == CLI_DONE; i++)
        status = run_size(all, given->log2[i], error);
    if (status != CLI_DONE)
        return status;
    return times ? layouts_report_end(&all->report, error) : print_end(all, error);
}

int bench_layouts_run(const bench_layouts_options *given, cli_error *error) {
    bench_layouts all = {.given = *given, .only = BENCH_SUBJECTS};
    for (bench_subject i = BENCH_REDUCE; given->only != NULL && i < BENCH_SUBJECTS; i++)
        if (strcmp(given->only, bench_subject_name(i)) == 0)
            all.only = i;
    if (given->only != NULL && all.only == BENCH_SUBJECTS)
        return cli_misuse(error, "--only %s: is no operator; there are: reduce scan diagonal",
                          given->only);
    if (given->json != NULL && (given->prepare || given->check))
        return cli_misuse(error, "--json %s: there are no times with --%s", given->json,
                          given->check ? "check" : "prepare");
    int status = open_all(&all, error);
    if (status == CLI_DONE)
        status = run_all(&all, error);
    layouts_report_close(&all.report);
    layouts_session_close(&all.session);
    return status;
}
