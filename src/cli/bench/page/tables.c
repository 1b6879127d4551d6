/*
 * The tables of the page.
 */
#include "cli/bench/page/tables.h"

#include <stdio.h>

#include "cli/bench/page/pieces.h"

static const char *const titles[BENCH_SUBJECTS] = {
    [BENCH_REDUCE] = "Reductions", [BENCH_SCAN] = "Scans", [BENCH_DIAGONAL] = "Diagonal fills"};

/* ---- What the operators come to ------------------------------------------------------------ */

static size_t count_refused(const page_section *section) {
    size_t refused = 0;
    for (size_t i = 0; i < section->count; i++)
        refused += section->rows[i].result.refusal[0] != '\0';
    return refused;
}

static void write_sum(bench_file *page, page_results *results, bench_subject subject) {
    const page_section *section = &results->sections[subject];
    const bench_stats shares = page_results_stats(results, subject, page_of_copy);
    const page_row *worst = page_results_worst(results, subject);
    const size_t refused = count_refused(section);
    const bool known = shares.count > 0;
    PAGE_PUT(page, "<tr><th scope=\"row\"><a href=\"#$\">$</a></th>", bench_subject_name(subject),
             titles[subject]);
    page_put_share(page, known ? shares.geometric_mean : -1);
    page_put_number(page, known ? shares.median : -1, 3);
    page_put_number(page, known ? shares.worst : -1, 3);
    PAGE_PUT(page, "<td>$</td>", worst != NULL ? worst->workload.name : "-");
    page_put_number(page, (double)(section->count - refused), 0);
    page_put_number(page, (double)refused, 0);
    bench_file_add(page, "</tr>\n");
}

void page_write_summary(bench_file *page, page_results *results) {
    static const struct {
        const char *heading;
        bool is_number;
    } columns[] = {{"operator", false}, {"geometric mean", false},     {"median", true},
                   {"worst", true},     {"the worst workload", false}, {"measured", true},
                   {"not run", true}};
    page_begin_table(page, "Shares of a copy, by operator");
    bench_file_add(page, "<thead><tr>");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        page_put_heading(page, columns[i].heading, columns[i].is_number);
    bench_file_add(page, "</tr></thead>\n<tbody>\n");
    for (bench_subject i = BENCH_REDUCE; i < BENCH_SUBJECTS; i++)
        if (results->sections[i].count > 0)
            write_sum(page, results, i);
    page_end_table(page);
}

/* ---- The rows of an operator --------------------------------------------------------------- */

typedef struct column {
    const char *heading; /* HTML */
    page_value *value;
    int digits;
    bool is_share;    /* with a bar */
    bool is_optional; /* shown only where a row of the operator has the number */
} column;

static const column large_columns[] = {{"time, &micro;s", page_time, 1, false, false},
                                       {"GB/s", page_rate, 2, false, false},
                                       {"of C", page_of_copy, 3, true, false},
                                       {"of R", page_of_read, 3, false, true},
                                       {"of F", page_of_fill, 3, false, true}};
static const column small_columns[] = {
    {"time, &micro;s", page_time, 1, false, false},
    {"empty kernel, &micro;s", page_empty_time, 1, false, false},
    {"wall time, &micro;s", page_wall, 1, false, false},
    {"empty kernel, wall, &micro;s", page_empty_wall, 1, false, false},
    {"ratio of wall times", page_of_empty, 2, false, false},
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
static const struct table {
    bool small;
    const char *label, *about;
    const column *columns;
    size_t count;
} tables[] = {
    {false, "by workload", "", large_columns, COUNT(large_columns)},
    {true, "small problems",
     "<p class=\"note\">Small problems, next to an empty kernel. A wall time is the host's, from "
     "enqueueing the work to its end.</p>\n",
     small_columns, COUNT(small_columns)},
};

static bool has_rows(const page_section *section, bool small) {
    for (size_t i = 0; i < section->count; i++)
        if (section->rows[i].workload.small == small)
            return true;
    return false;
}

static bool is_shown(const page_section *section, const column *shown) {
    for (size_t i = 0; i < section->count; i++)
        if (!shown->is_optional || shown->value(&section->rows[i].result) > 0)
            return true;
    return false;
}

/* Returns how many columns are shown. */
static size_t write_headings(bench_file *page, const page_section *section,
                             const struct table *of) {
    const bench_subject subject = section->rows[0].workload.subject;
    size_t shown = 0;
    bench_file_add(page, "<thead><tr>");
    page_put_heading(page, "workload", false);
    page_put_heading(page, bench_shape_heading(subject), false);
    page_put_heading(page, "type", false);
    for (size_t i = 0; i < of->count; i++)
        if (is_shown(section, &of->columns[i])) {
            page_put_heading(page, of->columns[i].heading, !of->columns[i].is_share);
            shown++;
        }
    bench_file_add(page, "</tr></thead>\n<tbody>\n");
    return shown;
}

static void write_numbers(bench_file *page, const page_section *section, const struct table *of,
                          const bench_result *result) {
    for (size_t i = 0; i < of->count; i++) {
        const column *shown = &of->columns[i];
        if (!is_shown(section, shown))
            continue;
        if (shown->is_share)
            page_put_share(page, shown->value(result));
        else
            page_put_number(page, shown->value(result), shown->digits);
    }
}

static void write_table(bench_file *page, const page_section *section, const struct table *of) {
    char label[128];
    snprintf(label, sizeof label, "%s, %s", titles[section->rows[0].workload.subject], of->label);
    bench_file_add(page, "%s", of->about);
    page_begin_table(page, label);
    const size_t columns = write_headings(page, section, of);
    for (size_t i = 0; i < section->count; i++) {
        const page_row *row = &section->rows[i];
        char shape[BENCH_SHAPE_BYTES];
        if (row->workload.small != of->small)
            continue;
        bench_workload_shape(&row->workload, shape, sizeof shape);
        PAGE_PUT(page, "<tr><th scope=\"row\">$</th><td>$</td><td>$</td>", row->workload.name,
                 shape, tally_dtype_name(row->workload.tensor.dtype));
        if (row->result.refusal[0] == '\0') {
            write_numbers(page, section, of, &row->result);
        } else {
            bench_file_add(page, "<td colspan=\"%zu\" class=\"refusal\">", columns);
            PAGE_PUT(page, "not run: $</td>", row->result.refusal);
        }
        bench_file_add(page, "</tr>\n");
    }
    page_end_table(page);
}

void page_write_sections(bench_file *page, page_results *results) {
    for (bench_subject i = BENCH_REDUCE; i < BENCH_SUBJECTS; i++) {
        const page_section *section = &results->sections[i];
        if (section->count == 0)
            continue;
        PAGE_PUT(page, "<h2 id=\"$\">$</h2>\n", bench_subject_name(i), titles[i]);
        for (size_t k = 0; k < COUNT(tables); k++)
            if (has_rows(section, tables[k].small))
                write_table(page, section, &tables[k]);
    }
}
