/*
 * test_kernels.c: all kernels of reductions and fills, on small problems, for a simulator that
 * watches every access. Each family folds every function of every type, and uses every schedule
 * that it has of its own; test_scans.c does the same for scans. That the bits are right is checked
 * too.
 */
#include <check.h>
#include <string.h>

#include "api/runtime.h"
#include "schedules.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/run.h"
#include "support/reference/order_check.h"

/*
 * One row that takes several launches, rows, short rows, columns, groups of axes, rows with gaps,
 * axes that are nested the other way round, columns so few that a pack holds several rows,
 * groups of few terms, nothing swept, in one order and transposed, columns of few terms whose rows
 * begin at a pack by turns. Large ones: two that are swept in another order than that of memory,
 * columns whose terms have a gap, a long set of few columns, and long lines beside each other.
 */
#define SMALL_LAYOUTS 12
#define LAYOUTS 17
static tally_reduce make_desc(int layout, legal_pair pair) {
    const struct {
        shape sizes;
        uint32_t axes;
    } packed[LAYOUTS] = {{SHAPE(4200), 1},       {SHAPE(3, 300), 2},    {SHAPE(40, 9), 2},
                         {SHAPE(2, 40, 12), 2},  {SHAPE(5, 3, 130), 5}, {SHAPE(6, 90), 2},
                         {SHAPE(20, 3, 70), 4},  {SHAPE(33, 40, 2), 2}, {SHAPE(3, 5, 6, 9), 5},
                         {SHAPE(2, 3, 45), 0},   {SHAPE(19, 21), 0},    {SHAPE(60, 3, 26), 2},
                         {SHAPE(8, 1540, 2), 3}, {SHAPE(65, 33, 1), 3}, {SHAPE(70, 30, 8), 3},
                         {SHAPE(20, 260, 3), 2}, {SHAPE(4, 4099), 3}};
    tally_reduce desc =
        shape_reduce(pair.function, pair.dtype, packed[layout].sizes, packed[layout].axes);
    if (layout == 5)
        shape_pad(&desc.input, 1);
    if (layout == 6 || layout == 10 || layout == 12 || layout == 13 || layout == 16)
        shape_transpose(&desc.input);
    if (layout == 14)
        shape_space_planes(&desc.input, 3);
    return desc;
}

/*
 * Short rows and long ones, side by side, with gaps, and transposed, and the kernels that fill
 * them.
 */
static const struct {
    const char *by[TALLY_FAMILY_CPU + 1];
    uint64_t rows, columns, gap;
    bool transposed;
} fills[] = {
    {{[TALLY_FAMILY_GPU] = "fill_packs", [TALLY_FAMILY_CPU] = "fill_cpu_chunks"}, 40, 17, 1, false},
    {{[TALLY_FAMILY_GPU] = "fill_packs", [TALLY_FAMILY_CPU] = "fill_cpu_lines"}, 3, 1056, 1, false},
    {{[TALLY_FAMILY_GPU] = "fill_box", [TALLY_FAMILY_CPU] = "fill_cpu_chunks"}, 5, 17, 2, false},
    {{[TALLY_FAMILY_GPU] = "fill_transpose", [TALLY_FAMILY_CPU] = "fill_cpu_box"}, 9, 70, 2, true},
    {{[TALLY_FAMILY_GPU] = "fill_packs", [TALLY_FAMILY_CPU] = "fill_cpu_box"}, 40, 9, 1, true},
    {{[TALLY_FAMILY_GPU] = "fill_transpose", [TALLY_FAMILY_CPU] = "fill_cpu_box"},
     37,
     1025,
     1,
     true},
};

#define FILLS (sizeof fills / sizeof fills[0])

/* By a plan that names this schedule, or one whose name begins so. */
static void run_fill(tally_runtime *runtime, const char *schedule, const tally_diagonal *desc,
                     run_how how, schedules_used *used) {
    run_diagonal_on(runtime, schedule, desc, how);
    schedules_note(used, schedule);
}

static void check_fill(tally_runtime *runtime, tally_family family, uint32_t i,
                       schedules_used *used) {
    static const tally_dtype types[] = {TALLY_I32, TALLY_U8, TALLY_F16, TALLY_U64};
    const tally_dtype dtype = types[i / FILLS % 4];
    const uint64_t rows = fills[i % FILLS].rows, columns = fills[i % FILLS].columns;
    const uint64_t gap = fills[i % FILLS].gap;
    run_how how = {VALUES_BITS, i, i % 2, i % 3, false};
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = shape_tensor(dtype, SHAPE(2, rows, columns));
    tally_tensor input = desc.output;
    desc.output.flags = TALLY_STRIDED;
    for (uint32_t k = 0; k < 3; k++)
        desc.output.stride[k] = gap * (k == 2 ? 1 : k == 1 ? columns : rows * columns);
    if (fills[i % FILLS].transposed)
        shape_transpose(&input);
    desc.begin = i % 3 == 0 ? 9 : -2;
    desc.end = 3;
    desc.value.u64 = 0x0102030405060708;
    desc.input = &input;
    const bool generic = family == TALLY_FAMILY_GENERIC;
    run_fill(runtime, generic ? "fill" : fills[i % FILLS].by[family], &desc, how, used);
    desc.input = i / FILLS % 2 != 0 ? &desc.output : NULL;
    how.in_place = desc.input != NULL;
    run_fill(runtime, "fill", &desc, how, used);
}

static void check_fills(tally_family family) {
    schedules_used used = SCHEDULES_NONE;
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(family);
    for (uint32_t i = 0; i < 4 * FILLS; i++)
        check_fill(runtime, family, i, &used);
    schedules_check(&used, TALLY_KIND_FILL, family);
    tally_runtime_release(runtime);
}

START_TEST(generic_fills) {
    check_fills(TALLY_FAMILY_GENERIC);
}
END_TEST

START_TEST(gpu_fills) {
    check_fills(TALLY_FAMILY_GPU);
}
END_TEST

START_TEST(cpu_fills) {
    check_fills(TALLY_FAMILY_CPU);
}
END_TEST

/* Layouts of a pair: all of some, the small ones of float32's, and two in turns of others. */
static int layouts_of(legal_pair pair) {
    const bool is_float32 = pair.dtype == TALLY_F32;
    if ((pair.function == TALLY_SUM && is_float32) ||
        (pair.function == TALLY_LOG_SUM_EXP && pair.dtype == TALLY_F16) ||
        (pair.function == TALLY_MAX && pair.dtype == TALLY_I8))
        return LAYOUTS;
    return is_float32 ? SMALL_LAYOUTS : 2;
}

/*
 * What fills a device of one compute unit: outputs, several for each work-item, rows with gaps,
 * rows that work-items share, and blocks of transposed terms that are staged together.
 */
static void check_small_device(tally_runtime *runtime, schedules_used *used) {
    char plan[ORDER_CHECK_PLAN];
    const tally_limits limits = runtime->device.limits;
    tally_reduce descs[] = {shape_reduce(TALLY_MAX, TALLY_I8, SHAPE(8, 3, 1057), 2),
                            shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(60, 12, 3), 2),
                            shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(40, 100), 2),
                            shape_reduce(TALLY_L2, TALLY_F32, SHAPE(28, 1024), 3)};
    descs[1].input.flags |= TALLY_STRIDED;
    descs[1].input.stride[0] = 40;
    descs[1].input.stride[1] = 3;
    descs[1].input.stride[2] = 1;
    shape_transpose(&descs[3].input);
    runtime->device.limits.units = 1;
    for (size_t i = 0; i < sizeof descs / sizeof descs[0]; i++) {
        order_check(runtime, &descs[i], plan);
        schedules_note(used, plan);
    }
    runtime->device.limits = limits;
}

/* Every schedule is used. */
static void check_family(tally_family family) {
    char plan[ORDER_CHECK_PLAN];
    schedules_used used = SCHEDULES_NONE;
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(family);
    for (int i = 0; i < LEGAL_REDUCE_PAIRS; i++) {
        const legal_pair pair = legal_reduce_pair(i);
        if (pair.dtype == TALLY_F64 && !fixture_get()->has_f64)
            continue;
        const int count = layouts_of(pair), all = count == LAYOUTS ? LAYOUTS : SMALL_LAYOUTS;
        for (int k = 0; k < count; k++) {
            const tally_reduce desc = make_desc((5 * i + k) % all, pair);
            order_check(runtime, &desc, plan);
            schedules_note(&used, plan);
        }
    }
    if (family == TALLY_FAMILY_GPU)
        check_small_device(runtime, &used);
    schedules_check(&used, TALLY_KIND_FOLD, family);
    tally_runtime_release(runtime);
}

START_TEST(generic_kernels) {
    check_family(TALLY_FAMILY_GENERIC);
}
END_TEST

START_TEST(gpu_kernels) {
    check_family(TALLY_FAMILY_GPU);
}
END_TEST

START_TEST(cpu_kernels) {
    check_family(TALLY_FAMILY_CPU);
}
END_TEST

START_TEST(numerics_probe) {
    schedules_check_simulator();
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_numerics(fixture_get()->runtime, &numerics, &error), &error,
               "tally_runtime_numerics");
    ck_assert_msg(numerics.guaranteed, "%s", numerics.reasons);
}
END_TEST

/* A case each, so that they can run beside each other: CK_RUN_CASE names one. */
Suite *suite_kernels(void);
Suite *suite_kernels(void) {
    Suite *suite = suite_create("kernels");
    schedules_add_case(suite, "generic", generic_kernels);
    schedules_add_case(suite, "gpu", gpu_kernels);
    schedules_add_case(suite, "cpu", cpu_kernels);
    schedules_add_case(suite, "fills_generic", generic_fills);
    schedules_add_case(suite, "fills_gpu", gpu_fills);
    schedules_add_case(suite, "fills_cpu", cpu_fills);
    schedules_add_case(suite, "numerics", numerics_probe);
    return suite;
}
