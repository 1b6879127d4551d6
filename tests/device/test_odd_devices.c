/*
 * test_odd_devices.c: poor devices give the same bits. The device at hand is planned for as if it
 * had small groups, little local memory, one compute unit, 32-bit addresses and no float64, or
 * kernels that allow smaller groups than it does; every result is held against the plain reference
 * of the orders.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/runtime.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/kernel_limit.h"
#include "support/fixtures/ndrange.h"
#include "support/reference/order_check.h"
#include "support/reference/scan_memory.h"
#include "support/refusal.h"
#include "support/share.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* ---- Devices --------------------------------------------------------------------------------- */

typedef struct odd_device {
    tally_family family;
    uint64_t group_max, local_bytes;
    uint32_t units, address_bits;
    bool has_f64;
} odd_device;

static const odd_device devices[] = {
    {TALLY_FAMILY_GPU, 1, 16384, 1, 32, false},    {TALLY_FAMILY_GPU, 64, 16384, 132, 64, true},
    {TALLY_FAMILY_GPU, 128, 49152, 1, 32, true},   {TALLY_FAMILY_GPU, 1024, 16384, 132, 64, true},
    {TALLY_FAMILY_GPU, 256, 32768, 1, 64, true},   {TALLY_FAMILY_CPU, 1, 16384, 1, 32, false},
    {TALLY_FAMILY_CPU, 128, 16384, 132, 64, true}, {TALLY_FAMILY_GENERIC, 64, 16384, 1, 32, true},
};

/* The caller releases it. Float64 is there only if it really is. */
static tally_runtime *make_device(const odd_device *odd) {
    tally_runtime *runtime = fixture_make_runtime_of(odd->family);
    tally_limits *limits = &runtime->device.limits;
    const bool has_f64 = limits->has_f64;
    *limits = (tally_limits){.group_max = odd->group_max,
                             .local_bytes = odd->local_bytes,
                             .units = odd->units,
                             .address_bits = odd->address_bits,
                             .family = odd->family,
                             .word_bytes = 8,
                             .has_f64 = odd->has_f64 && has_f64};
    return runtime;
}

/* ---- Problems -------------------------------------------------------------------------------- */

#define LAYOUTS 6

/* Long rows, one row, short rows, columns, several groups of axes, and rows with gaps. */
static tally_reduce make_desc(int layout, legal_pair pair) {
    const struct {
        shape sizes;
        uint32_t axes;
    } packed[LAYOUTS] = {{SHAPE(5, 5000), 2},    {SHAPE(9001), 1},      {SHAPE(300, 17), 2},
                         {SHAPE(3, 150, 37), 2}, {SHAPE(9, 3, 700), 5}, {SHAPE(60, 130), 2}};
    tally_reduce desc =
        shape_reduce(pair.function, pair.dtype, packed[layout].sizes, packed[layout].axes);
    if (layout == LAYOUTS - 1)
        shape_pad(&desc.input, 3);
    return desc;
}

/* ---- Limits of the device -------------------------------------------------------------------- */

/* Every function, of float32 and of another type that it takes, each on one of the layouts. */
START_TEST(odd_devices_give_the_same_bits) {
    static const tally_dtype others[] = {TALLY_F16, TALLY_I64, TALLY_F64, TALLY_U32};
    char plan[ORDER_CHECK_PLAN];
    tally_runtime *runtime = make_device(&devices[_i]);
    int layout = _i, checked = 0;
    for (int f = TALLY_ARGMAX; f <= TALLY_SUM_SQUARE; f++) {
        const legal_pair narrow = {(tally_function)f, TALLY_F32};
        const legal_pair other = {(tally_function)f, others[(f + _i) % COUNT(others)]};
        const tally_reduce first = make_desc(layout++ % LAYOUTS, narrow);
        const tally_reduce second = make_desc(layout % LAYOUTS, other);
        if (!share_has((uint64_t)(f / 2 + _i), 3))
            continue;
        order_check(runtime, &first, plan);
        checked++;
        if (!legal_reduce(other.function, other.dtype) ||
            (other.dtype == TALLY_F64 && !runtime->device.limits.has_f64))
            continue;
        order_check(runtime, &second, plan);
        checked++;
    }
    ck_assert_int_gt(checked, share_is_asked_for() ? 3 : 12);
    tally_runtime_release(runtime);
}
END_TEST

START_TEST(float64_is_refused_without_fp64) {
    tally_runtime *runtime = make_device(&devices[0]);
    const tally_reduce desc = make_desc(0, (legal_pair){TALLY_SUM, TALLY_F64});
    tally_op *op = NULL;
    tally_error error;
    refusal_check(REFUSAL(TALLY_UNSUPPORTED, "fp64"),
                  tally_reduce_create(runtime, &desc, &op, &error), &error);
    ck_assert_ptr_null(op);
    tally_runtime_release(runtime);
}
END_TEST

/* ---- Limits of kernels ----------------------------------------------------------------------- */

/* Of the groups that are compiled into the plan's kernels; 0 if there is none. */
static unsigned long largest_group(const char *plan) {
    unsigned long largest = 0;
    for (const char *at = strstr(plan, "_g"); at != NULL; at = strstr(at + 2, "_g")) {
        const unsigned long group = strtoul(at + 2, NULL, 10);
        largest = group > largest ? group : largest;
    }
    return largest;
}

static void lift_limit(void) {
    kernel_limit_set(0, 0);
}

/* The plan is made again for what the kernels allow, and the bits are the same. */
START_TEST(kernels_that_allow_less_are_planned_for) {
    static const size_t limits[] = {200, 100, 64, 5, 1};
    const odd_device gpu = {TALLY_FAMILY_GPU, 256, 49152, 16, 64, true};
    tally_runtime *runtime = make_device(&gpu);
    char plan[ORDER_CHECK_PLAN], again[ORDER_CHECK_PLAN];
    int layout = _i;
    for (int f = TALLY_ARGMAX + _i % 2; f <= TALLY_SUM_SQUARE; f += 2) { /* half of them each */
        const tally_reduce desc =
            make_desc(layout++ % LAYOUTS, (legal_pair){(tally_function)f, TALLY_F32});
        kernel_limit_set(0, 0);
        order_check(runtime, &desc, plan);
        kernel_limit_set(limits[_i], 0);
        ndrange_forget();
        order_check(runtime, &desc, again);
        ck_assert_uint_gt(kernel_limit_questions(), 0);
        /*
         * A group that is compiled in is trusted until its dry launch is refused; others never, so
         * that below their size there may be no launch to refuse.
         */
        if (limits[_i] >= 64)
            ck_assert_msg((largest_group(plan) > limits[_i]) == (ndrange_refused() > 0), "%s",
                          plan);
        ck_assert_msg(largest_group(again) <= limits[_i], "%s", again);
        ck_assert_msg(strstr(plan, "_g256") == NULL || strcmp(plan, again) != 0, "%s", again);
    }
    kernel_limit_set(0, 0);
    tally_runtime_release(runtime);
}
END_TEST

/* The same of scans, of which a row may be out of place in one launch and in place in others. */
START_TEST(scans_are_planned_for_what_kernels_allow) {
    static const struct {
        size_t limit;
        const char *row, *columns;
    } cases[] = {
        {0, "scan_rows_sum_f32_k1_s1_i32_g256_recompute_", "scan_columns_sum_f32_k1_s1_i32_g512_"},
        {200, "scan_rows_sum_f32_k1_s1_i32_g128_recompute_", "scan_"},
        {100, "1: tally_scan_rows_sum_f32_k1_s1_i32_g64_", "scan_"}};
    const odd_device gpu = {TALLY_FAMILY_GPU, 1024, 49152, 16, 64, true};
    tally_runtime *runtime = make_device(&gpu);
    runtime->trial.wish = TALLY_SINGLE_PASS_OFF;
    const tally_cumulative desc[] = {shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1, 20000, 1), 1),
                                     shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1, 300, 4096), 1)};
    for (int round = 0; round < 4; round++) {
        tally_op *op = NULL;
        tally_error error;
        kernel_limit_set(cases[_i].limit, 0);
        fixture_ok(tally_cumulative_create(runtime, &desc[round / 2], &op, &error), &error,
                   "tally_cumulative_create");
        const char *plan = tally_op_describe(op);
        ck_assert_msg(strstr(plan, round < 2 ? cases[_i].row : cases[_i].columns) != NULL, "%s",
                      plan);
        ck_assert_msg(cases[_i].limit == 0 || largest_group(plan) <= cases[_i].limit, "%s", plan);
        scan_memory_check(&desc[round / 2], op, round % 2 != 0);
    }
    kernel_limit_set(0, 0);
    tally_runtime_release(runtime);
}
END_TEST

/* A driver that has built a kernel for larger groups than it owns up to is taken at its deeds. */
START_TEST(kernels_that_do_more_than_they_say_are_trusted) {
    const odd_device gpu = {TALLY_FAMILY_GPU, 256, 49152, 16, 64, true};
    tally_runtime *runtime = make_device(&gpu);
    const tally_reduce desc = make_desc(0, (legal_pair){TALLY_SUM, TALLY_F32});
    char plan[2048];
    kernel_limit_understate(64);
    ndrange_forget();
    order_check(runtime, &desc, plan);
    ck_assert_msg(strstr(plan, "_g256") != NULL, "%s", plan);
    ck_assert_uint_eq(ndrange_refused(), 0);
    tally_runtime_release(runtime);
}
END_TEST

/* A driver that allows less each time it is asked is not asked for ever. */
START_TEST(kernels_that_allow_less_and_less_are_refused) {
    const odd_device gpu = {TALLY_FAMILY_GPU, 256, 49152, 16, 64, true};
    tally_runtime *runtime = make_device(&gpu);
    const tally_reduce desc = make_desc(0, (legal_pair){TALLY_SUM, TALLY_F32});
    tally_op *op = NULL;
    tally_error error;
    /* 130 for the first plan, whose only launch is refused; then 87, 44 and 1 are too few. */
    kernel_limit_set(130, 43);
    refusal_check(REFUSAL(TALLY_UNSUPPORTED, "groups of 1 work-items", "4 attempts"),
                  tally_reduce_create(runtime, &desc, &op, &error), &error);
    ck_assert_ptr_null(op);
    ck_assert_uint_eq(kernel_limit_questions(), 4);
    kernel_limit_set(0, 0);
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_odd_devices(void);
Suite *suite_odd_devices(void) {
    Suite *suite = suite_create("odd_devices");
    TCase *tests = tcase_create("odd_devices");
    tcase_set_timeout(tests, 0);
    tcase_add_checked_fixture(tests, NULL, lift_limit);
    tcase_add_loop_test(tests, odd_devices_give_the_same_bits, 0, COUNT(devices));
    tcase_add_test(tests, float64_is_refused_without_fp64);
    tcase_add_loop_test(tests, kernels_that_allow_less_are_planned_for, 0, 5);
    tcase_add_loop_test(tests, scans_are_planned_for_what_kernels_allow, 0, 3);
    tcase_add_test(tests, kernels_that_do_more_than_they_say_are_trusted);
    tcase_add_test(tests, kernels_that_allow_less_and_less_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
