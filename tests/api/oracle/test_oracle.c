/*
 * test_oracle.c: the oracle's reductions against values worked out by hand: what the device tests
 * trust must first be right here. No device is used.
 */
#include <check.h>

#include "support/numbers/number.h"
#include "support/oracle/oracle.h"

Suite *suite_oracle(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static tally_reduce row_of(tally_function function, tally_dtype in, tally_dtype out, uint64_t n) {
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = function;
    desc.input = (tally_tensor){in, 1, 0, {n}, {0}};
    desc.output = (tally_tensor){out, 1, 0, {1}, {0}};
    desc.axes = 1;
    return desc;
}

static oracle_value reduce_floats(tally_function function, tally_nan nan, tally_tie tie,
                                  const float *x, uint64_t n) {
    const bool index = function == TALLY_ARGMAX || function == TALLY_ARGMIN;
    tally_reduce desc = row_of(function, TALLY_F32, index ? TALLY_I32 : TALLY_F32, n);
    oracle_value expected;
    desc.nan = nan;
    desc.tie = tie;
    oracle_reduce(&desc, x, &expected);
    return expected;
}

#define MAX_TERMS 6
#define INF INFINITY

/* Results that have one pattern only. */
START_TEST(exact_float_results) {
    static const struct {
        tally_function function;
        tally_nan nan;
        uint64_t n;
        float x[MAX_TERMS];
        float result;
    } rows[] = {
        {TALLY_SUM, TALLY_NAN_PROPAGATE, 0, {0}, 0},
        {TALLY_SUM, TALLY_NAN_PROPAGATE, 2, {-0.0f, -0.0f}, -0.0f},
        {TALLY_SUM, TALLY_NAN_PROPAGATE, 2, {-0.0f, 0.0f}, 0.0f},
        {TALLY_SUM, TALLY_NAN_PROPAGATE, 2, {1, -1}, 0.0f},
        {TALLY_SUM, TALLY_NAN_PROPAGATE, 3, {INF, 1, INF}, INF},
        {TALLY_SUM, TALLY_NAN_PROPAGATE, 2, {INF, -INF}, NAN},
        {TALLY_SUM, TALLY_NAN_IGNORE, 2, {1, NAN}, NAN},
        {TALLY_AVERAGE, TALLY_NAN_PROPAGATE, 0, {0}, NAN},
        {TALLY_AVERAGE, TALLY_NAN_PROPAGATE, 3, {1, 1, 2}, 4.0f / 3.0f},
        {TALLY_L1, TALLY_NAN_PROPAGATE, 1, {-0.0f}, 0.0f},
        {TALLY_L1, TALLY_NAN_PROPAGATE, 3, {-1, 2, -INF}, INF},
        {TALLY_L2, TALLY_NAN_PROPAGATE, 2, {3, -4}, 5},
        {TALLY_L2, TALLY_NAN_PROPAGATE, 2, {1, 1}, 1.41421354f},
        {TALLY_L2, TALLY_NAN_PROPAGATE, 1, {-0.0f}, 0.0f},
        {TALLY_LOG_SUM, TALLY_NAN_PROPAGATE, 2, {3, -2}, 0.0f},
        {TALLY_LOG_SUM, TALLY_NAN_PROPAGATE, 2, {2, -2}, -INF},
        {TALLY_LOG_SUM, TALLY_NAN_PROPAGATE, 2, {2, -3}, NAN},
        {TALLY_LOG_SUM, TALLY_NAN_PROPAGATE, 0, {0}, -INF},
        {TALLY_LOG_SUM, TALLY_NAN_PROPAGATE, 1, {-0.0f}, -INF},
        {TALLY_LOG_SUM_EXP, TALLY_NAN_PROPAGATE, 0, {0}, -INF},
        {TALLY_LOG_SUM_EXP, TALLY_NAN_PROPAGATE, 2, {-INF, -INF}, -INF},
        {TALLY_LOG_SUM_EXP, TALLY_NAN_PROPAGATE, 3, {-INF, INF, 0}, INF},
        {TALLY_LOG_SUM_EXP, TALLY_NAN_PROPAGATE, 3, {-INF, INF, NAN}, NAN},
        {TALLY_MAX, TALLY_NAN_PROPAGATE, 0, {0}, -INF},
        {TALLY_MIN, TALLY_NAN_PROPAGATE, 0, {0}, INF},
        {TALLY_MAX, TALLY_NAN_PROPAGATE, 2, {-0.0f, 0.0f}, 0.0f},
        {TALLY_MIN, TALLY_NAN_PROPAGATE, 2, {0.0f, -0.0f}, -0.0f},
        {TALLY_MAX, TALLY_NAN_PROPAGATE, 2, {NAN, INF}, NAN},
        {TALLY_MAX, TALLY_NAN_IGNORE, 3, {NAN, -INF, NAN}, -INF},
        {TALLY_MIN, TALLY_NAN_IGNORE, 3, {NAN, 7, 3}, 3},
        {TALLY_MIN, TALLY_NAN_IGNORE, 2, {NAN, NAN}, NAN},
        {TALLY_MULTIPLY, TALLY_NAN_PROPAGATE, 0, {0}, 1},
        {TALLY_MULTIPLY, TALLY_NAN_PROPAGATE, 3, {-1, 2, 0.5f}, -1},
        {TALLY_MULTIPLY, TALLY_NAN_PROPAGATE, 3, {-1, 2, 0}, -0.0f},
        {TALLY_MULTIPLY, TALLY_NAN_PROPAGATE, 2, {0, INF}, NAN},
        {TALLY_MULTIPLY, TALLY_NAN_PROPAGATE, 2, {-2, INF}, -INF},
        {TALLY_SUM_SQUARE, TALLY_NAN_PROPAGATE, 3, {-3, 0, 2}, 13},
        {TALLY_SUM_SQUARE, TALLY_NAN_PROPAGATE, 2, {-INF, 0}, INF},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const oracle_value got =
            reduce_floats(rows[k].function, rows[k].nan, TALLY_TIE_FIRST, rows[k].x, rows[k].n);
        const uint64_t bits = number_from(TALLY_F32, (double)rows[k].result);
        ck_assert_msg(got.exact && got.bits == bits,
                      "row %zu: exact %d, bits 0x%llx, low %g, high %g; not 0x%llx", k, got.exact,
                      (unsigned long long)got.bits, got.low, got.high, (unsigned long long)bits);
    }
}
END_TEST

/* Results within bounds: what is taken and what is not. */
START_TEST(bounded_float_results) {
    static const struct {
        tally_function function;
        uint64_t n;
        float x[MAX_TERMS];
        float right, wrong;
    } rows[] = {
        {TALLY_SUM, 3, {1e8f, 1, -1e8f}, 0, 40}, /* 0 or 1 by the order */
        {TALLY_SUM, 3, {1e8f, 1, -1e8f}, 1, -0.0f},
        {TALLY_SUM, 2, {1e8f, 1}, 1e8f, 100000016.0f}, /* two terms: half an ulp and a little */
        {TALLY_SUM, 3, {3e38f, 3e38f, -3e38f}, 3e38f, NAN},
        {TALLY_SUM, 3, {3e38f, 3e38f, -3e38f}, INF, -INF},
        {TALLY_SUM, 4, {3e38f, 3e38f, -3e38f, -3e38f}, NAN, 1e38f},
        {TALLY_L2, 1, {1e30f}, INF, 1e30f}, /* the square overflows */
        {TALLY_L2, 2, {1.1f, 1}, 1.48660690f, 1.48661f},
        {TALLY_LOG_SUM, 1, {2}, 0.693147182f, 0.693148f},
        {TALLY_LOG_SUM, 2, {1, 0x1p-20f}, 0x1.fffffp-21f, 0x1.01p-20f},
        {TALLY_LOG_SUM, 3, {1e8f, 1, -1e8f}, NAN, 5}, /* ln of what may be 0 or below */
        {TALLY_LOG_SUM_EXP, 2, {100, -100}, 100, 100.001f},
        {TALLY_LOG_SUM_EXP, 2, {0, 0}, 0.693147182f, 0.69315f},
        {TALLY_LOG_SUM_EXP, 1, {-1e30f}, -1e30f, -1.1e30f},
        {TALLY_MULTIPLY, 2, {1.1f, 1.1f}, 1.21000009f, 1.2101f},
        {TALLY_MULTIPLY, 3, {1e30f, 1e30f, 1e-30f}, INF, -INF},
        {TALLY_MULTIPLY, 3, {1e30f, 1e30f, 1e-30f}, 1e30f, 1.1e30f},
        {TALLY_MULTIPLY, 3, {-1e-30f, 1e-30f, 1}, -0.0f, 0.0f},
        {TALLY_MULTIPLY, 4, {1e30f, 1e30f, 1e-30f, 1e-30f}, 0, -0.0f},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const oracle_value got = reduce_floats(rows[k].function, TALLY_NAN_PROPAGATE,
                                               TALLY_TIE_FIRST, rows[k].x, rows[k].n);
        const uint64_t right = number_from(TALLY_F32, (double)rows[k].right);
        const uint64_t wrong = number_from(TALLY_F32, (double)rows[k].wrong);
        ck_assert_msg(oracle_accepts(&got, TALLY_F32, right),
                      "row %zu refuses %.9g: [%.17g, %.17g]", k, (double)rows[k].right, got.low,
                      got.high);
        ck_assert_msg(!oracle_accepts(&got, TALLY_F32, wrong), "row %zu takes %.9g: [%.17g, %.17g]",
                      k, (double)rows[k].wrong, got.low, got.high);
    }
}
END_TEST

START_TEST(other_nan_patterns_are_wrong) {
    const float x[] = {NAN, 1};
    const oracle_value got =
        reduce_floats(TALLY_MAX, TALLY_NAN_PROPAGATE, TALLY_TIE_FIRST, x, COUNT(x));
    ck_assert(oracle_accepts(&got, TALLY_F32, 0x7FC00000));
    ck_assert(!oracle_accepts(&got, TALLY_F32, 0xFFC00000));
    ck_assert(!oracle_accepts(&got, TALLY_F32, 0x7FC00001));
}
END_TEST

START_TEST(index_of_extreme) {
    static const struct {
        tally_function function;
        tally_nan nan;
        uint64_t n;
        float x[MAX_TERMS];
        uint64_t first, last;
    } rows[] = {
        {TALLY_ARGMAX, TALLY_NAN_PROPAGATE, 4, {1, 3, 3, 2}, 1, 2},
        {TALLY_ARGMIN, TALLY_NAN_PROPAGATE, 4, {1, 3, 1, 2}, 0, 2},
        {TALLY_ARGMIN, TALLY_NAN_PROPAGATE, 3, {0.0f, -0.0f, 1}, 0, 1},
        {TALLY_ARGMAX, TALLY_NAN_PROPAGATE, 5, {1, NAN, INF, NAN, 2}, 1, 3},
        {TALLY_ARGMIN, TALLY_NAN_PROPAGATE, 3, {-INF, 1, NAN}, 2, 2},
        {TALLY_ARGMAX, TALLY_NAN_IGNORE, 5, {NAN, 1, 2, 2, NAN}, 2, 3},
        {TALLY_ARGMIN, TALLY_NAN_IGNORE, 3, {NAN, NAN, INF}, 2, 2},
        {TALLY_ARGMAX, TALLY_NAN_IGNORE, 3, {NAN, NAN, -INF}, 2, 2},
        {TALLY_ARGMAX, TALLY_NAN_IGNORE, 3, {NAN, NAN, NAN}, 0, 0},
        {TALLY_ARGMAX, TALLY_NAN_PROPAGATE, 3, {NAN, NAN, NAN}, 0, 2},
        {TALLY_ARGMAX, TALLY_NAN_PROPAGATE, 1, {5}, 0, 0},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const oracle_value first =
            reduce_floats(rows[k].function, rows[k].nan, TALLY_TIE_FIRST, rows[k].x, rows[k].n);
        const oracle_value last =
            reduce_floats(rows[k].function, rows[k].nan, TALLY_TIE_LAST, rows[k].x, rows[k].n);
        ck_assert_msg(first.exact && first.bits == rows[k].first, "row %zu, first", k);
        ck_assert_msg(last.exact && last.bits == rows[k].last, "row %zu, last", k);
    }
}
END_TEST

/* ---- Reductions of other types --------------------------------------------------------------- */

START_TEST(integers_wrap) {
    static const int32_t x[] = {INT32_MIN, -1, 3};
    static const struct {
        tally_function function;
        uint32_t result;
    } rows[] = {
        {TALLY_SUM, 0x80000002}, {TALLY_MULTIPLY, 0x80000000},
        {TALLY_L1, 0x80000004},  {TALLY_SUM_SQUARE, 10},
        {TALLY_MAX, 3},          {TALLY_MIN, 0x80000000},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const tally_reduce desc = row_of(rows[k].function, TALLY_I32, TALLY_I32, COUNT(x));
        oracle_value got;
        oracle_reduce(&desc, x, &got);
        ck_assert_msg(got.exact && got.bits == rows[k].result, "row %zu: 0x%llx", k,
                      (unsigned long long)got.bits);
    }
    tally_reduce desc = row_of(TALLY_MAX, TALLY_U32, TALLY_U32, COUNT(x));
    oracle_value got;
    oracle_reduce(&desc, x, &got);
    ck_assert_uint_eq(got.bits, UINT32_MAX);
    desc.input.size[0] = 0;
    oracle_reduce(&desc, x, &got);
    ck_assert_uint_eq(got.bits, 0);
}
END_TEST

/* Four of the largest float16 overflow the type, but not the arithmetic. */
START_TEST(halves_are_computed_in_float) {
    const uint16_t x[] = {0x7BFF, 0x7BFF, 0x7BFF, 0x7BFF};
    oracle_value got;
    tally_reduce desc = row_of(TALLY_SUM, TALLY_F16, TALLY_F16, COUNT(x));
    oracle_reduce(&desc, x, &got);
    ck_assert(got.exact && got.bits == 0x7C00);
    desc.function = TALLY_AVERAGE;
    oracle_reduce(&desc, x, &got);
    ck_assert(got.exact && got.bits == 0x7BFF);
    desc.function = TALLY_LOG_SUM; /* ln 262016 = 12.4761.., in float16 12.4766 */
    oracle_reduce(&desc, x, &got);
    ck_assert(got.exact && got.bits == number_from(TALLY_F16, 12.476160747));
}
END_TEST

/* A float64 sum that loses its small term in double but not in the oracle. */
START_TEST(doubles_are_bounded_in_quad) {
    const double x[] = {0x1p60, 1, -0x1p60};
    const double y[] = {1, 0x1p-53, 0x1p-53};
    oracle_value got;
    tally_reduce desc = row_of(TALLY_SUM, TALLY_F64, TALLY_F64, COUNT(x));
    oracle_reduce(&desc, x, &got);
    ck_assert(oracle_accepts(&got, TALLY_F64, number_from(TALLY_F64, 1)));
    ck_assert(oracle_accepts(&got, TALLY_F64, number_from(TALLY_F64, 0)));
    ck_assert(!oracle_accepts(&got, TALLY_F64, number_from(TALLY_F64, 2000)));
    oracle_reduce(&desc, y, &got);
    ck_assert(oracle_accepts(&got, TALLY_F64, number_from(TALLY_F64, 1)));
    ck_assert(oracle_accepts(&got, TALLY_F64, number_from(TALLY_F64, 1 + DBL_EPSILON)));
    ck_assert(!oracle_accepts(&got, TALLY_F64, number_from(TALLY_F64, 1 + 3 * DBL_EPSILON)));
}
END_TEST

Suite *suite_oracle(void) {
    Suite *suite = suite_create("oracle");
    TCase *tests = tcase_create("oracle");
    tcase_add_test(tests, exact_float_results);
    tcase_add_test(tests, bounded_float_results);
    tcase_add_test(tests, other_nan_patterns_are_wrong);
    tcase_add_test(tests, index_of_extreme);
    tcase_add_test(tests, integers_wrap);
    tcase_add_test(tests, halves_are_computed_in_float);
    tcase_add_test(tests, doubles_are_bounded_in_quad);
    suite_add_tcase(suite, tests);
    return suite;
}
