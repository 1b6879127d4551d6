/*
 * test_fill_schedules.c: the kernels of fills of each family, on rows of every short width and
 * around what a group or a line has, from any element on, with gaps, in batches, in other orders
 * and in place. Each element is the oracle's and nothing beside the output is written.
 */
#include <check.h>
#include <string.h>

#include "api/runtime.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/kernel_limit.h"
#include "support/fixtures/run.h"
#include "support/numbers/number.h"
#include "support/share.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A family's kernels; groups of GPUs also smaller than a device's own. */
static const struct kernels {
    tally_family family;
    uint64_t group_max; /* 0: the device's */
    const char *schedule;
} kernels[] = {{TALLY_FAMILY_GPU, 0, "tally_fill_"},
               {TALLY_FAMILY_GPU, 100, "tally_fill_"},
               {TALLY_FAMILY_GPU, 7, "tally_fill_u"},
               {TALLY_FAMILY_CPU, 0, "tally_fill_cpu"},
               {TALLY_FAMILY_GENERIC, 0, "tally_fill_u"}};

static tally_runtime *runtimes[COUNT(kernels)];

static void open_runtimes(void) {
    for (size_t i = 0; i < COUNT(kernels); i++) {
        runtimes[i] = fixture_make_runtime_of(kernels[i].family);
        if (kernels[i].group_max != 0)
            runtimes[i]->device.limits.group_max = kernels[i].group_max;
    }
}

static void close_runtimes(void) {
    for (size_t i = 0; i < COUNT(kernels); i++)
        tally_runtime_release(runtimes[i]);
}

/* Small bands, wide ones, all but a band, none and all. */
static const int64_t bands[][2] = {{0, 1},  {-3, 2},  {2, -3}, {1, 5000},     {-5000, 0},
                                   {40, 9}, {9, 100}, {0, 0},  {-5000, 5000}, {5000, -5000}};

static void fill(size_t k, tally_diagonal desc, const tally_tensor *input, uint64_t seed) {
    const char *schedule = kernels[k].schedule;
    run_how how = {VALUES_BITS, seed, (uint32_t)(seed % 3), (uint32_t)(seed % 5), false};
    memset(&desc.value, 0xA7, sizeof desc.value);
    desc.value.u8 = 0x1E;
    desc.begin = bands[seed % COUNT(bands)][0];
    desc.end = bands[seed % COUNT(bands)][1];
    desc.input = NULL;
    run_diagonal_on(runtimes[k], schedule, &desc, how);
    desc.input = input;
    run_diagonal_on(runtimes[k], schedule, &desc, how);
    desc.input = &desc.output;
    how.in_place = true;
    run_diagonal_on(runtimes[k], schedule, &desc, how);
}

/* By a kernel that must be the plan's, or any of the family's. */
static void fill_by(size_t k, const char *schedule, tally_diagonal desc, const tally_tensor *input,
                    uint64_t seed) {
    const run_how how = {VALUES_BITS, seed, (uint32_t)(seed % 3), (uint32_t)(seed % 5), false};
    memset(&desc.value, 0x5C, sizeof desc.value);
    desc.begin = bands[seed % COUNT(bands)][0];
    desc.end = bands[seed % COUNT(bands)][1];
    desc.input = input;
    run_diagonal_on(runtimes[k], schedule, &desc, how);
}

static const tally_dtype types[] = {TALLY_I8, TALLY_F16, TALLY_F32, TALLY_I64};

/* Aligned, apart from each other, and each at its own distance from where packs and lines begin. */
static void fill_layouts(size_t k, tally_dtype dtype, shape sizes, uint64_t seed) {
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    tally_tensor input = shape_tensor(dtype, sizes);
    desc.output = input;
    fill(k, desc, &input, 15 * seed);
    fill(k, desc, &input, seed);
    shape_pad(&input, 1 + seed % 3);
    shape_pad(&desc.output, seed % 4);
    input.stride[sizes.rank - 1] = desc.output.stride[sizes.rank - 1] = 1;
    fill(k, desc, &input, seed + 7);
}

START_TEST(short_rows_are_filled) {
    const size_t k = (size_t)_i / COUNT(types);
    uint64_t seed = (uint64_t)_i + 1;
    for (uint64_t columns = 1; columns <= 70; columns += columns < 40 ? 1 : 7, seed++)
        if (share_has(columns + (uint64_t)_i, 5))
            fill_layouts(k, types[(size_t)_i % COUNT(types)], SHAPE(2, 9, columns), seed);
}
END_TEST

/* As many packs as a group has in hand, one fewer and more; rows fewer than a group and more. */
START_TEST(long_rows_are_filled) {
    const size_t k = (size_t)_i / COUNT(types);
    const tally_dtype dtype = types[(size_t)_i % COUNT(types)];
    const uint64_t pack = 16 / number_bytes(dtype);
    const shape shapes[] = {SHAPE(3, 256 * pack),      SHAPE(3, 1024 * pack - 1),
                            SHAPE(2, 1024 * pack),     SHAPE(2, 1024 * pack + 1),
                            SHAPE(2, 2048 * pack + 5), SHAPE(513, 16 * pack),
                            SHAPE(3, 2, 50, 70),       SHAPE(2, 1, 3, 2, 2, 3, 5, 40)};
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (share_has(i + (uint64_t)_i, 3))
            fill_layouts(k, dtype, shapes[i], (uint64_t)_i + i);
}
END_TEST

/* Outputs and inputs in any order of their axes, with gaps and without. */
START_TEST(any_order_is_filled) {
    const size_t k = (size_t)_i;
    const tally_dtype dtype = types[(k + 2) % COUNT(types)];
    const shape shapes[] = {SHAPE(70, 90), SHAPE(3, 140, 5), SHAPE(300, 2, 9),
                            SHAPE(2, 3, 2, 4, 3, 2, 9, 11)};
    uint64_t state = (uint64_t)_i + 1;
    for (uint64_t seed = 0; seed < 3 * COUNT(shapes); seed++) {
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        tally_tensor input = shape_tensor(dtype, shapes[seed % COUNT(shapes)]);
        desc.output = input;
        shape_nest(&input, seed % 3 == 2 ? 3 : 0, &state);
        if (seed % 2 != 0)
            shape_nest(&desc.output, seed % 5 == 4 ? 2 : 0, &state);
        fill(k, desc, &input, seed + (uint64_t)_i);
    }
}
END_TEST

/* Each kernel of a family by a layout of its own. */
START_TEST(each_kernel_has_its_layouts) {
    static const struct {
        const char *gpu, *cpu;
        uint64_t columns;
        bool transposed, gaps;
    } cases[] = {{"fill_packs", "fill_cpu_lines", 300, false, false},
                 {"fill_packs", "fill_cpu_chunks", 30, false, false},
                 {"fill_packs", "fill_cpu_box", 30, true, false},
                 {"fill_packs", "fill_cpu_box", 3, true, false},
                 {"fill_transpose", "fill_cpu_box", 700, true, false},
                 {"fill_transpose", "fill_cpu_box", 30, true, true},
                 {"fill_box", "fill_cpu_lines", 300, false, true},
                 {"fill_box", "fill_cpu_chunks", 30, false, true},
                 {"fill_box", "fill_cpu_chunks", 3, false, true}};
    for (uint64_t seed = 0; seed < 2 * COUNT(cases); seed++) {
        const size_t i = (size_t)seed % COUNT(cases);
        const uint64_t gap = cases[i].gaps ? 2 : 1, columns = cases[i].columns;
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        tally_tensor input = shape_tensor(TALLY_F32, SHAPE(2, 50, columns));
        desc.output = input;
        desc.output.flags = TALLY_STRIDED;
        desc.output.stride[2] = gap;
        desc.output.stride[1] = gap * columns;
        desc.output.stride[0] = gap * columns * 50;
        if (cases[i].transposed)
            shape_transpose(&input);
        fill_by(0, cases[i].gpu, desc, &input, seed % 4);
        fill_by(3, cases[i].cpu, desc, &input, seed % 4);
    }
}
END_TEST

/* Matrices of a batch, one after the other and with gaps, and a tall one, on a single unit. */
START_TEST(bands_that_repeat_are_filled) {
    const tally_dtype dtype = types[_i];
    const uint32_t units = runtimes[0]->device.limits.units;
    const shape batch = SHAPE(number_bytes(dtype) == 1 ? 200 : 60, 33, 65);
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    tally_tensor input = shape_tensor(dtype, batch);
    desc.output = input;
    runtimes[0]->device.limits.units = 1;
    for (uint64_t seed = 1; seed < 4; seed++)
        fill_by(0, "repeats1", desc, &input, seed);
    fill(0, desc, &input, (uint64_t)_i);
    fill(0, desc, &input, (uint64_t)_i + 4);
    shape_pad(&desc.output, 3);
    desc.output.stride[2] = 1;
    fill_by(0, "repeats1", desc, &input, 2);
    fill(0, desc, &input, (uint64_t)_i + 1);
    input = shape_tensor(dtype, SHAPE(30001, 7));
    desc.output = input;
    for (uint64_t seed = 0; seed < 3; seed++)
        fill(0, desc, &input, 3 * (uint64_t)_i + seed);
    runtimes[0]->device.limits.units = units;
}
END_TEST

/* A large output of a CPU goes past the caches, and a row longer than a grain is cut. */
START_TEST(large_fills_are_right) {
    const shape shapes[] = {SHAPE(1021, 1031), SHAPE(3, 400001)};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        desc.output = shape_tensor(TALLY_F32, shapes[i]);
        for (uint64_t seed = 0; seed < 3; seed++)
            fill((size_t)_i, desc, &desc.output, 3 * seed + i);
    }
}
END_TEST

/* Kernels that allow smaller groups than their device: planned for again. */
START_TEST(fills_of_small_groups_are_planned_for) {
    static const struct {
        size_t limit;
        const char *group;
    } cases[] = {{200, "_g128"}, {64, "_g64"}, {5, "tally_fill_u32"}};
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = shape_tensor(TALLY_F32, SHAPE(30, 300));
    const run_how how = {VALUES_BITS, 1, 1, 2, false};
    desc.end = 1;
    desc.value.f32 = 1;
    kernel_limit_set(cases[_i].limit, 0);
    run_diagonal_on(runtimes[0], cases[_i].group, &desc, how);
    ck_assert_uint_gt(kernel_limit_questions(), 0);
    kernel_limit_set(0, 0);
}
END_TEST

static void lift_limit(void) {
    kernel_limit_set(0, 0);
}

Suite *suite_fill_schedules(void);
Suite *suite_fill_schedules(void) {
    Suite *suite = suite_create("fill_schedules");
    TCase *tests = tcase_create("fill_schedules");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtimes, close_runtimes);
    tcase_add_checked_fixture(tests, NULL, lift_limit);
    tcase_add_loop_test(tests, short_rows_are_filled, 0, (int)(COUNT(kernels) * COUNT(types)));
    tcase_add_loop_test(tests, long_rows_are_filled, 0, (int)(COUNT(kernels) * COUNT(types)));
    tcase_add_loop_test(tests, any_order_is_filled, 0, (int)COUNT(kernels));
    tcase_add_test(tests, each_kernel_has_its_layouts);
    tcase_add_loop_test(tests, bands_that_repeat_are_filled, 0, (int)COUNT(types));
    tcase_add_loop_test(tests, large_fills_are_right, 0, (int)COUNT(kernels));
    tcase_add_loop_test(tests, fills_of_small_groups_are_planned_for, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
