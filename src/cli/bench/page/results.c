/*
 * All that the page is made of, gathered while it is measured.
 */
#include "cli/bench/page/results.h"

#include <stdlib.h>
#include <string.h>

int page_results_open(page_results *results, const char *only, cli_error *error) {
    size_t all = 0;
    bool made = true;
    memset(results, 0, sizeof *results);
    for (bench_subject i = BENCH_REDUCE; i < BENCH_SUBJECTS; i++) {
        page_section *section = &results->sections[i];
        section->room = bench_workload_count(i, only);
        section->rows = calloc(section->room + 1, sizeof *section->rows);
        made = made && section->rows != NULL;
        all += section->room;
    }
    results->numbers = calloc(all + 1, sizeof *results->numbers);
    return made && results->numbers != NULL ? CLI_DONE : cli_fail_memory(error, "the results");
}

void page_results_close(page_results *results) {
    for (bench_subject i = BENCH_REDUCE; i < BENCH_SUBJECTS; i++)
        free(results->sections[i].rows);
    free(results->numbers);
    memset(results, 0, sizeof *results);
}

void page_results_begin(page_results *results, const bench_session *session) {
    results->log2 = session->log2;
    results->samples = session->timer.samples;
    if (results->guaranteed[0] != '\0')
        return; /* an operator before this one was on the same device */
    const verdict found = devices_verdicts[DEVICES_GUARANTEED_BITS].judge(session->device.runtime);
    verdict_write(&found, results->guaranteed);
    bench_head_make(&results->head, session->device.id);
}

void page_results_row(page_results *results, const bench_workload *workload,
                      const bench_result *result) {
    page_section *section = &results->sections[workload->subject];
    if (section->count < section->room)
        section->rows[section->count++] = (page_row){*workload, *result};
}

bench_stats page_results_stats(page_results *results, bench_subject subject, page_value *value) {
    size_t count = 0;
    for (bench_subject i = BENCH_REDUCE; i < BENCH_SUBJECTS; i++) {
        const page_section *section = &results->sections[i];
        if (subject != i && subject != BENCH_SUBJECTS)
            continue;
        for (size_t k = 0; k < section->count; k++) {
            const double number = value(&section->rows[k].result);
            if (number > 0)
                results->numbers[count++] = number;
        }
    }
    return bench_stats_of(results->numbers, count);
}

const page_row *page_results_worst(const page_results *results, bench_subject subject) {
    const page_section *section = &results->sections[subject];
    const page_row *worst = NULL;
    for (size_t i = 0; i < section->count; i++) {
        const double share = page_of_copy(&section->rows[i].result);
        if (share > 0 && (worst == NULL || share < page_of_copy(&worst->result)))
            worst = &section->rows[i];
    }
    return worst;
}
