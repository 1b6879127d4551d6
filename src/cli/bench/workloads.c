/*
 * The workloads of tally bench: the product of layouts and operations of each set, in order, with
 * sizes for a number of elements. Plain descriptions; no device and no memory.
 */
#include "cli/bench/workloads.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench/tables.h"
#include "cli/tables/functions.h"

/* ---- Sizes --------------------------------------------------------------------------------- */

/* The size, 0 if there are too few elements for it. */
static uint64_t extent_size(const bench_extent *given, int log2) {
    switch (given->of) {
    case BENCH_FIXED:
        return given->number;
    case BENCH_PART:
        return (UINT64_C(1) << log2) / given->number;
    case BENCH_HEIGHT:
        return (UINT64_C(1) << log2 / 2) - given->less;
    case BENCH_WIDTH:
        return (UINT64_C(1) << (log2 - log2 / 2)) - given->less;
    }
    return 0;
}

static bool fill_sizes(const bench_layout *shape, int log2, tally_tensor *tensor) {
    uint64_t size[TALLY_MAX_RANK] = {0};
    bool enough = true;
    for (uint32_t i = 0; i < shape->rank; i++) {
        size[i] = extent_size(&shape->size[i], log2);
        enough = enough && size[i] > 0;
    }
    *tensor = tally_tensor_packed(tensor->dtype, shape->rank, size);
    if (shape->transposed) {
        tensor->flags = TALLY_STRIDED;
        tensor->stride[0] = 1;
        tensor->stride[1] = size[0];
    }
    return enough;
}

/* What it takes in memory; it does not fail, as the tables hold legal tensors only. */
static uint64_t bytes_of(const tally_tensor *tensor) {
    uint64_t bytes = 0;
    tally_tensor_bytes(tensor, &bytes, NULL);
    return bytes;
}

/* All of the input and the output is read and written once. */
static void set_bytes(bench_workload *workload, const tally_tensor *output) {
    workload->input_bytes = bytes_of(&workload->tensor);
    workload->output_bytes = bytes_of(output);
    workload->bytes = workload->input_bytes + workload->output_bytes;
}

/* ---- Operators ----------------------------------------------------------------------------- */

static void describe_reduce(const bench_operation *work, bench_workload *workload) {
    tally_reduce *desc = &workload->desc.reduce;
    bool is_index = cli_function_is_index(work->function);
    *desc = (tally_reduce)TALLY_REDUCE_INIT;
    desc->function = work->function;
    desc->axes = workload->axes;
    desc->input = workload->tensor;
    desc->output =
        tally_tensor_reduced(&desc->input, desc->axes, is_index ? TALLY_I64 : work->dtype);
    set_bytes(workload, &desc->output);
}

static void describe_scan(const bench_operation *work, bench_workload *workload) {
    tally_cumulative *desc = &workload->desc.scan;
    *desc = (tally_cumulative)TALLY_CUMULATIVE_INIT;
    desc->function = work->function;
    while ((workload->axes >> desc->axis & 1) == 0)
        desc->axis++;
    desc->input = workload->tensor;
    desc->output = tally_tensor_packed(work->dtype, desc->input.rank, desc->input.size);
    desc->descending = work->reverse;
    desc->exclusive = work->exclusive;
    workload->in_place = work->in_place;
    set_bytes(workload, &desc->output);
}

/* Elements of the matrices that the fill leaves as they are in the input. */
static uint64_t elements_left(const tally_diagonal *desc) {
    const uint32_t rank = desc->output.rank;
    const int64_t rows = (int64_t)desc->output.size[rank - 2];
    const int64_t columns = (int64_t)desc->output.size[rank - 1];
    const bool inverted = desc->begin > desc->end;
    const int64_t low = inverted ? desc->end : desc->begin;
    const int64_t high = inverted ? desc->begin : desc->end;
    uint64_t inside = 0, matrices = 1;
    for (int64_t y = 0; y < rows; y++) {
        int64_t first = y + low < 0 ? 0 : y + low, behind = y + high;
        behind = behind > columns ? columns : behind;
        inside += behind > first ? (uint64_t)(behind - first) : 0;
    }
    for (uint32_t k = 0; k + 2 < rank; k++)
        matrices *= desc->output.size[k];
    return matrices * (inverted ? inside : (uint64_t)(rows * columns) - inside);
}

static void describe_diagonal(const bench_operation *work, bench_workload *workload) {
    tally_diagonal *desc = &workload->desc.diagonal;
    const tally_tensor *tensor = &workload->tensor;
    const int64_t quarter = (int64_t)(tensor->size[tensor->rank - 1] / 4);
    *desc = (tally_diagonal)TALLY_DIAGONAL_INIT;
    desc->output = *tensor;
    desc->value.f32 = work->value;
    desc->begin = work->begin.number + work->begin.quarters * quarter;
    desc->end = work->end.number + work->end.quarters * quarter;
    workload->output_bytes = bytes_of(tensor);
    workload->input_bytes = work->reads ? workload->output_bytes : 0;
    workload->bytes = workload->output_bytes;
    if (work->reads)
        workload->bytes += elements_left(desc) * tally_dtype_size(tensor->dtype);
}

/* ---- All of them --------------------------------------------------------------------------- */

static const struct {
    const bench_sets *its;
    void (*describe)(const bench_operation *work, bench_workload *workload);
} subjects[BENCH_SUBJECTS] = {
    [BENCH_REDUCE] = {&bench_sets_reduce, describe_reduce},
    [BENCH_SCAN] = {&bench_sets_scan, describe_scan},
    [BENCH_DIAGONAL] = {&bench_sets_diagonal, describe_diagonal},
};

static void describe(const bench_layout *shape, const bench_operation *work, bool is_small,
                     int log2, bench_workload *workload) {
    size_t element = tally_dtype_size(work->dtype);
    int own = element == 8 ? log2 - 1 : log2; /* wide elements: the same bytes */
    workload->layout = shape->name;
    workload->function = work->fill != NULL ? work->fill : tally_function_name(work->function);
    workload->small = is_small;
    workload->axes = shape->axes;
    workload->tensor.dtype = work->dtype;
    while (!fill_sizes(shape, own + workload->missing_log2, &workload->tensor))
        workload->missing_log2++;
    workload->offset = shape->skip * element;
    subjects[workload->subject].describe(work, workload);
    snprintf(workload->name, sizeof workload->name, "%s %s %s%s%s%s", shape->name,
             workload->function, tally_dtype_name(work->dtype), work->exclusive ? " exclusive" : "",
             work->reverse ? " reverse" : "", work->in_place ? " in-place" : "");
}

bool bench_workload_at(bench_subject subject, size_t index, int log2, bench_workload *workload) {
    memset(workload, 0, sizeof *workload);
    workload->subject = subject;
    const bench_sets *its = subjects[subject].its;
    for (size_t i = 0; i < its->count; i++) {
        const bench_set *of = &its->sets[i];
        size_t rows = of->layout_count * of->operation_count;
        if (index < rows) {
            describe(&of->layouts[index / of->operation_count],
                     &of->operations[index % of->operation_count], of->small, log2, workload);
            return true;
        }
        index -= rows;
    }
    return false;
}

size_t bench_workload_count(bench_subject subject, const char *only) {
    bench_workload workload;
    size_t count = 0;
    for (size_t i = 0; bench_workload_at(subject, i, BENCH_LOG2_MIN, &workload); i++)
        count += bench_workload_matches(&workload, only);
    return count;
}

bool bench_workload_matches(const bench_workload *workload, const char *only) {
    return only == NULL || strstr(workload->name, only) != NULL;
}

/* ---- In words ------------------------------------------------------------------------------ */

void bench_workload_shape(const bench_workload *workload, char *text, size_t bytes) {
    const tally_tensor *tensor = &workload->tensor;
    const tally_diagonal *band = &workload->desc.diagonal;
    char along[64] = "";
    size_t used = 0, along_used = 0;
    for (uint32_t i = 0; i < tensor->rank; i++) {
        used += (size_t)snprintf(text + used, bytes - used, "%s%" PRIu64, i > 0 ? "x" : "",
                                 tensor->size[i]);
        if ((workload->axes >> i & 1) != 0)
            along_used += (size_t)snprintf(along + along_used, sizeof along - along_used,
                                           "%s%" PRIu32, along_used > 0 ? "," : "", i);
    }
    if (workload->subject == BENCH_DIAGONAL)
        snprintf(along, sizeof along, "%" PRId64 ",%" PRId64, band->begin, band->end);
    snprintf(text + used, bytes - used, " {%s}", along);
}

const char *bench_shape_heading(bench_subject subject) {
    return subject == BENCH_DIAGONAL ? "size {begin,end}" : "size {axes}";
}
