/*
 * tally bench report: measures what tally bench reduce, scan and diagonal measure, shows their
 * tables meanwhile, and writes the page. What the page says is in the files beside this one.
 */
#include "cli/bench/page/page.h"

#include <stdio.h>
#include <string.h>

#include "cli/bench/page/results.h"
#include "cli/bench/page/write.h"
#include "cli/bench/report.h"
#include "cli/bench/results/file.h"

/* Both who shows rows and who gathers them listen. */
typedef struct both {
    page_results results;
    bench_report table;
    bool is_shown; /* the table */
} both;

static void begin_both(void *user, const bench_session *session) {
    both *all = user;
    const bench_listener table = bench_report_listener(&all->table);
    if (all->is_shown && all->results.samples > 0)
        putchar('\n'); /* behind the table of the operator before */
    if (all->is_shown)
        table.begin(table.user, session);
    page_results_begin(&all->results, session);
}

static void row_of_both(void *user, const bench_workload *workload, const bench_result *result) {
    both *all = user;
    const bench_listener table = bench_report_listener(&all->table);
    if (all->is_shown)
        table.row(table.user, workload, result);
    page_results_row(&all->results, workload, result);
}

static int measure_subject(both *all, bench_subject subject, const bench_rows_options *given,
                           cli_error *error) {
    const bench_listener listener = {all, begin_both, row_of_both};
    int status = bench_report_open(&all->table, NULL, error);
    if (status == CLI_DONE)
        status = bench_rows_measure(subject, given, &listener, error);
    bench_report_close(&all->table);
    return status;
}

static int measure_all(both *all, const bench_rows_options *given, cli_error *error) {
    int status = page_results_open(&all->results, given->only, error);
    for (bench_subject i = BENCH_REDUCE; i < BENCH_SUBJECTS && status == CLI_DONE; i++)
        if (all->results.sections[i].room > 0)
            status = measure_subject(all, i, given, error);
    return status;
}

int page_run(const page_options *given, cli_error *error) {
    both all = {.is_shown = strcmp(given->path, "-") != 0};
    bench_file page;
    int status = bench_file_open(&page, given->path, error);
    if (status == CLI_DONE)
        status = measure_all(&all, &given->rows, error);
    if (status == CLI_DONE) {
        page_write(&page, &all.results, given->command, given->rows.only);
        status = bench_file_end(&page, error);
    }
    page_results_close(&all.results);
    bench_file_close(&page);
    return status;
}
