/*
 * test_math.c: cl/core/math.cl compiled as C: exp, log, square root and quotient at their edges and
 * at a sample of all inputs. All of them, and more of float64, are for tests/math/exhaustive.c.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <check.h>

#include "support/numbers/math_c.h"
#include "support/numbers/math_check.h"

static double most_ulp(math_function function) {
    return function == MATH_SQRT_F32 || function == MATH_DIVIDE_F32 ? 0 : 2;
}

static void expect(math_function function, math_worst worst) {
    if (!(worst.ulp <= most_ulp(function)))
        ck_abort_msg("%s is off by %g ULP at 0x%llX (divisor 0x%llX)", math_name(function),
                     worst.ulp, (unsigned long long)worst.bits, (unsigned long long)worst.other);
}

static void expect_one(math_function function, uint64_t bits, uint64_t other) {
    expect(function, (math_worst){math_check_one(function, bits, other), bits, other});
}

/* Each edge, the numbers beside it, and their negatives. */
START_TEST(edges_are_right) {
    const uint32_t *narrow = NULL;
    const uint64_t *wide = NULL;
    const int narrows = math_edges_f32(&narrow), wides = math_edges_f64(&wide);
    for (int i = 0; i < 6 * narrows; i++) {
        const uint32_t bits = (narrow[i / 6] + (uint32_t)(i % 3) - 1) ^ (i / 3 % 2 ? 1u << 31 : 0);
        expect_one(MATH_EXP_F32, math_in_domain(MATH_EXP_F32, bits), 0);
        expect_one(MATH_LOG_F32, bits, 0);
        expect_one(MATH_SQRT_F32, bits, 0);
        for (int k = 0; k < narrows; k++) {
            expect_one(MATH_DIVIDE_F32, bits, narrow[k]);
            expect_one(MATH_DIVIDE_F32, bits, narrow[k] ^ 1u << 31);
        }
    }
    for (int i = 0; i < 6 * wides; i++) {
        const uint64_t sign = i / 3 % 2 ? (uint64_t)1 << 63 : 0;
        const uint64_t bits = (wide[i / 6] + (uint64_t)(i % 3) - 1) ^ sign;
        expect_one(MATH_EXP_F64, math_in_domain(MATH_EXP_F64, bits), 0);
        expect_one(MATH_LOG_F64, bits, 0);
    }
}
END_TEST

/* Every 4099th float, and as many of the others as take a second or so. */
START_TEST(samples_are_right) {
    static const uint64_t counts[MATH_FUNCTIONS] = {1047808, 1047808, 1047808,
                                                    2000000, 100000,  100000};
    for (math_function function = 0; function < MATH_FUNCTIONS; function++)
        expect(function, math_check(function, 0, counts[function], 4099));
}
END_TEST

/* The values that the contract's other rows rest on, bit for bit. */
START_TEST(exact_values_are_exact) {
    const float infinite = (float)INFINITY, not_a_number = (float)NAN;
    const float x[] = {0, -0.0f, -infinite, infinite, not_a_number, 1, -1};
    const float logs[] = {-infinite,    -infinite, not_a_number, infinite,
                          not_a_number, 0,         not_a_number};
    float out[7];
    math_c_log_f32(x, out, 7);
    for (int i = 0; i < 7; i++)
        if (!(isnan(logs[i]) && isnan(out[i])))
            ck_assert_mem_eq(&out[i], &logs[i], sizeof out[i]);
    const double one = 1, zero = 0;
    double wide;
    math_c_log_f64(&one, &wide, 1);
    ck_assert_mem_eq(&wide, &zero, sizeof wide);
}
END_TEST

/* A weight is 1 at the top; below the clamp, and of NaN of either sign, it is that of the clamp. */
START_TEST(exp_is_clamped) {
    static const float narrow[] = {-0x1.5c0002p6f,   -88, -104,        -1e30f,
                                   -(float)INFINITY, NAN, -(float)NAN, -87};
    static const double wide[] = {-0x1.6200000000001p9, -709, -745,         -1e300,
                                  -(double)INFINITY,    NAN,  -(double)NAN, -708};
    const float zeros[] = {0, -0.0f}, ones[] = {1, 1};
    const double wide_zeros[] = {0, -0.0}, wide_ones[] = {1, 1};
    float out[8];
    double wide_out[8];
    math_c_exp_f32(zeros, out, 2);
    ck_assert_mem_eq(out, ones, sizeof ones);
    math_c_exp_f64(wide_zeros, wide_out, 2);
    ck_assert_mem_eq(wide_out, wide_ones, sizeof wide_ones);
    math_c_exp_f32(narrow, out, 8);
    math_c_exp_f64(wide, wide_out, 8);
    for (int i = 0; i < 8; i++) {
        ck_assert_mem_eq(&out[i], &out[7], sizeof out[i]);
        ck_assert_mem_eq(&wide_out[i], &wide_out[7], sizeof wide_out[i]);
    }
    ck_assert(out[7] > 0x1p-126f && out[7] < 0x1p-125f); /* normal: no device need flush it */
    ck_assert(wide_out[7] > 0x1p-1022 && wide_out[7] < 0x1p-1021);
}
END_TEST

Suite *suite_math(void);

Suite *suite_math(void) {
    Suite *suite = suite_create("math");
    TCase *tests = tcase_create("math");
    tcase_add_test(tests, edges_are_right);
    tcase_add_test(tests, samples_are_right);
    tcase_add_test(tests, exact_values_are_exact);
    tcase_add_test(tests, exp_is_clamped);
    suite_add_tcase(suite, tests);
    return suite;
}
