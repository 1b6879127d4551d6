/*
 * The workloads of tally bench reduce: a table of layouts, a table of operators for each set of
 * them, and their product in order. Plain descriptions; no device and no memory.
 */
#include "cli/bench_workloads.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- The tables ---------------------------------------------------------------------------- */

/* A size: a number, or a part of the 2^log2 elements, less a few. */
typedef struct extent {
    enum { FIXED, PART, HEIGHT, WIDTH } of; /* HEIGHT * WIDTH = all elements, as square as can be */
    uint64_t number;                        /* FIXED: the size; PART: what divides the elements */
    uint64_t less;
} extent;

typedef struct layout {
    const char *name;
    uint32_t rank;
    extent size[3];
    uint32_t axes;
    uint32_t skip;   /* elements before the first */
    bool transposed; /* two axes: a step along the first is a step in memory */
} layout;

/* clang-format off */
#define N(part) {PART, part, 0}
#define F(size) {FIXED, size, 0}
#define H       {HEIGHT, 0, 0}
#define W       {WIDTH, 0, 0}
static const layout regular[] = {
    {"1-D",          1, {N(1)},                    1, 0, false},
    {"rows",         2, {H, W},                    2, 0, false},
    {"columns",      2, {H, W},                    1, 0, false},
    {"middle",       3, {F(64), F(1024), N(65536)}, 2, 0, false},
    {"rows-16",      2, {N(16), F(16)},            2, 0, false},
    {"middle-16x16", 3, {N(256), F(16), F(16)},    2, 0, false},
    {"columns-64",   2, {N(64), F(64)},            1, 0, false},
    {"long-rows",    2, {F(64), N(64)},            2, 0, false},
    {"axes-0-2",     3, {N(1048576), F(1024), F(1024)}, 5, 0, false},
    {"columns-4",    2, {N(4), F(4)},              1, 0, false},
};
static const layout awkward[] = {
    {"odd-matrix",   2, {{HEIGHT, 0, 3}, {WIDTH, 0, 1}}, 3, 0, false},
    {"rows-15",      2, {N(15), F(15)},            2, 0, false},
    {"rows-100",     2, {N(100), F(100)},          2, 0, false},
    {"rows-1000",    2, {N(1000), F(1000)},        2, 0, false},
    {"inner-3",      3, {F(64), N(256), F(3)},     2, 0, false},
    {"offset-rows",  2, {H, W},                    2, 1, false},
    {"transposed",   2, {H, W},                    2, 0, true},
};
static const layout small[] = {
    {"small-1",      1, {F(1)},                    1, 0, false},
    {"small-1Ki",    1, {F(1024)},                 1, 0, false},
    {"small-64Ki",   1, {F(65536)},                1, 0, false},
};
#undef N
#undef F
#undef H
#undef W
/* clang-format on */

typedef struct reduction {
    tally_function function;
    tally_dtype dtype;
} reduction;

static const reduction every[] = {
    {TALLY_SUM, TALLY_F32}, {TALLY_MAX, TALLY_F32},     {TALLY_ARGMAX, TALLY_F32},
    {TALLY_L2, TALLY_F32},  {TALLY_AVERAGE, TALLY_F32}, {TALLY_LOG_SUM_EXP, TALLY_F32},
    {TALLY_SUM, TALLY_F16}, {TALLY_SUM, TALLY_F64},     {TALLY_SUM, TALLY_I64},
    {TALLY_MAX, TALLY_I8},
};
static const reduction sum_only[] = {{TALLY_SUM, TALLY_F32}};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const struct {
    const layout *layouts;
    size_t layout_count;
    const reduction *operators;
    size_t operator_count;
} sets[] = {
    {regular, COUNT(regular), every, COUNT(every)},
    {awkward, COUNT(awkward), sum_only, COUNT(sum_only)},
    {small, COUNT(small), sum_only, COUNT(sum_only)},
};

/* ---- One of them --------------------------------------------------------------------------- */

/* The size, 0 if there are too few elements for it. */
static uint64_t extent_size(const extent *given, int log2) {
    switch (given->of) {
    case FIXED:
        return given->number;
    case PART:
        return (UINT64_C(1) << log2) / given->number;
    case HEIGHT:
        return (UINT64_C(1) << log2 / 2) - given->less;
    case WIDTH:
        return (UINT64_C(1) << (log2 - log2 / 2)) - given->less;
    }
    return 0;
}

static bool fill_sizes(const layout *shape, int log2, tally_tensor *tensor) {
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

static void describe(const layout *shape, const reduction *work, bool is_small, int log2,
                     bench_workload *workload) {
    tally_reduce desc = TALLY_REDUCE_INIT;
    size_t element = tally_dtype_size(work->dtype);
    int own = element == 8 ? log2 - 1 : log2; /* wide elements: the same bytes */
    bool is_index = work->function == TALLY_ARGMAX || work->function == TALLY_ARGMIN;
    memset(workload, 0, sizeof *workload);
    workload->layout = shape->name;
    workload->small = is_small;
    desc.function = work->function;
    desc.axes = shape->axes;
    desc.input.dtype = work->dtype;
    while (!fill_sizes(shape, own + workload->missing_log2, &desc.input))
        workload->missing_log2++;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, is_index ? TALLY_I64 : work->dtype);
    workload->desc = desc;
    workload->offset = shape->skip * element;
    /* Neither fails: the tables hold legal tensors only. */
    tally_tensor_bytes(&desc.input, &workload->input_bytes, NULL);
    tally_tensor_bytes(&desc.output, &workload->output_bytes, NULL);
    snprintf(workload->name, sizeof workload->name, "%s %s %s", shape->name,
             tally_function_name(work->function), tally_dtype_name(work->dtype));
}

bool bench_workload_at(size_t index, int log2, bench_workload *workload) {
    for (size_t i = 0; i < COUNT(sets); i++) {
        size_t rows = sets[i].layout_count * sets[i].operator_count;
        if (index < rows) {
            describe(&sets[i].layouts[index / sets[i].operator_count],
                     &sets[i].operators[index % sets[i].operator_count], sets[i].layouts == small,
                     log2, workload);
            return true;
        }
        index -= rows;
    }
    return false;
}

bool bench_workload_any(const char *only) {
    bench_workload workload;
    for (size_t i = 0; bench_workload_at(i, BENCH_LOG2_MIN, &workload); i++)
        if (bench_workload_matches(&workload, only))
            return true;
    return false;
}

bool bench_workload_matches(const bench_workload *workload, const char *only) {
    return only == NULL || strstr(workload->name, only) != NULL;
}

/* ---- In words ------------------------------------------------------------------------------ */

void bench_workload_shape(const bench_workload *workload, char *text, size_t bytes) {
    const tally_tensor *input = &workload->desc.input;
    char axes[32] = "";
    size_t used = 0, axes_used = 0;
    for (uint32_t i = 0; i < input->rank; i++) {
        used += (size_t)snprintf(text + used, bytes - used, "%s%" PRIu64, i > 0 ? "x" : "",
                                 input->size[i]);
        if ((workload->desc.axes >> i & 1) != 0)
            axes_used += (size_t)snprintf(axes + axes_used, sizeof axes - axes_used, "%s%" PRIu32,
                                          axes_used > 0 ? "," : "", i);
    }
    snprintf(text + used, bytes - used, " {%s}", axes);
}
