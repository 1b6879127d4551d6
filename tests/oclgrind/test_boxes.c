/*
 * test_boxes.c: scans by boxes whose packs lie whole in local memory, and by boxes of whole lines,
 * of a device that they are many for, under a simulator that watches every access. That the bits
 * are right is checked too.
 */
#include <check.h>
#include <string.h>

#include "api/runtime.h"
#include "schedules.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/reference/order_check.h"

/* Rows so far apart in either memory, and what their plan has. */
static void check(tally_runtime *runtime, legal_pair pair, shape sizes, uint64_t in_gap,
                  uint64_t out_gap, const char *words) {
    tally_cumulative desc = shape_scan(pair.function, pair.dtype, sizes, 1);
    char plan[ORDER_CHECK_PLAN];
    desc.descending = in_gap > 0;
    shape_space_rows(&desc.input, in_gap);
    shape_space_rows(&desc.output, out_gap);
    order_check_scan(runtime, &desc, plan);
    ck_assert_msg(strstr(plan, words) != NULL, "not by %s:\n%s", words, plan);
}

START_TEST(whole_packs) {
    const legal_pair narrow = {TALLY_MAX, TALLY_U16};
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtime->device.limits.units = 1;
    check(runtime, narrow, SHAPE(60, 20, 75), 0, 0, "_whole3_");
    check(runtime, narrow, SHAPE(13, 40, 131), 2, 1, "_whole2_");
    tally_runtime_release(runtime);
}
END_TEST

/* Results in another order than the terms, of one run and of several, as many as a unit wants. */
START_TEST(transposed) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_MAX, TALLY_U8},
                                       {TALLY_MULTIPLY, TALLY_F16},
                                       {TALLY_SUM, TALLY_I64}};
    static const uint64_t terms[] = {5, 19, 33, 12};
    schedules_check_simulator();
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtime->device.limits.units = 1;
    for (uint32_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const uint64_t bytes = tally_dtype_size(pairs[i].dtype);
        const uint64_t columns = 300000 / (2 * bytes * terms[i] * 45);
        tally_cumulative desc =
            shape_scan(pairs[i].function, pairs[i].dtype, SHAPE(45, terms[i], columns), 1);
        char plan[ORDER_CHECK_PLAN];
        desc.descending = i % 2 != 0;
        desc.exclusive = i / 2 % 2 != 0;
        shape_transpose(&desc.input);
        if (!fixture_has(pairs[i].dtype))
            continue;
        order_check_scan(runtime, &desc, plan);
        ck_assert_msg(strstr(plan, "scan_transpose") != NULL, "not by scan_transpose:\n%s", plan);
    }
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_boxes(void);
Suite *suite_boxes(void) {
    Suite *suite = suite_create("boxes");
    schedules_add_case(suite, "whole_packs", whole_packs);
    schedules_add_case(suite, "transposed", transposed);
    return suite;
}
