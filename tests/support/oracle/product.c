/*
 * product.c: products of floats. The bounds are those of floats.h.
 */
#include "floats.h"
#include "interval.h"

void oracle_product_add(oracle_product *product, double factor) {
    int exponent = 0;
    product->count++;
    product->minus = product->minus != (signbit(factor) != 0);
    product->nan = product->nan || isnan(factor);
    product->inf = product->inf || isinf(factor);
    product->zero = product->zero || factor == 0;
    if (!isfinite(factor) || factor == 0) {
        return;
    }
    const double size = log2(fabs(factor));
    product->odd += size - oracle_lowest_bit(factor);
    product->large += size > 0 ? size : 0;
    product->small += size < 0 ? size : 0;
    product->significand = frexpq(product->significand * (quad)fabs(factor), &exponent);
    product->exponent += exponent;
}

/* The product of finite factors other than 0, by magnitude. */
static oracle_interval product_interval(const oracle_product *product, const number_type *compute) {
    const bool over = product->large > compute->max_exponent + 0.99;
    const bool under = product->small < compute->min_exponent + 0.01;
    const int64_t far = 4000; /* beyond the exponents of every type, within those of a quad */
    const int64_t clipped = product->exponent > far    ? far
                            : product->exponent < -far ? -far
                                                       : product->exponent;
    const quad value = ldexpq(product->significand, (int)clipped);
    const double combines = (double)product->count - 1;
    const bool exact = !over && !under && product->odd < compute->precision - 0.01;
    quad error = exact ? 0 : value * (quad)1.01 * (quad)combines * oracle_half_ulp_of_one(compute);
    if (under) {
        const int enlarged = (int)oracle_fewer(product->large, 2000) + 1;
        error += (quad)combines * ldexpq(oracle_smallest_number(compute), enlarged);
    }
    oracle_interval range = {value > error ? value - error : 0, value + error, 0};
    if (over && under) {
        range.low = 0;
        range.high = (quad)INFINITY;
    }
    range.also |= over ? ORACLE_POSITIVE_INF : 0;
    range.also |= over && under ? ORACLE_NAN : 0;
    return range;
}

/* Infinite and zero factors: what is certain, and NaN where the finite ones may run over. */
static oracle_interval special_product(const oracle_product *product, const number_type *compute) {
    const bool over = product->large > compute->max_exponent + 0.99;
    const bool under = product->small < compute->min_exponent + 0.01;
    oracle_interval range = {0, 0, 0};
    if (product->nan || (product->inf && product->zero)) {
        range.low = range.high = (quad)NAN;
    } else if (product->inf) {
        range.low = range.high = (quad)INFINITY;
        range.also = under ? ORACLE_NAN : 0;
    } else {
        range.also = over ? ORACLE_NAN : 0;
    }
    return range;
}

oracle_value oracle_float_product(const oracle_product *product, tally_dtype dtype) {
    const number_type *compute = oracle_compute_type(dtype);
    const bool special = product->nan || product->inf || product->zero;
    oracle_interval range =
        special ? special_product(product, compute) : product_interval(product, compute);
    if (product->minus) {
        const quad low = range.low;
        range.low = -range.high;
        range.high = -low;
        if ((range.also & ORACLE_POSITIVE_INF) != 0) {
            range.also ^= ORACLE_POSITIVE_INF | ORACLE_NEGATIVE_INF;
        }
    }
    range.also |= product->minus ? ORACLE_NO_PLUS_ZERO : ORACLE_NO_MINUS_ZERO;
    return oracle_settle(range, dtype);
}
