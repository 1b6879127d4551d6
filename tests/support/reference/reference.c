/*
 * reference.c: the functions, each as docs/numerics.md words it. Numbers are doubles, which hold
 * every float exactly; what rounds is rounded by the arithmetic of the compute type: float32 for
 * float16 and float32.
 */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/numbers/math_c.h"
#include "support/numbers/number.h"

_Static_assert(FLT_EVAL_METHOD == 0, "a float's arithmetic rounds to a float");

/* ---- Arithmetic of the two compute types --------------------------------------------------- */

static double exp_of_difference_f32(double a, double b) {
    const float x = (float)a - (float)b;
    float y;
    math_c_exp_f32(&x, &y, 1);
    return y;
}

static double exp_of_difference_f64(double a, double b) {
    const double x = a - b;
    double y;
    math_c_exp_f64(&x, &y, 1);
    return y;
}

static double log_f32(double a) {
    const float x = (float)a;
    float y;
    math_c_log_f32(&x, &y, 1);
    return y;
}

static double log_f64(double a) {
    double y;
    math_c_log_f64(&a, &y, 1);
    return y;
}

static double sqrt_f32(double a) {
    return sqrtf((float)a);
}

static double divide_f32(double a, double b) {
    return (float)a / (float)b;
}

static double divide_f64(double a, double b) {
    return a / b;
}

static double count_f32(uint64_t count) {
    return (float)count;
}

static double count_f64(uint64_t count) {
    return (double)count;
}

typedef struct arithmetic {
    order_arithmetic order; /* add, multiply, exp_of_difference */
    double (*log)(double);
    double (*sqrt)(double);
    order_combine divide;
    double (*count)(uint64_t);
} arithmetic;

static const arithmetic single = {{order_add_f32, order_multiply_f32, exp_of_difference_f32},
                                  log_f32,
                                  sqrt_f32,
                                  divide_f32,
                                  count_f32};
static const arithmetic wide = {{order_add_f64, order_multiply_f64, exp_of_difference_f64},
                                log_f64,
                                sqrt,
                                divide_f64,
                                count_f64};

/* ---- Floats -------------------------------------------------------------------------------- */

double reference_decode(tally_dtype dtype, uint64_t bits) {
    if (dtype == TALLY_F32) {
        const uint32_t word = (uint32_t)bits;
        float value;
        memcpy(&value, &word, sizeof value);
        return value;
    }
    if (dtype == TALLY_F64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return number_decode(number_type_of(dtype), bits);
}

uint64_t reference_encode(tally_dtype dtype, double value) {
    if (isnan(value) || dtype == TALLY_F16)
        return number_from(dtype, value);
    uint64_t bits = 0;
    const float narrow = (float)value;
    if (dtype == TALLY_F32)
        memcpy(&bits, &narrow, sizeof narrow); /* little-endian, as the library's hosts are */
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

/* The order of pairs over several groups: elements innermost, pairs outward. */
static double log_sum_exp(const reference_terms *terms, const arithmetic *with) {
    uint64_t left = terms->count;
    const uint64_t inner = terms->groups > 0 ? terms->length[0] : 1;
    order_pair *pairs = calloc((size_t)(left / inner) + 1, sizeof *pairs);
    if (pairs == NULL)
        abort();
    left /= inner;
    for (uint64_t i = 0; i < left; i++)
        pairs[i] = order_fold_exponents(terms->values + i * inner, inner, &with->order);
    for (uint32_t g = 1; g < terms->groups; g++) {
        left /= terms->length[g];
        for (uint64_t i = 0; i < left; i++)
            pairs[i] =
                order_fold_pairs(pairs + i * terms->length[g], terms->length[g], &with->order);
    }
    const double result = with->order.add(pairs[0].top, with->log(pairs[0].sum));
    free(pairs);
    return result;
}

static double fold(const reference_terms *terms, order_combine combine) {
    return order_fold_groups(terms->values, terms->groups, terms->length, combine);
}

static void map(const tally_reduce *desc, const reference_terms *terms, const arithmetic *with) {
    for (uint64_t i = 0; i < terms->count; i++) {
        const double x = reference_decode(desc->input.dtype, terms->bits[i]);
        const bool squared = desc->function == TALLY_L2 || desc->function == TALLY_SUM_SQUARE;
        terms->values[i] = squared                      ? with->order.multiply(x, x)
                           : desc->function == TALLY_L1 ? fabs(x)
                                                        : x;
    }
}

/* What a function of nothing is. */
static double float_of_nothing(tally_function function) {
    switch (function) {
    case TALLY_AVERAGE:
        return NAN;
    case TALLY_LOG_SUM:
    case TALLY_LOG_SUM_EXP:
        return -INFINITY;
    case TALLY_MULTIPLY:
        return 1;
    default:
        return 0;
    }
}

static double reduce_floats(const tally_reduce *desc, const reference_terms *terms) {
    const arithmetic *with = desc->input.dtype == TALLY_F64 ? &wide : &single;
    if (terms->count == 0)
        return float_of_nothing(desc->function);
    map(desc, terms, with);
    switch (desc->function) {
    case TALLY_AVERAGE:
        return with->divide(fold(terms, with->order.add), with->count(terms->count));
    case TALLY_L2:
        return with->sqrt(fold(terms, with->order.add));
    case TALLY_LOG_SUM:
        return with->log(fold(terms, with->order.add));
    case TALLY_LOG_SUM_EXP:
        return log_sum_exp(terms, with);
    case TALLY_MULTIPLY:
        return fold(terms, with->order.multiply);
    default: /* SUM, L1, SUM_SQUARE */
        return fold(terms, with->order.add);
    }
}

/* ---- Integers ------------------------------------------------------------------------------ */

/* Modulo 2^64, of which the type keeps the low bits: no order bears on it. */
static uint64_t reduce_integers(const tally_reduce *desc, const reference_terms *terms) {
    const number_type *type = number_type_of(desc->input.dtype);
    uint64_t result = desc->function == TALLY_MULTIPLY ? 1 : 0;
    for (uint64_t i = 0; i < terms->count; i++) {
        const uint64_t x = number_widen(type, terms->bits[i]);
        const bool negative = type->kind == NUMBER_SIGNED && x >> 63 != 0;
        if (desc->function == TALLY_MULTIPLY)
            result *= x;
        else if (desc->function == TALLY_SUM_SQUARE)
            result += x * x;
        else
            result += desc->function == TALLY_L1 && negative ? 0 - x : x;
    }
    return result & number_mask(type);
}

/* ---- Extremes ------------------------------------------------------------------------------ */

static bool is_index(tally_function function) {
    return function == TALLY_ARGMAX || function == TALLY_ARGMIN;
}

/* Whether a goes before b upward; -0 before +0, unless they are equal to an index. */
static bool is_below(const tally_reduce *desc, uint64_t a, uint64_t b) {
    const number_type *type = number_type_of(desc->input.dtype);
    if (type->kind == NUMBER_FLOAT) {
        const double x = reference_decode(desc->input.dtype, a),
                     y = reference_decode(desc->input.dtype, b);
        return x < y || (!is_index(desc->function) && x == y && signbit(x) != 0 && signbit(y) == 0);
    }
    const uint64_t x = number_widen(type, a), y = number_widen(type, b);
    return type->kind == NUMBER_SIGNED ? (int64_t)x < (int64_t)y : x < y;
}

/* Whether a later term takes the place of the best one so far. */
static bool is_better(const tally_reduce *desc, uint64_t later, uint64_t best) {
    const bool upward = desc->function == TALLY_MAX || desc->function == TALLY_ARGMAX;
    const bool last = desc->tie == TALLY_TIE_LAST;
    const bool nan_wins = desc->nan == TALLY_NAN_PROPAGATE;
    const bool later_nan = number_is_nan(desc->input.dtype, later);
    const bool best_nan = number_is_nan(desc->input.dtype, best);
    if (later_nan && best_nan)
        return last && nan_wins;
    if (later_nan || best_nan)
        return later_nan == nan_wins;
    if (is_below(desc, later, best) || is_below(desc, best, later))
        return upward ? is_below(desc, best, later) : is_below(desc, later, best);
    return last;
}

static uint64_t extreme_of_nothing(const tally_reduce *desc) {
    return desc->function == TALLY_MAX ? number_lowest(desc->input.dtype)
                                       : number_highest(desc->input.dtype);
}

/* MAX and MIN give the value, every NaN in the same bits, ARGMAX and ARGMIN where it is. */
static uint64_t reduce_to_extreme(const tally_reduce *desc, const reference_terms *terms) {
    uint64_t best = 0;
    if (terms->count == 0)
        return extreme_of_nothing(desc);
    for (uint64_t i = 1; i < terms->count; i++)
        best = is_better(desc, terms->bits[i], terms->bits[best]) ? i : best;
    const bool nan = number_is_nan(desc->input.dtype, terms->bits[best]);
    if (is_index(desc->function)) /* of nothing but NaN that is ignored the index is 0 */
        return nan && desc->nan == TALLY_NAN_IGNORE ? 0 : best;
    return nan ? number_type_of(desc->input.dtype)->nan : terms->bits[best];
}

/* ---- All of them --------------------------------------------------------------------------- */

uint64_t reference_reduce(const tally_reduce *desc, const reference_terms *terms) {
    if (is_index(desc->function) || desc->function == TALLY_MAX || desc->function == TALLY_MIN)
        return reduce_to_extreme(desc, terms);
    if (!number_is_float(desc->input.dtype))
        return reduce_integers(desc, terms);
    return reference_encode(desc->output.dtype, reduce_floats(desc, terms));
}
