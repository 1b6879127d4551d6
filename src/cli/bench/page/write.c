/*
 * The page as a whole: what was measured on, what the operators come to, their rows, and how it was
 * measured.
 */
#include "cli/bench/page/write.h"

#include <stdio.h>
#include <string.h>

#include "cli/bench/page/pieces.h"
#include "cli/bench/page/style.h"
#include "cli/bench/page/tables.h"
#include "cli/bench/results/number.h"

static const char *device_name(const page_results *results) {
    return results->head.device[0] != '\0' ? results->head.device : "a device without a name";
}

static void write_begin(bench_file *page, const page_results *results) {
    bench_file_add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, "
                         "initial-scale=1\">\n");
    PAGE_PUT(page, "<title>The speed of Tally on $</title>\n", device_name(results));
    bench_file_add(page, "<style>\n");
    for (size_t i = 0; page_style[i] != NULL; i++)
        bench_file_add(page, "%s\n", page_style[i]);
    bench_file_add(page, "</style>\n</head>\n<body>\n<main>\n");
    PAGE_PUT(page, "<h1>The speed of Tally on $</h1>\n", device_name(results));
}

/* ---- What was measured on ------------------------------------------------------------------ */

static void write_fact(bench_file *page, const char *name, const char *text) {
    if (text[0] != '\0')
        PAGE_PUT(page, "<tr><th scope=\"row\">$</th><td>$</td></tr>\n", name, text);
}

#define MICRO "\xc2\xb5" /* UTF-8 */

/* Numbers of all rows as a fact. */
static const struct {
    const char *name;
    page_value *value;
    int digits;
    const char *unit;
} measured[] = {
    {"Best copy (C)", page_copy, 1, "GB/s"},
    {"Best read (R)", page_read, 1, "GB/s"},
    {"Best fill (F)", page_fill, 1, "GB/s"},
    {"Empty kernel", page_empty_time, 1, MICRO "s"},
    {"Empty kernel, wall time", page_empty_wall, 1, MICRO "s"},
};

static void write_measured(bench_file *page, page_results *results) {
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const bench_stats found = page_results_stats(results, BENCH_SUBJECTS, measured[i].value);
        char median[BENCH_NUMBER_BYTES], least[BENCH_NUMBER_BYTES], most[BENCH_NUMBER_BYTES];
        char text[4 * BENCH_NUMBER_BYTES];
        bench_number_write(found.median, measured[i].digits, median);
        bench_number_write(found.worst, measured[i].digits, least);
        bench_number_write(found.best, measured[i].digits, most);
        snprintf(text, sizeof text, "median %s %s, %s to %s beside the workloads", median,
                 measured[i].unit, least, most);
        if (found.count > 0)
            write_fact(page, measured[i].name, text);
    }
}

static void write_facts(bench_file *page, page_results *results, const char *only) {
    const bench_head *head = &results->head;
    char text[128];
    bench_file_add(page, "<table class=\"facts\">\n<tbody>\n");
    write_fact(page, "Device", head->device);
    write_fact(page, "Driver", head->driver);
    write_fact(page, "OpenCL", head->opencl);
    snprintf(text, sizeof text, "%s, order version %u", head->tally, head->order_version);
    write_fact(page, "Tally", text);
    write_fact(page, "Date", head->date);
    write_fact(page, "Guaranteed bits", results->guaranteed);
    snprintf(text, sizeof text, "2^%d elements of 4 bytes, medians of %u samples", results->log2,
             (unsigned)results->samples);
    write_fact(page, "Workloads", text);
    if (only != NULL)
        PAGE_PUT(
            page,
            "<tr><th scope=\"row\">Only</th><td>workloads with \"$\" in their names</td></tr>\n",
            only);
    write_measured(page, results);
    bench_file_add(page, "</tbody>\n</table>\n");
}

/* ---- How it was measured ------------------------------------------------------------------- */

static const char method[] =
    "<h2 id=\"method\">How it was measured</h2>\n"
    "<p>A workload is a layout, a function and a type. Braces have the axes that are reduced or "
    "scanned, or the first diagonal that is filled and the one behind the last. Times are medians, "
    "on the device's clock, from the end of an empty kernel to the workload's own. GB/s are "
    "10<sup>9</sup> bytes in a second, of the bytes that must be read and written. C is the best "
    "copy: half of its bytes are read, half are written. R is the best kernel that only reads, F "
    "the best one that only writes.</p>\n"
    "<p>This command measures it once more:</p>\n";

void page_write(bench_file *page, page_results *results, const char *line, const char *only) {
    write_begin(page, results);
    write_facts(page, results, only);
    bench_file_add(
        page,
        "<h2 id=\"summary\">Shares of a copy</h2>\n"
        "<p>A share of 1 is the speed of the best copy of the device's memory (C), "
        "measured in turns with the workload. Bars end at %.2f, and the line in a bar is "
        "at 1.</p>\n",
        PAGE_BAR_END / 100.0);
    page_write_summary(page, results);
    page_write_sections(page, results);
    bench_file_write(page, method, strlen(method));
    PAGE_PUT(page, "<pre><code>$</code></pre>\n</main>\n</body>\n</html>\n", line);
}
