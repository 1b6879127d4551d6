/*
 * floats.h: sums, products and logarithms of floats with their bounds. Inside of the oracle:
 * it knows terms and formats, but neither tensors nor operators.
 *
 * The library computes float16 and float32 in float32, float64 in float64, and rounds once to the
 * output. Let u be half the distance of 1 to the next number of that compute type.
 *
 *   sum       A term goes through at most d roundings, d = min(depth, count - 1): the result is off
 *             by at most ((1 + u)^d - 1) sum|x|, which stays below 1.01 d u sum|x| as long as
 *             d u < 0.01. If all terms are multiples of one power of two and sum|x| is so small
 *             that every partial sum is a number of the type, it is exact in any order.
 *   squares   One more rounding for each, and an absolute half denormal each.
 *   product   Every rounding stays in the result, whatever the order: relative, count - 1 of them.
 *             Where a partial product may be denormal, each rounding adds a denormal, enlarged by
 *             the factors above 1.
 *   overflow  Where a partial result may pass the largest number in some order, an infinity is
 *             accepted too, and NaN where both may happen.
 *   log       At most 2 ulp, that is 4 u of its own value.
 *
 * Ends of an interval go through correctly rounded, hence monotonic, operations (division, square
 * root, rounding to the type) as a result would, so those add nothing.
 */
#ifndef TESTS_SUPPORT_ORACLE_FLOATS_H
#define TESTS_SUPPORT_ORACLE_FLOATS_H

#include "support/numbers/number.h"
#include "value.h"

/* What is known of the terms of a sum so far. */
typedef struct oracle_sum {
    uint64_t count;
    bool nan, positive_inf, negative_inf;
    bool only_minus_zero; /* of at least one term */
    bool rounded;         /* the terms were rounded themselves: squares */
    int low_bit;          /* all finite terms are multiples of 2^low_bit */
    quad positive;        /* the sum of the positive terms */
    quad negative;        /* the sum of the negative terms' magnitudes */
} oracle_sum;

/* What is known of the factors of a product so far. */
typedef struct oracle_product {
    uint64_t count;
    bool nan, inf, zero;
    bool minus;       /* the sign of the product */
    quad significand; /* of the finite factors' magnitudes: significand * 2^exponent */
    int64_t exponent;
    double odd;   /* bits of the product of the factors' odd parts */
    double large; /* log2 of the product of the factors above 1 */
    double small; /* log2 of the product of the factors below 1 */
} oracle_product;

#define ORACLE_SUM_INIT                                                                            \
    { 0, false, false, false, true, false, INT32_MAX, 0, 0 }
#define ORACLE_PRODUCT_INIT                                                                        \
    { 0, false, false, false, false, 1, 0, 0, 0, 0 }

void oracle_sum_add(oracle_sum *sum, double term);
void oracle_sum_add_square(oracle_sum *sum, double x);
void oracle_product_add(oracle_product *product, double factor);

/*
 * What the library may return for these terms. dtype is the output's type; depth bounds the
 * roundings between any one term of a sum and the result, by the library's order for so many.
 */
oracle_value oracle_float_sum(const oracle_sum *sum, tally_dtype dtype, double depth);
oracle_value oracle_float_average(const oracle_sum *sum, tally_dtype dtype, double depth);
oracle_value oracle_float_root(const oracle_sum *sum, tally_dtype dtype, double depth);
oracle_value oracle_float_log(const oracle_sum *sum, tally_dtype dtype, double depth);
oracle_value oracle_float_product(const oracle_product *product, tally_dtype dtype);

/* ln(sum(exp(x))) of count terms. */
oracle_value oracle_float_log_sum_exp(const double *x, uint64_t count, tally_dtype dtype,
                                      double depth);

#endif
