/*
 * test_contract_examples.c: the examples of docs/operators.md that are not DirectML's: those are in
 * test_examples.c.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"

Suite *suite_contract_examples(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The logarithms are printed with six digits. */
START_TEST(each_function_of_3_and_4) {
    static const struct {
        tally_function function;
        float result;
    } rows[] = {
        {TALLY_AVERAGE, 3.5f},
        {TALLY_L1, 7},
        {TALLY_L2, 5},
        {TALLY_LOG_SUM, 1.94591f},
        {TALLY_LOG_SUM_EXP, 4.31326f},
        {TALLY_MAX, 4},
        {TALLY_MIN, 3},
        {TALLY_MULTIPLY, 12},
        {TALLY_SUM, 7},
        {TALLY_SUM_SQUARE, 25},
    };
    const float x[2] = {3, 4};
    for (size_t k = 0; k < COUNT(rows); k++) {
        const tally_reduce desc = shape_reduce(rows[k].function, TALLY_F32, SHAPE(2), 1);
        const bool log = rows[k].function == TALLY_LOG_SUM || rows[k].function == TALLY_LOG_SUM_EXP;
        float result = 0;
        call_reduce(&desc, x, &result);
        ck_assert_msg(fabsf(result - rows[k].result) <= (log ? 5e-6f : 0), "row %zu: %.9g", k,
                      (double)result);
    }
}
END_TEST

static uint32_t index_of(tally_function function, shape sizes, const float *x, tally_tie tie,
                         tally_nan nan) {
    tally_reduce desc = shape_reduce(function, TALLY_F32, sizes, 1);
    uint32_t index = 99;
    desc.tie = tie;
    desc.nan = nan;
    call_reduce(&desc, x, &index);
    return index;
}

START_TEST(indices_of_extremes) {
    const float x[2] = {3, 4}, ties[5] = {3, 2, 1, 2, 3}, nans[3] = {3, NAN, 1};
    const tally_tie first = TALLY_TIE_FIRST, last = TALLY_TIE_LAST;
    const tally_nan win = TALLY_NAN_PROPAGATE, lose = TALLY_NAN_IGNORE;
    ck_assert_uint_eq(index_of(TALLY_ARGMAX, SHAPE(2), x, first, win), 1);
    ck_assert_uint_eq(index_of(TALLY_ARGMIN, SHAPE(2), x, first, win), 0);
    ck_assert_uint_eq(index_of(TALLY_ARGMAX, SHAPE(5), ties, first, win), 0);
    ck_assert_uint_eq(index_of(TALLY_ARGMAX, SHAPE(5), ties, last, win), 4);
    ck_assert_uint_eq(index_of(TALLY_ARGMAX, SHAPE(3), nans, first, win), 1);
    ck_assert_uint_eq(index_of(TALLY_ARGMAX, SHAPE(3), nans, first, lose), 0);
}
END_TEST

START_TEST(running_minimum_and_maximum) {
    static const struct {
        tally_function function;
        bool descending, exclusive;
        float results[5];
    } rows[] = {
        {TALLY_MIN, false, false, {3, 1, 1, 0, 0}},
        {TALLY_MIN, false, true, {INFINITY, 3, 1, 1, 0}},
        {TALLY_MAX, true, false, {5, 5, 5, 5, 5}},
        {TALLY_MAX, false, false, {3, 3, 3, 3, 5}},
    };
    const float x[5] = {3, 1, 2, 0, 5};
    for (size_t k = 0; k < COUNT(rows); k++) {
        tally_cumulative desc = shape_scan(rows[k].function, TALLY_F32, SHAPE(5), 0);
        float results[5];
        desc.descending = rows[k].descending;
        desc.exclusive = rows[k].exclusive;
        call_cumulative(&desc, x, results);
        ck_assert_msg(memcmp(results, rows[k].results, sizeof results) == 0, "row %zu", k);
    }
}
END_TEST

/* Trilu's two halves and EyeLike, as the last section maps them. */
START_TEST(triangles_and_an_eye) {
    const int32_t x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const struct {
        int64_t begin, end;
        int32_t results[9];
    } rows[] = {
        {INT64_MIN, 0, {1, 2, 3, 0, 5, 6, 0, 0, 9}},
        {INT64_MIN, 1, {0, 2, 3, 0, 0, 6, 0, 0, 0}},
        {1, INT64_MAX, {1, 0, 0, 4, 5, 0, 7, 8, 9}},
        {0, INT64_MAX, {0, 0, 0, 4, 0, 0, 7, 8, 0}},
    };
    const tally_tensor matrix = shape_tensor(TALLY_I32, SHAPE(3, 3));
    int32_t results[9];
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = matrix;
    desc.value.i32 = 1;
    desc.begin = -1;
    call_diagonal(&desc, NULL, results);
    ck_assert_mem_eq(results, ((const int32_t[9]){0, 0, 0, 1, 0, 0, 0, 1, 0}), sizeof results);
    desc.input = &matrix;
    desc.value.i32 = 0;
    for (size_t k = 0; k < COUNT(rows); k++) {
        desc.begin = rows[k].begin;
        desc.end = rows[k].end;
        call_diagonal(&desc, x, results);
        ck_assert_msg(memcmp(results, rows[k].results, sizeof results) == 0, "row %zu", k);
    }
}
END_TEST

Suite *suite_contract_examples(void) {
    Suite *suite = suite_create("contract_examples");
    TCase *tests = tcase_create("contract_examples");
    tcase_add_test(tests, each_function_of_3_and_4);
    tcase_add_test(tests, indices_of_extremes);
    tcase_add_test(tests, running_minimum_and_maximum);
    tcase_add_test(tests, triangles_and_an_eye);
    suite_add_tcase(suite, tests);
    return suite;
}
