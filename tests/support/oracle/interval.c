/*
 * interval.c: compute types, rounding of intervals, and the judgement of an element. It
 * knows neither terms nor operators.
 */
#include "interval.h"

const number_type *oracle_compute_type(tally_dtype dtype) {
    return number_type_of(dtype == TALLY_F64 ? TALLY_F64 : TALLY_F32);
}

quad oracle_power_of_two(int exponent) {
    return ldexpq(1, exponent);
}

quad oracle_half_ulp_of_one(const number_type *compute) {
    return oracle_power_of_two(-compute->precision);
}

quad oracle_smallest_number(const number_type *compute) {
    return oracle_power_of_two(compute->min_exponent - compute->precision + 1);
}

quad oracle_above_largest(const number_type *compute) {
    return oracle_power_of_two(compute->max_exponent + 1);
}

oracle_value oracle_bits(uint64_t bits) {
    const oracle_value value = {true, bits, 0, 1, 0};
    return value;
}

oracle_value oracle_exactly(tally_dtype dtype, double value) {
    return oracle_bits(number_encode(number_type_of(dtype), value));
}

oracle_value oracle_settle(oracle_interval range, tally_dtype dtype) {
    const number_type *compute = oracle_compute_type(dtype);
    const number_type *type = number_type_of(dtype);
    const double low = number_round(type, (quad)number_round(compute, range.low));
    const double high = number_round(type, (quad)number_round(compute, range.high));
    const uint32_t possible = ORACLE_NAN | ORACLE_POSITIVE_INF | ORACLE_NEGATIVE_INF;
    oracle_value value = {false, 0, range.also, low, high};
    if ((range.also & possible) == 0 && (isnan(low) || low == high)) {
        return oracle_exactly(dtype, low);
    }
    return value;
}

int oracle_lowest_bit(double x) {
    int exponent = 0;
    const double scaled = ldexp(frexp(fabs(x), &exponent), 53);
    uint64_t significand = (uint64_t)scaled;
    exponent -= 53;
    while ((significand & 1) == 0) {
        significand >>= 1;
        exponent++;
    }
    return exponent;
}

double oracle_fewer(double a, double b) {
    return a < b ? a : b;
}

bool oracle_accepts(const oracle_value *expected, tally_dtype dtype, uint64_t bits) {
    const number_type *type = number_type_of(dtype);
    if (expected->exact || type->kind != NUMBER_FLOAT) {
        return expected->exact && bits == expected->bits;
    }
    if (number_is_nan(dtype, bits)) {
        return bits == type->nan && (expected->also & ORACLE_NAN) != 0;
    }
    const double value = number_decode(type, bits);
    if (value == 0) {
        const uint32_t wrong = signbit(value) ? ORACLE_NO_MINUS_ZERO : ORACLE_NO_PLUS_ZERO;
        if ((expected->also & wrong) != 0) {
            return false;
        }
    }
    if (isinf(value) &&
        (expected->also & (value > 0 ? ORACLE_POSITIVE_INF : ORACLE_NEGATIVE_INF)) != 0) {
        return true;
    }
    return value >= expected->low && value <= expected->high;
}
