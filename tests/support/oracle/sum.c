/*
 * sum.c: sums of floats, and what is made of them: averages, roots, logarithms.
 * The bounds are those of floats.h.
 */
#include "floats.h"
#include "interval.h"

static void add_term(oracle_sum *sum, quad term, double x, int low_bit_factor) {
    sum->count++;
    sum->only_minus_zero = sum->only_minus_zero && x == 0 && signbit(x) && low_bit_factor == 1;
    sum->nan = sum->nan || isnan(x);
    sum->positive_inf = sum->positive_inf || (isinf(x) && term > 0);
    sum->negative_inf = sum->negative_inf || (isinf(x) && term < 0);
    if (isfinite(x) && x != 0) {
        const int low_bit = oracle_lowest_bit(x) * low_bit_factor;
        sum->low_bit = low_bit < sum->low_bit ? low_bit : sum->low_bit;
        sum->positive += term > 0 ? term : 0;
        sum->negative += term < 0 ? -term : 0;
    }
}

void oracle_sum_add(oracle_sum *sum, double term) {
    add_term(sum, (quad)term, term, 1);
}

void oracle_sum_add_square(oracle_sum *sum, double x) {
    sum->rounded = true;
    add_term(sum, (quad)x * (quad)x, x, 2);
}

/* Every partial sum is a number of the compute type, whatever the order. */
static bool sum_is_exact(const oracle_sum *sum, const number_type *compute) {
    const int smallest = compute->min_exponent - compute->precision + 1;
    const quad magnitude = sum->positive + sum->negative;
    if (magnitude == 0) {
        return true;
    }
    return sum->low_bit >= smallest && magnitude <= ldexpq(1, sum->low_bit + compute->precision) &&
           magnitude < oracle_above_largest(compute);
}

static quad sum_error(const oracle_sum *sum, const number_type *compute, double depth) {
    if (sum_is_exact(sum, compute)) {
        return 0;
    }
    const double combines = oracle_fewer(depth, (double)sum->count - 1) + (sum->rounded ? 1 : 0);
    const quad relative = (quad)1.01 * (quad)combines * oracle_half_ulp_of_one(compute);
    const quad absolute = sum->rounded ? (quad)sum->count * oracle_smallest_number(compute) : 0;
    return relative * (sum->positive + sum->negative) + absolute;
}

/* The partial sums are numbers of the compute type, and so is the last. */
static oracle_interval sum_interval(const oracle_sum *sum, const number_type *compute,
                                    double depth) {
    const quad limit = oracle_above_largest(compute) * (1 - (quad)0.001);
    const quad error = sum_error(sum, compute, depth);
    const quad total = sum->positive - sum->negative;
    const bool high = sum->positive >= limit, low = sum->negative >= limit;
    oracle_interval range = {number_round(compute, total - error),
                             number_round(compute, total + error), ORACLE_NO_MINUS_ZERO};
    if (sum->count > 0 && sum->only_minus_zero) {
        range.low = range.high = (quad)-0.0;
        range.also = 0;
    }
    if (sum->nan || (sum->positive_inf && sum->negative_inf)) {
        range.low = range.high = (quad)NAN;
        return range;
    }
    if (sum->positive_inf || sum->negative_inf) {
        range.low = range.high = sum->positive_inf ? (quad)INFINITY : -(quad)INFINITY;
        range.also |= (sum->positive_inf ? low : high) ? ORACLE_NAN : 0;
        return range;
    }
    range.also |= (high ? ORACLE_POSITIVE_INF : 0) | (low ? ORACLE_NEGATIVE_INF : 0);
    range.also |= high && low ? ORACLE_NAN : 0;
    return range;
}

oracle_value oracle_float_sum(const oracle_sum *sum, tally_dtype dtype, double depth) {
    return oracle_settle(sum_interval(sum, oracle_compute_type(dtype), depth), dtype);
}

oracle_value oracle_float_average(const oracle_sum *sum, tally_dtype dtype, double depth) {
    const number_type *compute = oracle_compute_type(dtype);
    const quad count = (quad)number_round(compute, (quad)sum->count);
    oracle_interval range = sum_interval(sum, compute, depth);
    range.low /= count; /* of nothing: 0 / 0, NaN */
    range.high /= count;
    range.also &= ~ORACLE_NO_MINUS_ZERO; /* a small negative average may round to -0 */
    return oracle_settle(range, dtype);
}

oracle_value oracle_float_root(const oracle_sum *sum, tally_dtype dtype, double depth) {
    oracle_interval range = sum_interval(sum, oracle_compute_type(dtype), depth);
    range.low = range.low < 0 ? 0 : sqrtq(range.low);
    range.high = sqrtq(range.high);
    return oracle_settle(range, dtype);
}

/* The interval of ln over one that may touch or pass 0. */
static oracle_interval log_interval(oracle_interval range, const number_type *compute) {
    const quad ulps = 4 * (quad)1.01 * oracle_half_ulp_of_one(compute);
    const quad low = logq(range.low), high = logq(range.high);
    uint32_t also = range.also & (ORACLE_NAN | ORACLE_POSITIVE_INF);
    also |= (range.also & ORACLE_NEGATIVE_INF) != 0 ? ORACLE_NAN : 0;
    if (range.high != range.high || range.high < 0) {
        const oracle_interval none = {1, 0, also | ORACLE_NAN};
        const oracle_interval nan = {(quad)NAN, (quad)NAN, 0};
        return also == 0 ? nan : none;
    }
    oracle_interval result = {low, high, also | ORACLE_NO_MINUS_ZERO};
    if (range.low > 0) {
        result.low -= low > -(quad)INFINITY && low < (quad)INFINITY ? ulps * fabsq(low) : 0;
    } else {
        result.low = -(quad)INFINITY;
        result.also |= range.low < 0 ? ORACLE_NAN : 0;
    }
    if (range.high > 0 && high < (quad)INFINITY) {
        result.high += ulps * fabsq(high);
    } else if (range.high == 0) {
        result.high = -(quad)INFINITY;
    }
    return result;
}

oracle_value oracle_float_log(const oracle_sum *sum, tally_dtype dtype, double depth) {
    const number_type *compute = oracle_compute_type(dtype);
    return oracle_settle(log_interval(sum_interval(sum, compute, depth), compute), dtype);
}

/*
 * M is the maximum and s the sum of w = exp(x - M), so 1 <= s <= count. Relative to s: x - M is
 * rounded, also in parts when blocks combine, which changes w by u (M - x) w and one more such for
 * the exponential's 2 ulp (4 u w); the sum adds depth u s, each combination of blocks two more
 * roundings and another exponential, which depth times 2 covers. Then ln s has its 2 ulp and M + ln
 * s a rounding.
 */
oracle_value oracle_float_log_sum_exp(const double *x, uint64_t count, tally_dtype dtype,
                                      double depth) {
    const number_type *compute = oracle_compute_type(dtype);
    const quad unit = oracle_half_ulp_of_one(compute);
    double top = -(double)INFINITY;
    quad sum = 0, slack = 0;
    for (uint64_t k = 0; k < count; k++) {
        if (isnan(x[k])) {
            return oracle_exactly(dtype, (double)NAN);
        }
        top = x[k] > top ? x[k] : top;
    }
    if (isinf(top)) {
        return oracle_exactly(dtype, top); /* of nothing: -inf */
    }
    for (uint64_t k = 0; k < count; k++) {
        const quad below = (quad)top - (quad)x[k];
        const quad weight = below < 12000 ? expq(-below) : 0;
        sum += weight;
        slack += weight > 0 ? weight * below : 0;
    }
    const quad combines = 2 * (quad)oracle_fewer(depth, (double)count - 1);
    const quad tiny = (quad)count * oracle_power_of_two(compute->min_exponent);
    const quad relative = unit * (combines + 4 + 2 * slack / sum) + tiny;
    const quad value = (quad)top + logq(sum);
    const quad error = (quad)1.01 * (relative + 4 * unit * logq(sum) + unit * fabsq(value));
    const oracle_interval range = {value - error, value + error, 0};
    return oracle_settle(range, dtype);
}
