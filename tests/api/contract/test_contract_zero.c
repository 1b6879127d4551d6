/*
 * test_contract_zero.c: the contract's row on signed zero: -0 lies below +0 for MIN and MAX, ties
 * with it for ARGMIN and ARGMAX, and is what a sum of nothing but -0 gives. Tests run
 * once for each float type.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/small.h"

Suite *suite_contract_zero(void);

#define LAST TALLY_TIE_LAST

START_TEST(minus_zero_lies_below_plus_zero_for_min_and_max) {
    const small_float *f = &small_floats[_i];
    const uint64_t zero = 0, minus = f->minus;
    for (int nan = TALLY_NAN_PROPAGATE; nan <= TALLY_NAN_IGNORE; nan++) {
        const tally_nan policy = (tally_nan)nan;
        const small_fold rows[] = {
            {TALLY_MIN, f->dtype, 2, {zero, minus}, .result = minus, policy},
            {TALLY_MIN, f->dtype, 2, {minus, zero}, .result = minus, policy},
            {TALLY_MAX, f->dtype, 2, {zero, minus}, .result = zero, policy},
            {TALLY_MAX, f->dtype, 2, {minus, zero}, .result = zero, policy},
            {TALLY_MIN, f->dtype, 2, {minus, f->one | minus}, .result = f->one | minus, policy},
            {TALLY_MAX, f->dtype, 1, {minus}, .result = minus, policy},
            {TALLY_MIN, f->dtype, 1, {minus}, .result = minus, policy, 0, 5000, zero, {4500}},
            {TALLY_MAX, f->dtype, 1, {zero}, .result = zero, policy, 0, 5000, minus, {4500}},
        };
        small_check_folds(SMALL_ROWS(rows));
    }
}
END_TEST

START_TEST(scans_by_min_and_max_order_signed_zeros) {
    const small_float *f = &small_floats[_i];
    const uint64_t zero = 0, minus = f->minus;
    const small_scan rows[] = {
        {TALLY_MIN, f->dtype, 0, 0, 3, {zero, minus, zero}, .result = {zero, minus, minus}, 0},
        {TALLY_MAX, f->dtype, 0, 0, 3, {minus, zero, minus}, .result = {minus, zero, zero}, 0},
        {TALLY_MAX, f->dtype, 1, 0, 3, {minus, zero, minus}, .result = {zero, zero, minus}, 0},
    };
    small_check_scans(SMALL_ROWS(rows));
}
END_TEST

START_TEST(signed_zeros_are_equal_for_arg_ties) {
    const small_float *f = &small_floats[_i];
    const uint64_t zero = 0, minus = f->minus, one = f->one;
    const small_fold rows[] = {
        {TALLY_ARGMIN, f->dtype, 3, {zero, minus, one}, .result = 0, 0},
        {TALLY_ARGMIN, f->dtype, 3, {minus, zero, one}, .result = 1, 0, LAST},
        {TALLY_ARGMAX, f->dtype, 3, {one | minus, minus, zero}, .result = 1, 0},
        {TALLY_ARGMAX, f->dtype, 3, {one | minus, zero, minus}, .result = 2, 0, LAST},
        {TALLY_ARGMAX, f->dtype, 1, {zero}, .result = 0, 0, 0, 5000, minus, {4500}},
        {TALLY_ARGMIN, f->dtype, 1, {minus}, .result = 4999, 0, LAST, 5000, zero, {4500}},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(min_may_give_minus_zero_where_argmin_points_at_an_earlier_plus_zero) {
    const small_float *f = &small_floats[_i];
    const uint64_t one = f->one, minus = f->minus;
    const small_fold rows[] = {
        {TALLY_MIN, f->dtype, 4, {one, 0, minus, one}, .result = minus, 0},
        {TALLY_ARGMIN, f->dtype, 4, {one, 0, minus, one}, .result = 1, 0},
        {TALLY_MAX, f->dtype, 3, {minus, 0, one | minus}, .result = 0, 0},
        {TALLY_ARGMAX, f->dtype, 3, {minus, 0, one | minus}, .result = 0, 0},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(sum_of_only_minus_zero_is_minus_zero) {
    const small_float *f = &small_floats[_i];
    const uint64_t minus = f->minus;
    const small_fold rows[] = {
        {TALLY_SUM, f->dtype, 1, {minus}, .result = minus},
        {TALLY_SUM, f->dtype, 3, {minus, minus, minus}, .result = minus},
        {TALLY_SUM, f->dtype, 0, {0}, .result = minus, .length = 5000, .fill = minus},
        {TALLY_AVERAGE, f->dtype, 3, {minus, minus, minus}, .result = minus},
        {TALLY_SUM, f->dtype, 2, {minus, 0}, .result = 0},
        {TALLY_SUM,
         f->dtype,
         1,
         {0},
         .result = 0,
         .length = 5000,
         .fill = minus,
         .position = {4500}},
        {TALLY_SUM, f->dtype, 2, {f->one, f->one | minus}, .result = 0},
        /* magnitudes and squares have no sign */
        {TALLY_L1, f->dtype, 2, {minus, minus}, .result = 0},
        {TALLY_L2, f->dtype, 2, {minus, minus}, .result = 0},
        {TALLY_SUM_SQUARE, f->dtype, 2, {minus, minus}, .result = 0},
        {TALLY_MULTIPLY, f->dtype, 2, {minus, f->one}, .result = minus},
        {TALLY_MULTIPLY, f->dtype, 2, {minus, minus}, .result = 0},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

/* Axes 0 and 2 of {3, 2, 5}. */
START_TEST(sum_of_only_minus_zero_over_several_groups_is_minus_zero) {
    uint32_t x[3][2][5], sums[2] = {9, 9};
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 2, 5), 5);
    for (int k = 0; k < 30; k++) {
        x[k / 10][k / 5 % 2][k % 5] = 0x80000000;
    }
    x[1][1][3] = 0;
    ck_assert(small_reduce(&desc, x, sums));
    ck_assert(sums[0] == 0x80000000 && sums[1] == 0);
}
END_TEST

/* An exclusive sum begins with +0, which is written and never added. */
START_TEST(scan_of_only_minus_zero_is_minus_zero) {
    const small_float *f = &small_floats[_i];
    const uint64_t minus = f->minus;
    const small_scan rows[] = {
        {TALLY_SUM, f->dtype, 0, 0, 4, {minus, minus, 0, minus}, .result = {minus, minus, 0, 0}, 0},
        {TALLY_SUM, f->dtype, 0, 1, 4, {minus, minus, 0, minus}, .result = {0, minus, minus, 0}, 0},
        {TALLY_SUM, f->dtype, 1, 1, 3, {minus, minus, minus}, .result = {minus, minus, 0}, 0},
        {TALLY_MULTIPLY, f->dtype, 0, 0, 3, {minus, f->one, minus}, .result = {minus, minus, 0}, 0},
    };
    small_check_scans(SMALL_ROWS(rows));
}
END_TEST

Suite *suite_contract_zero(void) {
    Suite *suite = suite_create("contract_zero");
    TCase *tests = tcase_create("contract_zero");
    tcase_add_loop_test(tests, minus_zero_lies_below_plus_zero_for_min_and_max, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, scans_by_min_and_max_order_signed_zeros, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, signed_zeros_are_equal_for_arg_ties, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, min_may_give_minus_zero_where_argmin_points_at_an_earlier_plus_zero,
                        0, SMALL_FLOATS);
    tcase_add_loop_test(tests, sum_of_only_minus_zero_is_minus_zero, 0, SMALL_FLOATS);
    tcase_add_test(tests, sum_of_only_minus_zero_over_several_groups_is_minus_zero);
    tcase_add_loop_test(tests, scan_of_only_minus_zero_is_minus_zero, 0, SMALL_FLOATS);
    suite_add_tcase(suite, tests);
    return suite;
}
