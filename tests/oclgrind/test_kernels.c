/*
 * test_kernels.c: all kernels of reductions and fills, on small problems, for a simulator that
 * watches every access. Each family folds every function of every type, and uses every schedule
 * that it has of its own; test_scans.c does the same for scans. That the bits are right is checked
 * too.
 */
#include <check.h>
#include <string.h>

#include "schedules.h"
#include "support/fixture.h"
#include "support/legal.h"
#include "support/order_check.h"
#include "support/run.h"
#include "support/shape.h"

/*
 * One row that takes several launches, rows, short rows, columns, groups of axes, rows with gaps,
 * and axes that are nested the other way round.
 */
#define LAYOUTS 7
static tally_reduce make_desc(int layout, legal_pair pair) {
    const struct {
        shape sizes;
        uint32_t axes;
    } packed[LAYOUTS] = {{SHAPE(4200), 1},      {SHAPE(3, 300), 2},    {SHAPE(40, 9), 2},
                         {SHAPE(2, 40, 12), 2}, {SHAPE(5, 3, 130), 5}, {SHAPE(6, 90), 2},
                         {SHAPE(20, 3, 70), 4}};
    tally_reduce desc =
        shape_reduce(pair.function, pair.dtype, packed[layout].sizes, packed[layout].axes);
    if (layout == 5)
        shape_pad(&desc.input, 1);
    if (layout == 6)
        shape_transpose(&desc.input);
    return desc;
}

/* Narrow rows and wide ones, of a batch, apart from where packs begin; with an input and without.
 */
static void check_fills(tally_runtime *runtime, tally_family family) {
    static const char *const schedules[] = {[TALLY_FAMILY_GENERIC] = "tally_band_u",
                                            [TALLY_FAMILY_GPU] = "tally_band_rows",
                                            [TALLY_FAMILY_CPU] = "tally_band_cpu"};
    static const tally_dtype types[] = {TALLY_U8, TALLY_F16, TALLY_I32, TALLY_U64};
    for (uint32_t i = 0; i < 16; i++) {
        const tally_tensor tensor =
            shape_tensor(types[i % 4], i < 8 ? SHAPE(2, 5, 17) : SHAPE(3, 150));
        const run_how how = {VALUES_BITS, i, i % 2, i % 3, i % 8 == 7};
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        desc.output = tensor;
        desc.input = i / 4 % 2 != 0 ? &tensor : NULL;
        desc.begin = i % 3 == 0 ? 9 : -2;
        desc.end = 3;
        desc.value.u64 = 0x0102030405060708;
        run_diagonal_on(runtime, schedules[family], &desc, how);
    }
}

/* Two layouts for each pair in turns, all of them for float32's; and every schedule is used. */
static void check_family(tally_family family) {
    char plan[ORDER_CHECK_PLAN];
    schedules_used used = SCHEDULES_NONE;
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(family);
    for (int i = 0; i < LEGAL_REDUCE_PAIRS; i++) {
        const legal_pair pair = legal_reduce_pair(i);
        if (pair.dtype == TALLY_F64 && !fixture_get()->has_f64)
            continue;
        for (int k = 0; k < (pair.dtype == TALLY_F32 ? LAYOUTS : 2); k++) {
            const tally_reduce desc = make_desc((3 * i + k) % LAYOUTS, pair);
            order_check(runtime, &desc, plan);
            schedules_note(&used, plan);
        }
    }
    schedules_check(&used, TALLY_KIND_FOLD, family);
    check_fills(runtime, family);
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
    schedules_add_case(suite, "numerics", numerics_probe);
    return suite;
}
