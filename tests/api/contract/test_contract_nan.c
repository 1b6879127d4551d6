/*
 * test_contract_nan.c: the contract's rows on NaN: MIN, MAX, ARGMIN and ARGMAX propagate or ignore
 * it as their description says, everything else gives NaN, and a NaN result has one pattern
 * whatever the pattern of those that went in. Every test runs once for each float type.
 */
#include <check.h>
#include <math.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/small.h"

Suite *suite_contract_nan(void);

#define PROPAGATE TALLY_NAN_PROPAGATE
#define IGNORE TALLY_NAN_IGNORE
#define LAST TALLY_TIE_LAST

START_TEST(min_and_max_propagate_nan_or_ignore_it) {
    const small_float *f = &small_floats[_i];
    const uint64_t nan = f->nans[_i], low = f->infinity | f->minus;
    const small_fold rows[] = {
        {TALLY_MIN, f->dtype, 3, {f->one, nan, f->two}, .result = f->nan, PROPAGATE},
        {TALLY_MAX, f->dtype, 3, {f->one, nan, f->two}, .result = f->nan, PROPAGATE},
        {TALLY_MIN, f->dtype, 3, {nan, low, f->two}, .result = f->nan, PROPAGATE},
        {TALLY_MAX, f->dtype, 3, {f->infinity, f->one, nan}, .result = f->nan, PROPAGATE},
        {TALLY_MIN, f->dtype, 3, {f->one, nan, f->two}, .result = f->one, IGNORE},
        {TALLY_MAX, f->dtype, 3, {f->one, nan, f->two}, .result = f->two, IGNORE},
        {TALLY_MIN, f->dtype, 2, {nan, f->infinity}, .result = f->infinity, IGNORE},
        {TALLY_MAX, f->dtype, 2, {low, nan}, .result = low, IGNORE},
        /* in a block without a number, and in one with */
        {TALLY_MIN, f->dtype, 1, {f->two}, .result = f->two, IGNORE, 0, 9000, nan, {4500}},
        {TALLY_MAX, f->dtype, 1, {f->two}, .result = f->two, IGNORE, 0, 9000, nan, {4500}},
        {TALLY_MIN, f->dtype, 1, {nan}, .result = f->nan, PROPAGATE, 0, 9000, f->one, {4500}},
        {TALLY_MAX, f->dtype, 1, {nan}, .result = f->nan, PROPAGATE, 0, 9000, f->one, {4500}},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(arg_propagates_to_the_first_or_last_nan) {
    const small_float *f = &small_floats[_i];
    const uint64_t nan = f->nans[_i], low = f->infinity | f->minus;
    const small_fold rows[] = {
        {TALLY_ARGMIN, f->dtype, 4, {f->one, nan, low, f->nan}, .result = 1, PROPAGATE},
        {TALLY_ARGMAX, f->dtype, 4, {f->infinity, nan, f->two, f->nan}, .result = 1, PROPAGATE},
        {TALLY_ARGMIN, f->dtype, 4, {nan, f->one, f->nan, low}, .result = 2, PROPAGATE, LAST},
        {TALLY_ARGMAX,
         f->dtype,
         4,
         {nan, f->infinity, f->nan, f->two},
         .result = 2,
         PROPAGATE,
         LAST},
        {TALLY_ARGMIN,
         f->dtype,
         2,
         {nan, nan},
         .result = 4095,
         PROPAGATE,
         0,
         9000,
         low,
         {4095, 8500}},
        {TALLY_ARGMAX,
         f->dtype,
         2,
         {nan, nan},
         .result = 8500,
         PROPAGATE,
         LAST,
         9000,
         f->one,
         {4095, 8500}},
        {TALLY_ARGMIN, f->dtype, 0, {0}, .result = 0, PROPAGATE, 0, 5000, nan},
        {TALLY_ARGMAX, f->dtype, 0, {0}, .result = 4999, PROPAGATE, LAST, 5000, nan},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(arg_ignores_nan) {
    const small_float *f = &small_floats[_i];
    const uint64_t nan = f->nans[_i], low = f->infinity | f->minus;
    const small_fold rows[] = {
        {TALLY_ARGMIN, f->dtype, 4, {nan, f->two, f->one, nan}, .result = 2, IGNORE},
        {TALLY_ARGMAX, f->dtype, 4, {nan, f->two, f->one, nan}, .result = 1, IGNORE},
        {TALLY_ARGMIN, f->dtype, 3, {nan, f->infinity, nan}, .result = 1, IGNORE},
        {TALLY_ARGMAX, f->dtype, 3, {nan, low, nan}, .result = 1, IGNORE, LAST},
        {TALLY_ARGMIN, f->dtype, 4, {f->one, f->one, nan, f->two}, .result = 1, IGNORE, LAST},
        {TALLY_ARGMIN, f->dtype, 2, {low, low}, .result = 4500, IGNORE, 0, 9000, nan, {4500, 8999}},
        {TALLY_ARGMAX,
         f->dtype,
         2,
         {low, low},
         .result = 8999,
         IGNORE,
         LAST,
         9000,
         nan,
         {4500, 8999}},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(all_nan_under_ignore_gives_nan_and_index_0) {
    const small_float *f = &small_floats[_i];
    const uint64_t nan = f->nans[_i];
    const small_fold rows[] = {
        {TALLY_MIN, f->dtype, 2, {nan, f->nan}, .result = f->nan, IGNORE},
        {TALLY_MAX, f->dtype, 2, {nan, f->nan}, .result = f->nan, IGNORE},
        {TALLY_MIN, f->dtype, 0, {0}, .result = f->nan, IGNORE, 0, 9000, nan},
        {TALLY_MAX, f->dtype, 0, {0}, .result = f->nan, IGNORE, 0, 9000, nan},
        {TALLY_ARGMIN, f->dtype, 1, {nan}, .result = 0, IGNORE},
        {TALLY_ARGMAX, f->dtype, 1, {nan}, .result = 0, IGNORE, LAST},
        {TALLY_ARGMIN, f->dtype, 3, {nan, nan, nan}, .result = 0, IGNORE, LAST},
        {TALLY_ARGMAX, f->dtype, 3, {nan, nan, nan}, .result = 0, IGNORE},
        {TALLY_ARGMIN, f->dtype, 0, {0}, .result = 0, IGNORE, 0, 9000, nan},
        {TALLY_ARGMIN, f->dtype, 0, {0}, .result = 0, IGNORE, LAST, 9000, nan},
        {TALLY_ARGMAX, f->dtype, 0, {0}, .result = 0, IGNORE, 0, 9000, nan},
        {TALLY_ARGMAX, f->dtype, 0, {0}, .result = 0, IGNORE, LAST, 9000, nan},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

/* Axes 0, 2 and 4 of {3, 2, 2, 2, 5}: what one group of axes leaves is no number for the next. */
START_TEST(all_nan_under_ignore_over_several_groups_gives_index_0) {
    const tally_function functions[] = {TALLY_ARGMIN, TALLY_ARGMAX};
    float x[3 * 2 * 2 * 2 * 5];
    for (int k = 0; k < 120; k++) {
        x[k] = NAN;
    }
    x[(((1 * 2 + 1) * 2 + 1) * 2 + 0) * 5 + 2] = 3; /* of the third output */
    for (int k = 0; k < 4; k++) {
        uint32_t index[4] = {9, 9, 9, 9};
        tally_reduce desc = shape_reduce(functions[k % 2], TALLY_F32, SHAPE(3, 2, 2, 2, 5), 0x15);
        desc.nan = IGNORE;
        desc.tie = k / 2 == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        ck_assert(small_reduce(&desc, x, index));
        ck_assert(index[0] == 0 && index[1] == 0 && index[3] == 0);
        ck_assert_uint_eq(index[2], (1 * 2 + 1) * 5 + 2);
    }
}
END_TEST

START_TEST(scans_by_min_and_max_propagate_nan_or_ignore_it) {
    const small_float *f = &small_floats[_i];
    const uint64_t nan = f->nans[_i], one = f->one, two = f->two, low = f->infinity | f->minus;
    const small_scan rows[] = {
        {TALLY_MIN, f->dtype, 0, 0, 3, {two, nan, one}, .result = {two, f->nan, f->nan}, PROPAGATE},
        {TALLY_MAX, f->dtype, 1, 0, 3, {two, nan, one}, .result = {f->nan, f->nan, one}, PROPAGATE},
        {TALLY_MIN, f->dtype, 0, 0, 3, {two, nan, one}, .result = {two, two, one}, IGNORE},
        {TALLY_MAX, f->dtype, 1, 0, 3, {two, nan, one}, .result = {two, one, one}, IGNORE},
        {TALLY_MIN, f->dtype, 0, 0, 3, {nan, nan, one}, .result = {f->nan, f->nan, one}, IGNORE},
        /* nothing before it is no number either, but not NaN */
        {TALLY_MIN,
         f->dtype,
         0,
         1,
         3,
         {nan, two, one},
         .result = {f->infinity, f->nan, two},
         IGNORE},
        {TALLY_MAX, f->dtype, 0, 1, 3, {nan, two, one}, .result = {low, f->nan, f->nan}, PROPAGATE},
    };
    small_check_scans(SMALL_ROWS(rows));
}
END_TEST

/* The option is one of floats: an integer whose bits would be a NaN is a number. */
START_TEST(integers_have_no_nan) {
    static const small_fold rows[] = {
        {TALLY_MAX, TALLY_I32, 2, {0x7FC00000, 1}, .result = 0x7FC00000, IGNORE},
        {TALLY_ARGMIN, TALLY_I32, 2, {0xFFC00000, 1}, .result = 0, IGNORE, LAST},
        {TALLY_ARGMAX,
         TALLY_I32,
         3,
         {0x80000000, 0x80000000, 0x80000000},
         .result = 2,
         IGNORE,
         LAST},
        {TALLY_ARGMIN, TALLY_I32, 2, {0x7FFFFFFF, 0x7FFFFFFF}, .result = 1, IGNORE, LAST},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(nan_results_of_reductions_are_canonical) {
    const small_float *f = &small_floats[_i];
    for (tally_function function = TALLY_AVERAGE; function <= TALLY_SUM_SQUARE; function++) {
        for (int k = 0; k < SMALL_NANS; k++) {
            const small_fold rows[] = {
                {function, f->dtype, 1, {f->nans[k]}, .result = f->nan},
                {function, f->dtype, 3, {f->one, f->nans[k], f->two}, .result = f->nan},
            };
            small_check_folds(SMALL_ROWS(rows));
        }
    }
}
END_TEST

START_TEST(nan_results_of_scans_are_canonical) {
    const small_float *f = &small_floats[_i];
    const struct {
        tally_function function;
        uint64_t start;
    } scans[] = {{TALLY_SUM, 0},
                 {TALLY_MULTIPLY, f->one},
                 {TALLY_MIN, f->infinity},
                 {TALLY_MAX, f->infinity | f->minus}};
    for (int s = 0; s < 4; s++) {
        for (int k = 0; k < SMALL_NANS; k++) {
            const uint64_t nan = f->nans[k], start = scans[s].start;
            const tally_function function = scans[s].function;
            const small_scan rows[] = {
                {function,
                 f->dtype,
                 0,
                 0,
                 3,
                 {f->one, nan, f->two},
                 .result = {f->one, f->nan, f->nan},
                 0},
                {function,
                 f->dtype,
                 1,
                 1,
                 3,
                 {f->one, f->two, nan},
                 .result = {f->nan, f->nan, start},
                 0},
            };
            small_check_scans(SMALL_ROWS(rows));
        }
    }
}
END_TEST

/* Arithmetic that makes a NaN of numbers: x86 would leave its sign set. */
START_TEST(nan_made_by_arithmetic_is_canonical) {
    const small_float *f = &small_floats[_i];
    const uint64_t high = f->infinity, low = f->infinity | f->minus;
    const small_fold rows[] = {
        {TALLY_SUM, f->dtype, 2, {high, low}, .result = f->nan},
        {TALLY_AVERAGE, f->dtype, 2, {low, high}, .result = f->nan},
        {TALLY_MULTIPLY, f->dtype, 2, {0, high}, .result = f->nan},
        {TALLY_MULTIPLY, f->dtype, 2, {low, f->minus}, .result = f->nan},
        {TALLY_LOG_SUM, f->dtype, 1, {f->one | f->minus}, .result = f->nan},
    };
    const small_scan scans[] = {
        {TALLY_SUM, f->dtype, 0, 0, 3, {high, low, f->one}, .result = {high, f->nan, f->nan}, 0},
        {TALLY_MULTIPLY, f->dtype, 0, 0, 3, {0, high, f->one}, .result = {0, f->nan, f->nan}, 0},
    };
    small_check_folds(SMALL_ROWS(rows));
    small_check_scans(SMALL_ROWS(scans));
}
END_TEST

Suite *suite_contract_nan(void) {
    Suite *suite = suite_create("contract_nan");
    TCase *tests = tcase_create("contract_nan");
    tcase_add_loop_test(tests, min_and_max_propagate_nan_or_ignore_it, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, arg_propagates_to_the_first_or_last_nan, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, arg_ignores_nan, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, all_nan_under_ignore_gives_nan_and_index_0, 0, SMALL_FLOATS);
    tcase_add_test(tests, all_nan_under_ignore_over_several_groups_gives_index_0);
    tcase_add_loop_test(tests, scans_by_min_and_max_propagate_nan_or_ignore_it, 0, SMALL_FLOATS);
    tcase_add_test(tests, integers_have_no_nan);
    tcase_add_loop_test(tests, nan_results_of_reductions_are_canonical, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, nan_results_of_scans_are_canonical, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, nan_made_by_arithmetic_is_canonical, 0, SMALL_FLOATS);
    suite_add_tcase(suite, tests);
    return suite;
}
