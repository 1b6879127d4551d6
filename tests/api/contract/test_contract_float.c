/*
 * test_contract_float.c: the contract's rows on how far a rounded result may be off, with the
 * constants that docs/numerics.md derives from the orders of cl/core/order.h, and on AVERAGE's
 * count. The exact results are sums of whole numbers, computed in 64 bits.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/small.h"
#include "support/numbers/number.h"

Suite *suite_contract_float(void);

/* Half the distance of 1 to the next number. */
#define UNIT32 0x1p-24
#define UNIT64 0x1p-53

/* Roundings from a term to the result: 31 + 7 in a block of 4096, and again for the blocks. */
#define TERMS 100000
#define FOLD_LEVELS 2
#define FOLD_DEPTH (FOLD_LEVELS * (31 + 7))

/* Of a scan: runs, spans, tiles, the tiles of a stretch; one for each stretch behind it. */
#define SCAN_TERMS 300000
#define SCAN_DEPTH(i) (15 + 15 + 15 + 63 + (i) / 262144)

/* The higher orders: (1 + u)^d - 1 < 1.01 d u. */
#define SLACK 1.01

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

/* Whole numbers of either sign below 2^bits. */
static int64_t next_number(uint64_t *state, int bits) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const int64_t number = (int64_t)(*state >> (64 - bits));
    return (*state >> 7 & 1) != 0 ? number : -number;
}

/* What the terms of a test come to; |x| too. */
typedef struct exact {
    int64_t sum, magnitudes;
    double squares;
} exact;

static float *make_floats(size_t count, exact *totals) {
    float *x = allocate(count * sizeof *x);
    uint64_t state = 1;
    *totals = (exact){0, 0, 0};
    for (size_t k = 0; k < count; k++) {
        const int64_t number = next_number(&state, 24);
        x[k] = (float)number;
        totals->sum += number;
        totals->magnitudes += llabs(number);
        totals->squares += (double)(number * number);
    }
    return x;
}

static float reduce(tally_function function, const float *x) {
    float result = 0;
    const tally_reduce desc = shape_reduce(function, TALLY_F32, SHAPE(TERMS), 1);
    ck_assert(small_reduce(&desc, x, &result));
    return result;
}

static void check_near(const char *what, double result, double expected, double bound) {
    ck_assert_msg(fabs(result - expected) <= bound, "%s: %.17g is %g from %.17g; allowed is %g",
                  what, result, fabs(result - expected), expected, bound);
}

START_TEST(float_sum_is_within_the_error_bound) {
    exact totals;
    float *x = make_floats(TERMS, &totals);
    const double bound = SLACK * FOLD_DEPTH * UNIT32 * (double)totals.magnitudes;
    check_near("sum", reduce(TALLY_SUM, x), (double)totals.sum, bound);
    check_near("l1", reduce(TALLY_L1, x), (double)totals.magnitudes, bound);
    check_near("average", reduce(TALLY_AVERAGE, x), (double)totals.sum / TERMS,
               (bound + SLACK * UNIT32 * (double)llabs(totals.sum)) / TERMS);
    const double relative = SLACK * (FOLD_DEPTH + 1) * UNIT32;
    check_near("sum_square", reduce(TALLY_SUM_SQUARE, x), totals.squares,
               relative * totals.squares);
    check_near("l2", reduce(TALLY_L2, x), sqrt(totals.squares),
               (relative / 2 + UNIT32) * sqrt(totals.squares));
    free(x);
}
END_TEST

/* Numbers of 44 bits, whose sums pass 53 bits, but not the 63 of the exact ones. */
START_TEST(double_sum_is_within_the_error_bound) {
    double *x = allocate(TERMS * sizeof *x), result = 0;
    uint64_t state = 2;
    int64_t sum = 0, magnitudes = 0;
    for (size_t k = 0; k < TERMS; k++) {
        const int64_t number = llabs(next_number(&state, 44)) - (int64_t)(k % 7);
        x[k] = (double)number;
        sum += number;
        magnitudes += llabs(number);
    }
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F64, SHAPE(TERMS), 1);
    if (small_reduce(&desc, x, &result)) {
        const double bound = SLACK * FOLD_DEPTH * UNIT64 * (double)magnitudes;
        ck_assert(fabs(result) < 0x1p62);
        ck_assert_msg((double)llabs((int64_t)result - sum) <= bound, "%.17g is %lld off", result,
                      (long long)((int64_t)result - sum));
    }
    free(x);
}
END_TEST

/* Sums of small whole numbers are exact in float32, so that only the last rounding is left. */
START_TEST(half_sum_is_off_by_one_rounding) {
    uint16_t *x = allocate(TERMS * sizeof *x), result = 0;
    uint64_t state = 3;
    int64_t sum = 0;
    for (size_t k = 0; k < TERMS; k++) {
        const int64_t number = next_number(&state, 4) + (int64_t)(k % 100 == 0);
        x[k] = (uint16_t)number_from(TALLY_F16, (double)number);
        sum += number;
    }
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F16, SHAPE(TERMS), 1);
    ck_assert(small_reduce(&desc, x, &result));
    ck_assert_uint_eq(result, number_from(TALLY_F16, (double)sum));
    free(x);
}
END_TEST

START_TEST(float_scan_is_within_the_error_bound) {
    exact totals;
    float *x = make_floats(SCAN_TERMS, &totals);
    float *results = allocate(SCAN_TERMS * sizeof *results);
    int64_t sum = 0, magnitudes = 0;
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(SCAN_TERMS), 0);
    ck_assert(small_cumulative(&desc, x, results));
    for (size_t k = 0; k < SCAN_TERMS; k++) {
        sum += (int64_t)x[k];
        magnitudes += llabs((int64_t)x[k]);
        const double bound = SLACK * (double)SCAN_DEPTH(k) * UNIT32 * (double)magnitudes;
        check_near("a running sum", results[k], (double)sum, bound);
    }
    free(results);
    free(x);
}
END_TEST

/* 1000 factors of 13 bits near 1; in double their product is off by 2^-43 at most. */
START_TEST(float_product_is_within_the_error_bound) {
    float x[1000], result = 0, scanned[1000];
    double product = 1;
    uint64_t state = 4;
    for (size_t k = 0; k < 1000; k++) {
        x[k] = (float)(1 + (double)next_number(&state, 8) * 0x1p-12);
        product *= (double)x[k];
    }
    const double bound = SLACK * 999 * UNIT32 * product;
    const tally_reduce fold = shape_reduce(TALLY_MULTIPLY, TALLY_F32, SHAPE(1000), 1);
    const tally_cumulative scan = shape_scan(TALLY_MULTIPLY, TALLY_F32, SHAPE(1000), 0);
    ck_assert(small_reduce(&fold, x, &result));
    check_near("product", (double)result, product, bound);
    ck_assert(small_cumulative(&scan, x, scanned));
    check_near("the last running product", (double)scanned[999], product, bound);
}
END_TEST

/* The device's logarithm and exponential have 3 ulp, 6 units, each. */
START_TEST(float_logarithms_are_within_the_error_bound) {
    float *x = allocate(TERMS * sizeof *x);
    uint64_t state = 5;
    double sum = 0, weights = 0;
    for (size_t k = 0; k < TERMS; k++) {
        x[k] = (float)llabs(next_number(&state, 20)) * 0x1p-14f; /* from 0 to 64 */
        sum += (double)x[k];
        weights += exp((double)x[k] - 64);
    }
    const double relative = SLACK * FOLD_DEPTH * UNIT32;
    check_near("log_sum", (double)reduce(TALLY_LOG_SUM, x), log(sum),
               relative + 6 * UNIT32 * log(sum));
    const double expected = 64 + log(weights);
    const double shifted = SLACK * UNIT32 * (8 * FOLD_DEPTH + 7 + 6 * log(TERMS) + expected);
    check_near("log_sum_exp", (double)reduce(TALLY_LOG_SUM_EXP, x), expected, shifted);
    free(x);
}
END_TEST

/* ---- AVERAGE's count ----------------------------------------------------------------------- */

/*
 * 3355445 times {1, 0, 0, 0, 0}: the sum is exact, the count 16777225 = 2^24 + 9 is rounded to
 * 2^24 + 8 in float32. 3355445 / 16777224 is 0.2000000119, nearer to 0x3E4CCCCE than to the
 * 0x3E4CCCCD that the quotient of the exact numbers, 0.2, would give. Float64 has the exact one.
 */
START_TEST(count_of_an_average_is_rounded_once) {
    const uint32_t x32[5] = {0x3F800000, 0, 0, 0, 0};
    const uint64_t x64[5] = {0x3FF0000000000000, 0, 0, 0, 0};
    uint32_t average32 = 0;
    uint64_t average64 = 0;
    tally_reduce desc = shape_reduce(TALLY_AVERAGE, TALLY_F32, SHAPE(3355445, 5), 3);
    shape_repeat(&desc.input, 1);
    ck_assert(small_reduce(&desc, x32, &average32));
    ck_assert_uint_eq(average32, 0x3E4CCCCE);
    desc.input.dtype = desc.output.dtype = TALLY_F64;
    if (small_reduce(&desc, x64, &average64)) {
        ck_assert_uint_eq(average64, 0x3FC999999999999A);
    }
}
END_TEST

Suite *suite_contract_float(void) {
    Suite *suite = suite_create("contract_float");
    TCase *tests = tcase_create("contract_float");
    tcase_add_test(tests, float_sum_is_within_the_error_bound);
    tcase_add_test(tests, double_sum_is_within_the_error_bound);
    tcase_add_test(tests, half_sum_is_off_by_one_rounding);
    tcase_add_test(tests, float_scan_is_within_the_error_bound);
    tcase_add_test(tests, float_product_is_within_the_error_bound);
    tcase_add_test(tests, float_logarithms_are_within_the_error_bound);
    tcase_add_test(tests, count_of_an_average_is_rounded_once);
    suite_add_tcase(suite, tests);
    return suite;
}
