/*
 * A problem of tally bench layouts and its result as JSON. Runs nothing.
 */
#include <inttypes.h>

#include "cli/bench/layouts/report.h"

static const char *truth(bool is) {
    return is ? "true" : "false";
}

/* , "key": [1, 2, 3] */
static void add_numbers(bench_file *json, const char *key, const uint64_t *numbers,
                        uint32_t count) {
    bench_file_add(json, ", \"%s\": [", key);
    for (uint32_t k = 0; k < count; k++)
        bench_file_add(json, "%s%" PRIu64, k > 0 ? ", " : "", numbers[k]);
    bench_file_add(json, "]");
}

/* , "input": {"dtype": "f32", "size": [], "stride": [], "offset": 0, "reach": 0} */
static void add_tensor(bench_file *json, const char *key, const tally_tensor *tensor,
                       const layouts_placement *placement) {
    bench_file_add(json, ",\n   \"%s\": {\"dtype\": \"%s\"", key, layouts_type_name(tensor->dtype));
    add_numbers(json, "size", tensor->size, tensor->rank);
    add_numbers(json, "stride", tensor->stride, tensor->rank);
    bench_file_add(json, ", \"offset\": %" PRIu64 ", \"reach\": %" PRIu64 "}", placement->offset,
                   placement->offset + layouts_extent(tensor));
}

static void add_axes(bench_file *json, const layouts_problem *problem) {
    uint64_t axes[TALLY_MAX_RANK];
    uint32_t count = 0;
    for (uint32_t k = 0; k < problem->input.rank; k++)
        if ((problem->axes >> k & 1) != 0)
            axes[count++] = k;
    add_numbers(json, "axes", axes, count);
}

static void add_options(bench_file *json, const layouts_problem *problem) {
    if (problem->subject == BENCH_DIAGONAL)
        bench_file_add(json, ", \"begin\": %" PRId64 ", \"end\": %" PRId64, problem->begin,
                       problem->end);
    else
        add_axes(json, problem);
    bench_file_add(json,
                   ", \"exclusive\": %s, \"descending\": %s, \"in_place\": %s, \"tie\": \"%s\", "
                   "\"nan\": \"%s\"",
                   truth(problem->exclusive), truth(problem->descending), truth(problem->in_place),
                   problem->tie == TALLY_TIE_LAST ? "last" : "first",
                   problem->nan == TALLY_NAN_IGNORE ? "ignore" : "propagate");
}

static void add_result(bench_file *json, const layouts_result *result) {
    const struct {
        const char *key;
        double number;
    } numbers[] = {{"us", result->seconds * 1e6},
                   {"copy_us", result->copy_seconds * 1e6},
                   {"gbs", (double)result->bytes / result->seconds * 1e-9},
                   {"of_copy", result->share}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        bench_json_number(json, numbers[i].key, numbers[i].number);
    bench_file_add(json,
                   ", \"bytes\": %" PRIu64 ", \"repeats\": %" PRIu32 ", \"copy_repeats\": %" PRIu32
                   ", \"samples\": %" PRIu32 ", \"copy\": \"%s\",\n   ",
                   result->bytes, result->repeats, result->copy_repeats, result->samples,
                   result->copy);
    bench_json_text(json, "schedules", result->schedules);
    bench_file_add(json, ", ");
    bench_json_text(json, "plan", result->plan);
}

void layouts_json_row(bench_file *json, const layouts_problem *problem,
                      const layouts_result *result) {
    char text[LAYOUTS_TEXT_BYTES];
    layouts_describe(problem, text, sizeof text);
    bench_file_add(json, "{\"name\": \"%" PRIu32 "@%d\", \"index\": %" PRIu32 ", \"log2\": %d, ",
                   problem->from.index, problem->from.log2, problem->from.index,
                   problem->from.log2);
    bench_json_text(json, "description", text);
    bench_file_add(json, ",\n   \"operator\": \"%s\", \"function\": \"%s\"",
                   bench_subject_name(problem->subject), layouts_function_name(problem->function));
    add_options(json, problem);
    if (problem->has_input)
        add_tensor(json, "input", &problem->input, &problem->input_placement);
    add_tensor(json, "output", &problem->output, &problem->output_placement);
    if (result->refusal[0] != '\0') {
        bench_file_add(json, ", ");
        bench_json_text(json, "not_run", result->refusal);
    } else
        add_result(json, result);
    bench_file_add(json, "}");
}
