/*
 * test_check.c: questions before an operator is made: what limits of devices decide, and how much
 * scratch it will need. That refused descriptions have the sentence of the create call is in
 * support/refusal.c, for every description that any suite has refused.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

/* ---- Limits of devices --------------------------------------------------------------------- */

START_TEST(devices_without_fp64) {
    const tally_device_limits without = {
        .struct_size = sizeof without, .address_bits = 64, .no_fp64 = true};
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F64, SHAPE(4, 5), 2);
    tally_diagonal fill = shape_fill(SHAPE(4, 5));
    tally_error error;
    refusal_check(UNSUPPORTED("fp64", "f64"), tally_reduce_check(&sum, &without, &error), &error);
    fixture_ok(tally_reduce_check(&sum, NULL, &error), &error, "with fp64");
    fill.output.dtype = TALLY_F64;
    fixture_ok(tally_diagonal_check(&fill, &without, &error), &error, "a fill");
}
END_TEST

START_TEST(devices_with_32_address_bits) {
    const tally_device_limits narrow = {.struct_size = sizeof narrow, .address_bits = 32};
    const tally_cumulative large =
        shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1 << 20, 1024), 1); /* 4 GB */
    const tally_cumulative small = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1 << 20, 1023), 1);
    tally_error error;
    refusal_check(UNSUPPORTED("input", "4294967296", "32 address bits"),
                  tally_cumulative_check(&large, &narrow, &error), &error);
    fixture_ok(tally_cumulative_check(&small, &narrow, &error), &error, "less than 4 GB");
    fixture_ok(tally_cumulative_check(&large, NULL, &error), &error, "64 bits");
}
END_TEST

START_TEST(limits_that_are_none) {
    tally_device_limits limits = TALLY_DEVICE_LIMITS_INIT;
    const tally_reduce sum = shape_sum_rows();
    tally_error error;
    limits.address_bits = 16;
    refusal_check(INVALID("address_bits is 16"), tally_reduce_check(&sum, &limits, &error), &error);
    limits.address_bits = 0;
    limits.reserved[2] = 1;
    refusal_check(UNSUPPORTED("tally_device_limits", "reserved"),
                  tally_reduce_check(&sum, &limits, &error), &error);
    limits.struct_size = 0;
    refusal_check(INVALID("tally_device_limits", "struct_size"),
                  tally_reduce_check(&sum, &limits, &error), &error);
    refusal_check(INVALID("tally_device_limits", "struct_size"),
                  tally_runtime_limits(fixture_get()->runtime, &limits, &error), &error);
    refusal_check(INVALID("runtime", "NULL"), tally_runtime_limits(NULL, &limits, &error), &error);
}
END_TEST

START_TEST(limits_of_a_runtime) {
    tally_device_limits limits = TALLY_DEVICE_LIMITS_INIT;
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F64, SHAPE(4, 5), 2);
    tally_error error;
    tally_op *op = NULL;
    fixture_ok(tally_runtime_limits(fixture_get()->runtime, &limits, &error), &error, "limits");
    ck_assert(limits.address_bits == 32 || limits.address_bits == 64);
    const tally_status created = tally_reduce_create(fixture_get()->runtime, &sum, &op, &error);
    tally_op_release(op);
    ck_assert_int_eq(created == TALLY_OK, !limits.no_fp64);
    ck_assert_int_eq(tally_reduce_check(&sum, &limits, &error), created);
}
END_TEST

/* ---- Estimates ------------------------------------------------------------------------------ */

/* The scratch of the operator itself is not more; where nothing is to be tried it is the same. */
static void check_estimate(tally_runtime *runtime, const tally_desc *desc, bool same) {
    tally_estimate estimate = TALLY_ESTIMATE_INIT;
    tally_stats before = TALLY_STATS_INIT, after = TALLY_STATS_INIT;
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_runtime_stats(runtime, &before, &error), &error, "stats");
    fixture_ok(tally_runtime_estimate(runtime, desc, &estimate, &error), &error, "estimate");
    fixture_ok(tally_runtime_stats(runtime, &after, &error), &error, "stats");
    ck_assert_uint_eq(after.program_requests, before.program_requests);
    fixture_ok(tally_op_create(runtime, desc, &op, &error), &error, "create");
    ck_assert_uint_ge(estimate.scratch, tally_op_scratch_size(op));
    if (same)
        ck_assert_uint_eq(estimate.scratch, tally_op_scratch_size(op));
    ck_assert_uint_ge(estimate.launches, tally_op_launches(op));
    if (same)
        ck_assert_uint_eq(estimate.launches, tally_op_launches(op));
    tally_op_release(op);
}

START_TEST(estimates) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(2, 1000000), 2);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1000000), 0);
    tally_desc reduce = TALLY_DESC_INIT, cumulative = TALLY_DESC_INIT;
    reduce.reduce = &sum;
    cumulative.cumulative = &scan;
    for (int i = 0; i < 2; i++) {
        tally_runtime *runtime = fixture_make_runtime_with(
            TALLY_FAMILY_GPU, i == 0 ? TALLY_SINGLE_PASS_ON : TALLY_SINGLE_PASS_OFF);
        check_estimate(runtime, &reduce, true);
        check_estimate(runtime, &cumulative, true);
        tally_runtime_release(runtime);
    }
}
END_TEST

/* Before the trial both outcomes are covered, and the question makes no trial. */
START_TEST(estimates_before_a_trial) {
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1000000), 0);
    tally_desc desc = TALLY_DESC_INIT;
    tally_error error;
    desc.cumulative = &scan;
    tally_estimate open = TALLY_ESTIMATE_INIT, off = TALLY_ESTIMATE_INIT;
    tally_runtime *runtime = fixture_make_runtime_with(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF);
    fixture_ok(tally_runtime_estimate(runtime, &desc, &off, &error), &error, "off");
    tally_runtime_release(runtime);
    runtime = fixture_make_runtime_with(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_AUTO);
    fixture_ok(tally_runtime_estimate(runtime, &desc, &open, &error), &error, "open");
    ck_assert_uint_ge(open.scratch, off.scratch);
    ck_assert_uint_gt(off.scratch, 0);
    ck_assert_uint_eq(fixture_stats(runtime).programs, 0);
    tally_runtime_release(runtime);
}
END_TEST

START_TEST(bad_estimates) {
    tally_reduce sum = shape_sum_rows();
    tally_desc desc = TALLY_DESC_INIT;
    tally_estimate estimate = {sizeof estimate, 7, 7};
    tally_runtime *runtime = fixture_get()->runtime;
    tally_error error;
    refusal_check(INVALID("0 of its three"),
                  tally_runtime_estimate(runtime, &desc, &estimate, &error), &error);
    sum.axes = 1u << 5;
    desc.reduce = &sum;
    refusal_check(INVALID("axes"), tally_runtime_estimate(runtime, &desc, &estimate, &error),
                  &error);
    refusal_check(INVALID("tally_desc", "NULL"),
                  tally_runtime_estimate(runtime, NULL, &estimate, &error), &error);
    refusal_check(INVALID("tally_estimate", "NULL"),
                  tally_runtime_estimate(runtime, &desc, NULL, &error), &error);
    refusal_check(INVALID("runtime", "NULL"),
                  tally_runtime_estimate(NULL, &desc, &estimate, &error), &error);
    ck_assert_uint_eq(estimate.scratch + estimate.launches, 14);
}
END_TEST

Suite *suite_check(void);
Suite *suite_check(void) {
    Suite *suite = suite_create("check");
    TCase *tests = tcase_create("check");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, devices_without_fp64);
    tcase_add_test(tests, devices_with_32_address_bits);
    tcase_add_test(tests, limits_that_are_none);
    tcase_add_test(tests, limits_of_a_runtime);
    tcase_add_test(tests, estimates);
    tcase_add_test(tests, estimates_before_a_trial);
    tcase_add_test(tests, bad_estimates);
    suite_add_tcase(suite, tests);
    return suite;
}
