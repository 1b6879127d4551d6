/*
 * test_schedules.c: who computes what changes no bit. The same problems are planned with each
 * family of kernels, and for invented GPUs of small groups, and run here; all outputs must be equal
 * byte for byte, also where a float's rounding depends on the order of its terms.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/operator.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/reference/order_check.h"
#include "support/share.h"

/* Each family on the device as it is, then the invented ones. */
static const struct device {
    tally_family family;
    uint64_t group_max; /* 0: the device's own */
} devices[] = {{TALLY_FAMILY_CPU, 0},
               {TALLY_FAMILY_GENERIC, 0},
               {TALLY_FAMILY_GPU, 0},
               {TALLY_FAMILY_GPU, 7},
               {TALLY_FAMILY_GPU, 1}};
#define DEVICES (sizeof devices / sizeof devices[0])

static tally_runtime *runtimes[DEVICES];

static void open_devices(void) {
    fixture_get();
    for (size_t i = 0; i < DEVICES; i++) {
        runtimes[i] = fixture_make_runtime_of(devices[i].family);
        if (devices[i].group_max != 0)
            runtimes[i]->device.limits.group_max = devices[i].group_max;
    }
}

static void close_devices(void) {
    for (size_t i = 0; i < DEVICES; i++)
        tally_runtime_release(runtimes[i]);
}

/* Enough for the largest problem below. */
#define ELEMENTS 600000u
#define BYTES (ELEMENTS * sizeof(float))

/* Terms of all magnitudes, so that no two orders of them sum to the same bits. */
static cl_mem make_input(void) {
    float *values = malloc(BYTES);
    uint32_t state = 12345;
    for (size_t i = 0; i < ELEMENTS; i++) {
        state = state * 1664525u + 1013904223u;
        float value = (float)(state >> 8) / 16777216.0f - 0.5f;
        values[i] = value * (float)(1u << (state % 17));
    }
    cl_mem buffer = fixture_make_buffer(values, BYTES);
    free(values);
    return buffer;
}

/* Run the operator, release it, and give its output's bytes, which the caller frees. */
static unsigned char *run(tally_op *op, cl_mem input, size_t offset, size_t bytes) {
    size_t scratch = tally_op_scratch_size(op);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    binding.input.buffer = input;
    binding.input.offset = offset;
    binding.output.buffer = fixture_make_buffer(NULL, bytes);
    binding.scratch.buffer = scratch > 0 ? fixture_make_buffer(NULL, scratch) : NULL;
    cl_command_queue queue = fixture_get()->queue;
    unsigned char *output = calloc(1, bytes); /* gaps of the output stay as they are */
    fixture_check(clEnqueueWriteBuffer(queue, binding.output.buffer, CL_TRUE, 0, bytes, output, 0,
                                       NULL, NULL));
    fixture_ok(tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error), &error,
               tally_op_describe(op));
    fixture_check(clEnqueueReadBuffer(queue, binding.output.buffer, CL_TRUE, 0, bytes, output, 0,
                                      NULL, NULL));
    clReleaseMemObject(binding.output.buffer);
    if (scratch > 0)
        clReleaseMemObject(binding.scratch.buffer);
    tally_op_release(op);
    return output;
}

static tally_op *make_reduce(tally_runtime *runtime, const void *desc) {
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_reduce_create(runtime, desc, &op, &error), &error, "tally_reduce_create");
    return op;
}

static tally_op *make_scan(tally_runtime *runtime, const void *desc) {
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    return op;
}

/* A view that begins so many bytes into the input. Returns how many of the devices planned a group
 * with its size compiled in. */
static int compare_at(tally_op *(*make)(tally_runtime *, const void *), const void *desc,
                      size_t offset, size_t bytes) {
    cl_mem input = make_input();
    unsigned char *expected = NULL;
    int teams = 0;
    for (size_t i = 0; i < DEVICES; i++) {
        tally_op *op = make(runtimes[i], desc);
        char plan[4096];
        strncpy(plan, tally_op_describe(op), sizeof plan - 1);
        plan[sizeof plan - 1] = '\0';
        teams += strstr(plan, "_g") != NULL; /* a group compiled in */
        unsigned char *output = run(op, input, offset, bytes);
        if (expected != NULL)
            ck_assert_msg(memcmp(output, expected, bytes) == 0, "other bits by the plan\n%s", plan);
        if (i == 0)
            expected = output;
        else
            free(output);
    }
    free(expected);
    clReleaseMemObject(input);
    return teams;
}

static int compare(tally_op *(*make)(tally_runtime *, const void *), const void *desc,
                   size_t bytes) {
    return compare_at(make, desc, 0, bytes);
}

static const uint64_t lengths[] = {1, 2, 63, 64, 127, 128, 129, 4095, 4096, 4097, 8191, 599999};

START_TEST(test_folds_agree) {
    static const tally_function functions[] = {TALLY_SUM, TALLY_LOG_SUM_EXP, TALLY_ARGMAX,
                                               TALLY_MIN};
    int teams = 0;
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            if (!share_has(f + i, 6))
                continue;
            uint64_t rows = ELEMENTS / lengths[i] < 5 ? ELEMENTS / lengths[i] : 5;
            uint64_t size[2] = {rows, lengths[i]};
            tally_reduce desc = TALLY_REDUCE_INIT;
            desc.function = functions[f];
            desc.input = tally_tensor_packed(TALLY_F32, 2, size);
            desc.axes = 2;
            tally_dtype type = desc.function == TALLY_ARGMAX ? TALLY_I64 : TALLY_F32;
            desc.output = tally_tensor_reduced(&desc.input, desc.axes, type);
            teams += compare(make_reduce, &desc, rows * tally_dtype_size(type));
        }
    }
    ck_assert_int_gt(teams, 0);
}
END_TEST

/* Two swept groups with a kept axis between them, longer than a block each. */
START_TEST(test_groups_of_axes_agree) {
    uint64_t size[3] = {33, 3, 5000};
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_F32, 3, size);
    desc.axes = 5;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    ck_assert_int_gt(compare(make_reduce, &desc, 3 * sizeof(float)), 0);
    desc.function = TALLY_ARGMAX;
    desc.output.dtype = TALLY_I64;
    ck_assert_int_gt(compare(make_reduce, &desc, 3 * sizeof(int64_t)), 0);
}
END_TEST

/* Terms a fixed stride apart, inside outputs of every width: of each function every other pair. */
START_TEST(test_columns_agree) {
    static const uint64_t inner[] = {2, 3, 4, 16, 31, 64, 100, 1000};
    static const uint64_t terms[] = {1, 2, 16, 17, 127, 129, 1024, 4097};
    static const tally_function functions[] = {TALLY_SUM, TALLY_LOG_SUM_EXP, TALLY_ARGMAX};
    int teams = 0;
    for (size_t f = 0; f < 3; f++) {
        for (size_t i = 0; i < 8 * 8; i++) {
            uint64_t rest = ELEMENTS / (inner[i % 8] * terms[i / 8]);
            uint64_t size[3] = {rest < 70 ? rest : 70, terms[i / 8], inner[i % 8]};
            if (rest == 0 || (f + i / 8 + i % 8) % 2 != 0 || !share_has(f + i / 2, 7))
                continue;
            tally_reduce desc = TALLY_REDUCE_INIT;
            desc.function = functions[f];
            desc.input = tally_tensor_packed(TALLY_F32, 3, size);
            desc.axes = 2;
            tally_dtype type = desc.function == TALLY_ARGMAX ? TALLY_I64 : TALLY_F32;
            desc.output = tally_tensor_reduced(&desc.input, desc.axes, type);
            teams += compare(make_reduce, &desc, size[0] * size[2] * tally_dtype_size(type));
        }
    }
    ck_assert_int_gt(teams, 0);
}
END_TEST

/*
 * Few columns without a gap, which sets take, from the second element on: of numbers that fill no
 * pack, with fewer terms than lanes, and with more than a block.
 */
START_TEST(test_sets_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } kinds[] = {{TALLY_SUM, TALLY_F16},   {TALLY_L2, TALLY_F32},  {TALLY_MULTIPLY, TALLY_F64},
                 {TALLY_ARGMIN, TALLY_U8}, {TALLY_MAX, TALLY_F16}, {TALLY_SUM, TALLY_I64}};
    static const uint64_t sizes[][3] = {{300, 9, 7},   {70, 130, 3}, {9, 4097, 5},
                                        {40, 200, 16}, {50, 17, 2},  {6, 500, 31}};
    for (size_t i = 0; i < 6 * 6; i++) {
        const size_t k = i / 6;
        const bool indexed = kinds[k].function == TALLY_ARGMIN;
        if ((k + i) % 2 != 0 || !share_has(k, 5))
            continue;
        tally_reduce desc = TALLY_REDUCE_INIT;
        desc.function = kinds[k].function;
        desc.tie = indexed ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
        desc.input = tally_tensor_packed(kinds[k].dtype, 3, sizes[i % 6]);
        desc.axes = 2;
        const tally_dtype type = indexed ? TALLY_I64 : kinds[k].dtype;
        desc.output = tally_tensor_reduced(&desc.input, desc.axes, type);
        compare_at(make_reduce, &desc, tally_dtype_size(kinds[k].dtype),
                   sizes[i % 6][0] * sizes[i % 6][2] * tally_dtype_size(type));
    }
}
END_TEST

/* Types of each width, rows and columns apart and not by turns, from the second element on. */
START_TEST(test_types_and_layouts_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } kinds[] = {{TALLY_SUM, TALLY_F16}, {TALLY_AVERAGE, TALLY_F64}, {TALLY_SUM, TALLY_I64},
                 {TALLY_MAX, TALLY_I8},  {TALLY_ARGMIN, TALLY_U32},  {TALLY_ARGMAX, TALLY_F64},
                 {TALLY_L2, TALLY_F32}};
    static const struct {
        uint64_t size[2], stride[2];
        uint32_t axes;
    } layouts[] = {{{40, 1000}, {1000, 1}, 2}, {{40, 1000}, {1001, 1}, 1}, {{999, 15}, {15, 1}, 2},
                   {{999, 15}, {17, 1}, 2},    {{300, 100}, {100, 1}, 2},  {{5000, 3}, {3, 1}, 1},
                   {{50, 7}, {7, 1}, 1},       {{99, 77}, {77, 1}, 1},     {{99, 77}, {1, 99}, 1},
                   {{1000, 40}, {1, 1000}, 2}, {{130, 70}, {150, 2}, 2}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t i = k % 2; i < sizeof layouts / sizeof layouts[0]; i += 2) {
            if (!share_has(k / 2 + i / 2, 5))
                continue;
            tally_reduce desc = TALLY_REDUCE_INIT;
            const bool indexed =
                kinds[k].function == TALLY_ARGMIN || kinds[k].function == TALLY_ARGMAX;
            desc.function = kinds[k].function;
            desc.tie = indexed ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
            desc.input = tally_tensor_packed(kinds[k].dtype, 2, layouts[i].size);
            desc.input.flags |= TALLY_STRIDED;
            memcpy(desc.input.stride, layouts[i].stride, sizeof layouts[i].stride);
            desc.axes = layouts[i].axes;
            const tally_dtype type = indexed ? TALLY_I64 : kinds[k].dtype;
            desc.output = tally_tensor_reduced(&desc.input, desc.axes, type);
            const uint64_t outputs = layouts[i].size[desc.axes == 1];
            compare_at(make_reduce, &desc, tally_dtype_size(kinds[k].dtype),
                       outputs * tally_dtype_size(type));
        }
}
END_TEST

/*
 * Nothing is swept: each function by turns over elements side by side, with gaps, in another order
 * with rows of one element and of two, and apart on both sides.
 */
START_TEST(test_maps_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } kinds[] = {{TALLY_SUM_SQUARE, TALLY_F16},  {TALLY_LOG_SUM, TALLY_F32}, {TALLY_MAX, TALLY_I8},
                 {TALLY_LOG_SUM_EXP, TALLY_F64}, {TALLY_L1, TALLY_I32},      {TALLY_MIN, TALLY_F16},
                 {TALLY_AVERAGE, TALLY_F32},     {TALLY_ARGMAX, TALLY_I16}};
    static const struct {
        uint64_t size[3], in[3], out[3];
    } layouts[] = {{{1, 99, 101}, {0, 101, 1}, {0, 101, 1}},
                   {{7, 9, 30}, {300, 33, 1}, {270, 30, 1}},
                   {{1, 99, 101}, {0, 1, 99}, {0, 101, 1}},
                   {{70, 80, 2}, {2, 140, 1}, {160, 2, 1}},
                   {{9, 50, 11}, {1100, 22, 2}, {1650, 33, 3}}};
    const size_t kinds_count = sizeof kinds / sizeof kinds[0];
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        for (size_t k = i % 2; k < kinds_count; k += 2) {
            if (!share_has(k / 2 + i / 2, 5))
                continue;
            tally_reduce desc = TALLY_REDUCE_INIT;
            const bool indexed = kinds[k].function == TALLY_ARGMAX;
            desc.function = kinds[k].function;
            desc.input = tally_tensor_packed(kinds[k].dtype, 3, layouts[i].size);
            desc.output =
                tally_tensor_packed(indexed ? TALLY_I64 : kinds[k].dtype, 3, layouts[i].size);
            desc.input.flags |= TALLY_STRIDED;
            desc.output.flags |= TALLY_STRIDED;
            memcpy(desc.input.stride, layouts[i].in, sizeof layouts[i].in);
            memcpy(desc.output.stride, layouts[i].out, sizeof layouts[i].out);
            uint64_t reach = 1;
            for (int axis = 0; axis < 3; axis++)
                reach += (layouts[i].size[axis] - 1) * layouts[i].out[axis];
            compare_at(make_reduce, &desc, tally_dtype_size(kinds[k].dtype),
                       reach * tally_dtype_size(desc.output.dtype));
        }
}
END_TEST

/* Where nothing is better than a term that is not there, one that is there wins. */
START_TEST(test_positions_are_of_terms) {
    static const uint64_t sizes[][2] = {{100, 70}, {70, 100}, {4100, 5}, {5, 4100}, {33, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] * 4; i++) {
        if (!share_has(i / 4 + i % 4, 4))
            continue;
        tally_reduce desc = TALLY_REDUCE_INIT;
        desc.function = TALLY_ARGMIN;
        desc.tie = (i & 1) != 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
        desc.input = tally_tensor_packed(TALLY_U8, 2, sizes[i / 4]);
        desc.axes = (i & 2) != 0 ? 2 : 1;
        desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_I32);
        compare_at(make_reduce, &desc, 1, sizes[i / 4][desc.axes == 1] * sizeof(int32_t));
        desc.function = TALLY_ARGMAX;
        desc.input.flags |= TALLY_STRIDED; /* one element over and over: all terms are tied */
        desc.input.stride[0] = desc.input.stride[1] = 0;
        compare_at(make_reduce, &desc, 1, sizes[i / 4][desc.axes == 1] * sizeof(int32_t));
    }
}
END_TEST

START_TEST(test_scans_agree) {
    int teams = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (int option = 0; option < 4; option++) {
            if (!share_has(i + (size_t)option, 2))
                continue;
            uint64_t rows = ELEMENTS / lengths[i] < 3 ? ELEMENTS / lengths[i] : 3;
            uint64_t size[2] = {rows, lengths[i]};
            tally_cumulative desc = TALLY_CUMULATIVE_INIT;
            desc.function = TALLY_SUM;
            desc.input = desc.output = tally_tensor_packed(TALLY_F32, 2, size);
            desc.axis = 1;
            desc.exclusive = (option & 1) != 0;
            desc.descending = (option & 2) != 0;
            teams += compare(make_scan, &desc, rows * lengths[i] * sizeof(float));
        }
    }
    ck_assert_int_gt(teams, 0);
}
END_TEST

START_TEST(test_scans_of_columns_agree) {
    static const uint64_t terms[] = {300, 4097, 14000};
    int teams = 0;
    for (int i = 0; i < 12; i++) {
        const uint64_t size[2] = {terms[i / 4], 41};
        tally_cumulative desc = TALLY_CUMULATIVE_INIT;
        desc.function = TALLY_SUM;
        desc.input = desc.output = tally_tensor_packed(TALLY_F32, 2, size);
        desc.axis = 0;
        desc.exclusive = (i & 1) != 0;
        desc.descending = (i & 2) != 0;
        teams += compare(make_scan, &desc, size[0] * size[1] * sizeof(float));
    }
    ck_assert_int_gt(teams, 0);
}
END_TEST

/* Rows and columns of each kind for CPUs, and columns that become rows, every way. */
START_TEST(test_layouts_of_scans_agree) {
    static const struct {
        uint64_t size[2], in[2], out[2];
        uint32_t axis;
    } layouts[] = {{{40, 1003}, {1003, 1}, {1003, 1}, 1}, {{40, 1003}, {1009, 1}, {1005, 1}, 1},
                   {{999, 15}, {15, 1}, {15, 1}, 1},      {{999, 37}, {39, 1}, {38, 1}, 1},
                   {{77, 128}, {128, 1}, {128, 1}, 1},    {{4500, 3}, {3, 1}, {3, 1}, 0},
                   {{300, 133}, {133, 1}, {133, 1}, 0},   {{300, 128}, {160, 1}, {128, 1}, 0},
                   {{99, 1100}, {1, 99}, {1100, 1}, 1},   {{9, 300}, {1, 12}, {304, 1}, 1},
                   {{3, 500}, {1, 3}, {500, 1}, 1}};
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } kinds[] = {{TALLY_SUM, TALLY_F32},
                 {TALLY_SUM, TALLY_F16},
                 {TALLY_MULTIPLY, TALLY_I64},
                 {TALLY_MIN, TALLY_U8}};
    const size_t count = sizeof layouts / sizeof layouts[0];
    for (size_t i = 0; i < count * 4; i++) {
        tally_cumulative desc = TALLY_CUMULATIVE_INIT;
        const size_t k = i % count, bytes = tally_dtype_size(kinds[i / count].dtype);
        if (!share_has(i / count + k / 2, 5))
            continue;
        desc.function = kinds[i / count].function;
        desc.input = tally_tensor_packed(kinds[i / count].dtype, 2, layouts[k].size);
        desc.input.flags |= TALLY_STRIDED;
        desc.output = desc.input;
        memcpy(desc.input.stride, layouts[k].in, sizeof layouts[k].in);
        memcpy(desc.output.stride, layouts[k].out, sizeof layouts[k].out);
        desc.axis = layouts[k].axis;
        desc.exclusive = i % 2 != 0;
        desc.descending = i / 2 % 2 != 0;
        const uint64_t *out = desc.output.stride, *size = desc.output.size;
        compare_at(make_scan, &desc, bytes,
                   ((size[0] - 1) * out[0] + (size[1] - 1) * out[1] + 1) * bytes);
    }
}
END_TEST

/* ---- Terms whose neighbours in memory are others' ------------------------------------------- */

/*
 * All terms in an order that is not that of memory: lines longer than a block and shorter, whose
 * blocks begin at every position of a line, a number of lines that fills no group, several sets of
 * them, and axes that lines go round; and columns whose terms have a gap.
 */
#define TRANSPOSED 9
static tally_reduce transposed_reduce(int i, tally_function function, tally_dtype dtype) {
    const struct {
        shape sizes;
        uint32_t axes;
    } transposed[TRANSPOSED] = {
        {SHAPE(300, 1700), 3}, {SHAPE(3, 70, 4111), 7}, {SHAPE(2, 3, 40, 1700), 14},
        {SHAPE(97, 301), 3},   {SHAPE(130, 9, 457), 7}, {SHAPE(2, 90, 64), 6},
        {SHAPE(40, 5, 33), 7}, {SHAPE(501, 61, 70), 3}, {SHAPE(300, 15, 40), 3}};
    tally_reduce desc = shape_reduce(function, dtype, transposed[i].sizes, transposed[i].axes);
    if (i == 2) { /* lines along the third axis, of several sets and outputs */
        const uint64_t stride[] = {204000, 68000, 1, 40};
        desc.input.flags = TALLY_STRIDED;
        memcpy(desc.input.stride, stride, sizeof stride);
    } else if (i < 7)
        shape_transpose(&desc.input);
    else
        shape_space_planes(&desc.input, 3);
    return desc;
}

START_TEST(test_transposed_terms_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
        int layouts; /* the first ones */
    } pairs[] = {{TALLY_SUM, TALLY_F32, TRANSPOSED},
                 {TALLY_LOG_SUM_EXP, TALLY_F32, 5},
                 {TALLY_L2, TALLY_F16, TRANSPOSED},
                 {TALLY_AVERAGE, TALLY_F64, 4}};
    static const char *const kinds[] = {"_linesatonce", "_linesbeside", "_outputsatonce"};
    bool used[] = {false, false, false};
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++)
        for (int i = 0; i < pairs[p].layouts; i++) {
            char plan[ORDER_CHECK_PLAN];
            if ((pairs[p].dtype == TALLY_F64 && !fixture_get()->has_f64) || !share_has(p, 3))
                continue;
            const tally_reduce desc = transposed_reduce(i, pairs[p].function, pairs[p].dtype);
            order_check(runtime, &desc, plan);
            if (i < 3 && pairs[p].function != TALLY_LOG_SUM_EXP)
                ck_assert_msg(strstr(plan, kinds[0]) != NULL, "layout %d: %s", i, plan);
            for (int k = 0; k < 3; k++)
                used[k] = used[k] || strstr(plan, kinds[k]) != NULL;
        }
    for (int k = 0; k < 3; k++)
        ck_assert_msg(used[k], "no plan has %s", kinds[k]);
    tally_runtime_release(runtime);
}
END_TEST

/* ---- The family that a runtime has --------------------------------------------------------- */

START_TEST(test_auto_is_chosen_by_the_devices_type) {
    tally_runtime *runtime = fixture_make_runtime();
    cl_device_type type = 0;
    fixture_check(clGetDeviceInfo(fixture_get()->device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    ck_assert_int_eq(runtime->device.limits.family,
                     (type & CL_DEVICE_TYPE_CPU) != 0 ? TALLY_FAMILY_CPU : TALLY_FAMILY_GPU);
    tally_runtime_release(runtime);
}
END_TEST

/* Rows, on a device that has room for wide groups: the kernels of groups are their families' own.
 */
START_TEST(test_a_forced_family_plans_its_kernels) {
    static const struct {
        tally_family family;
        bool team, rows;
    } cases[] = {{TALLY_FAMILY_GENERIC, true, false},
                 {TALLY_FAMILY_GPU, false, true},
                 {TALLY_FAMILY_CPU, false, false}};
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_F32, 2, (const uint64_t[]){5, 4000});
    desc.axes = 2;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_runtime *runtime = fixture_make_runtime_of(cases[i].family);
        ck_assert_int_eq(runtime->device.limits.family, cases[i].family);
        tally_op *op = make_reduce(runtime, &desc);
        const char *plan = tally_op_describe(op);
        ck_assert_msg((strstr(plan, "1: tally_fold_any_sum") != NULL) == cases[i].team, "%s", plan);
        ck_assert_msg((strstr(plan, "1: tally_fold_rows_sum") != NULL) == cases[i].rows, "%s",
                      plan);
        tally_op_release(op);
        tally_runtime_release(runtime);
    }
}
END_TEST

Suite *suite_schedules(void);
Suite *suite_schedules(void) {
    Suite *suite = suite_create("schedules");
    TCase *cases = tcase_create("schedules");
    tcase_set_timeout(cases, 0);
    tcase_add_unchecked_fixture(cases, open_devices, close_devices);
    tcase_add_test(cases, test_auto_is_chosen_by_the_devices_type);
    tcase_add_test(cases, test_a_forced_family_plans_its_kernels);
    tcase_add_test(cases, test_folds_agree);
    tcase_add_test(cases, test_groups_of_axes_agree);
    tcase_add_test(cases, test_columns_agree);
    tcase_add_test(cases, test_sets_agree);
    tcase_add_test(cases, test_types_and_layouts_agree);
    tcase_add_test(cases, test_maps_agree);
    tcase_add_test(cases, test_positions_are_of_terms);
    tcase_add_test(cases, test_scans_agree);
    tcase_add_test(cases, test_scans_of_columns_agree);
    suite_add_tcase(suite, cases);
    TCase *scans = tcase_create("scans");
    tcase_set_timeout(scans, 0);
    tcase_add_unchecked_fixture(scans, open_devices, close_devices);
    tcase_add_test(scans, test_layouts_of_scans_agree);
    suite_add_tcase(suite, scans);
    TCase *transposed = tcase_create("turned");
    tcase_set_timeout(transposed, 0);
    tcase_add_test(transposed, test_transposed_terms_agree);
    suite_add_tcase(suite, transposed);
    return suite;
}
