/*
 * A random problem in words. Knows no device.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench/layouts/draw/draw.h"

typedef struct writer {
    char *at;
    size_t bytes, used;
} writer;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(writer *into, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(into->at + into->used, into->bytes - into->used, format, arguments);
    va_end(arguments);
    into->used += (size_t)length;
    if (into->used >= into->bytes)
        into->used = into->bytes - 1;
}

/* "[128,77,64]" */
static void add_sizes(writer *into, const tally_tensor *tensor) {
    for (uint32_t k = 0; k < tensor->rank; k++)
        add(into, "%s%" PRIu64, k > 0 ? "," : "[", tensor->size[k]);
    add(into, "]");
}

/* "/{0,2}" */
static void add_axes(writer *into, const layouts_problem *problem) {
    const char *separator = "";
    add(into, "/{");
    for (uint32_t k = 0; k < problem->input.rank; k++)
        if ((problem->axes >> k & 1) != 0) {
            add(into, "%s%" PRIu32, separator, k);
            separator = ",";
        }
    add(into, "}");
}

static void add_diagonal(writer *into, int64_t diagonal) {
    if (diagonal == INT64_MIN || diagonal == INT64_MAX)
        add(into, diagonal == INT64_MIN ? "min" : "max");
    else
        add(into, "%" PRId64, diagonal);
}

/* "/{-3,max}" */
static void add_band(writer *into, const layouts_problem *problem) {
    add(into, "/{");
    add_diagonal(into, problem->begin);
    add(into, ",");
    add_diagonal(into, problem->end);
    add(into, "}");
}

/* How a tensor lies in memory; nothing of a packed one. */
static void add_placement(writer *into, const layouts_placement *placement, uint32_t rank) {
    bool row_major = true;
    for (uint32_t k = 0; k < rank; k++)
        row_major = row_major && placement->order[k] == k;
    for (uint32_t k = 0; k < rank && !row_major; k++)
        add(into, "%s%" PRIu32, k > 0 ? "," : " order ", placement->order[k]);
    if (placement->repeated != LAYOUTS_NO_AXIS)
        add(into, " repeat %" PRIu32, placement->repeated);
    if (placement->padded != LAYOUTS_NO_AXIS)
        add(into, " pitch of %" PRIu32 " +%" PRIu64, placement->padded, placement->padding);
    if (placement->gap > 1)
        add(into, " step %" PRIu32, placement->gap);
    if (placement->offset > 0)
        add(into, " at %" PRIu64, placement->offset);
}

static void add_options(writer *into, const layouts_problem *problem) {
    const struct {
        bool said;
        const char *word;
    } words[] = {
        {problem->exclusive, "exclusive"},
        {problem->descending, "descending"},
        {problem->tie == TALLY_TIE_LAST, "tie last"},
        {problem->nan == TALLY_NAN_IGNORE, "nan ignore"},
        {problem->in_place, "in place"},
        {!problem->has_input, "no input"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].said)
            add(into, " %s", words[i].word);
}

void layouts_describe(const layouts_problem *problem, char *text, size_t bytes) {
    char arrow[LAYOUTS_TEXT_BYTES] = "";
    writer line = {.bytes = bytes}, target = {.at = arrow, .bytes = sizeof arrow};
    line.at = text;
    const bool fill = problem->subject == BENCH_DIAGONAL;
    add(&line, "%s %s%s%s ", bench_subject_name(problem->subject),
        layouts_function_name(problem->function), fill ? "" : " ",
        layouts_type_name(problem->input.dtype));
    add_sizes(&line, &problem->input);
    if (fill)
        add_band(&line, problem);
    else
        add_axes(&line, problem);
    add_options(&line, problem);
    if (problem->has_input)
        add_placement(&line, &problem->input_placement, problem->input.rank);
    if (problem->output.dtype != problem->input.dtype)
        add(&target, " %s", layouts_type_name(problem->output.dtype));
    if (!problem->in_place)
        add_placement(&target, &problem->output_placement, problem->output.rank);
    if (arrow[0] != '\0')
        add(&line, " ->%s", arrow);
}
