/*
 * order_reduce.c: what is done to elements before and after the order has its say.
 */
#include "order_reduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "addresses.h"
#include "legal.h"
#include "math_c.h"
#include "number.h"
#include "order_reference.h"

static void *allocate(uint64_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL) {
        fprintf(stderr, "a reduction by reference has no memory for %llu terms\n",
                (unsigned long long)count);
        abort();
    }
    return memory;
}

/* ---- Arithmetic: float16's is float32's ------------------------------------------------------ */

static double exp_f32(double a, double b) {
    const float x = (float)(a - b);
    float y;
    math_c_exp_f32(&x, &y, 1);
    return y;
}

static double exp_f64(double a, double b) {
    const double x = a - b;
    double y;
    math_c_exp_f64(&x, &y, 1);
    return y;
}

static const order_arithmetic narrow = {order_add_f32, order_multiply_f32, exp_f32};
static const order_arithmetic wide = {order_add_f64, order_multiply_f64, exp_f64};

static double logarithm(double x, bool is_wide) {
    const float a = (float)x;
    float y;
    double z;
    math_c_log_f32(&a, &y, 1);
    math_c_log_f64(&x, &z, 1);
    return is_wide ? z : (double)y;
}

/* ---- Floats whose joins round ---------------------------------------------------------------- */

/* The terms of one output with the groups that its swept axes make. */
typedef struct sequence {
    uint64_t count;
    uint32_t groups;
    uint64_t length[ORDER_GROUPS];
} sequence;

/* Pairs of the innermost group's elements, then groups of pairs. */
static double log_sum_exp(const sequence *it, const double *terms,
                          const order_arithmetic *arithmetic) {
    const uint64_t inner = it->groups > 0 ? it->length[0] : 1;
    order_pair *pairs = allocate(it->count, sizeof *pairs);
    uint64_t left = it->count / inner;
    for (uint64_t i = 0; i < left; i++)
        pairs[i] = order_fold_exponents(terms + i * inner, inner, arithmetic);
    for (uint32_t g = 1; g < it->groups; g++) {
        left /= it->length[g];
        for (uint64_t i = 0; i < left; i++)
            pairs[i] = order_fold_pairs(pairs + i * it->length[g], it->length[g], arithmetic);
    }
    const order_pair all = pairs[0];
    free(pairs);
    return arithmetic->add(all.top, logarithm(all.sum, arithmetic == &wide));
}

static double fold_floats(const tally_reduce *desc, const sequence *it, double *terms) {
    const bool is_wide = desc->input.dtype == TALLY_F64;
    const order_arithmetic *arithmetic = is_wide ? &wide : &narrow;
    const tally_function function = desc->function;
    if (function == TALLY_LOG_SUM_EXP)
        return log_sum_exp(it, terms, arithmetic);
    for (uint64_t i = 0; i < it->count; i++) {
        if (function == TALLY_L1)
            terms[i] = fabs(terms[i]);
        if (function == TALLY_L2 || function == TALLY_SUM_SQUARE)
            terms[i] = arithmetic->multiply(terms[i], terms[i]);
    }
    const double all =
        order_fold_groups(terms, it->groups, it->length,
                          function == TALLY_MULTIPLY ? arithmetic->multiply : arithmetic->add);
    /* In double, a quotient or root of floats and then rounding is as good as rounding once. */
    const double n = is_wide ? (double)it->count : (double)(float)it->count;
    const double result = function == TALLY_AVERAGE   ? all / n
                          : function == TALLY_L2      ? sqrt(all)
                          : function == TALLY_LOG_SUM ? logarithm(all, is_wide)
                                                      : all;
    return is_wide ? result : (double)(float)result;
}

/* ---- Integers wrap, comparisons are exact -----------------------------------------------------
 */

static uint64_t fold_integers(const tally_reduce *desc, const sequence *it, const uint64_t *bits) {
    const number_type *type = number_type_of(desc->input.dtype);
    uint64_t all = desc->function == TALLY_MULTIPLY ? 1 : 0;
    for (uint64_t i = 0; i < it->count; i++) {
        const uint64_t x = number_widen(type, bits[i]);
        if (desc->function == TALLY_MULTIPLY)
            all *= x;
        else if (desc->function == TALLY_SUM_SQUARE)
            all += x * x;
        else if (desc->function == TALLY_L1 && type->kind == NUMBER_SIGNED && x >> 63 != 0)
            all -= x;
        else
            all += x;
    }
    return all & number_mask(type);
}

/* Whether a lies below b; for MAX and MIN -0 lies below +0, for indices they are equal. */
static bool lies_below(tally_dtype dtype, bool zeros_differ, uint64_t a, uint64_t b) {
    const number_type *type = number_type_of(dtype);
    if (type->kind == NUMBER_FLOAT) {
        const double x = number_decode(type, a), y = number_decode(type, b);
        return x < y || (zeros_differ && x == y && signbit(x) && !signbit(y));
    }
    const uint64_t flip = type->kind == NUMBER_SIGNED ? UINT64_C(1) << 63 : 0;
    return (number_widen(type, a) ^ flip) < (number_widen(type, b) ^ flip);
}

static uint64_t fold_extremes(const tally_reduce *desc, const sequence *it, const uint64_t *bits) {
    const bool indexed = legal_is_index(desc->function);
    const bool greatest = desc->function == TALLY_MAX || desc->function == TALLY_ARGMAX;
    uint64_t best = 0;
    for (uint64_t i = 1; i < it->count; i++) {
        const uint64_t a = bits[best], b = bits[i];
        const bool wins =
                       lies_below(desc->input.dtype, !indexed, greatest ? a : b, greatest ? b : a),
                   loses =
                       lies_below(desc->input.dtype, !indexed, greatest ? b : a, greatest ? a : b);
        if (wins || (!loses && desc->tie == TALLY_TIE_LAST))
            best = i;
    }
    return indexed ? best : bits[best];
}

/* ---- All of it --------------------------------------------------------------------------------
 */

void order_reduce(const tally_reduce *desc, const void *input, uint64_t *results) {
    const tally_dtype dtype = desc->input.dtype;
    const number_type *type = number_type_of(dtype);
    sequence it = {.count = addresses_count(&desc->input, desc->axes)};
    it.groups = order_groups(desc->input.rank, desc->input.size, desc->axes, it.length);
    uint64_t *bits = allocate(it.count, sizeof *bits);
    double *terms = allocate(it.count, sizeof *terms);
    for (uint64_t o = 0; o < addresses_count(&desc->input, ~desc->axes); o++) {
        const uint64_t first = addresses_of_axes(&desc->input, ~desc->axes, o);
        for (uint64_t i = 0; i < it.count; i++) {
            const uint64_t at = first + addresses_of_axes(&desc->input, desc->axes, i);
            bits[i] = number_load(dtype, (const unsigned char *)input + at * number_bytes(dtype));
            terms[i] = type->kind == NUMBER_FLOAT ? number_decode(type, bits[i]) : 0;
        }
        if (legal_is_order(desc->function))
            results[o] = fold_extremes(desc, &it, bits);
        else if (type->kind == NUMBER_FLOAT)
            results[o] = number_from(dtype, fold_floats(desc, &it, terms));
        else
            results[o] = fold_integers(desc, &it, bits);
    }
    free(terms);
    free(bits);
}
