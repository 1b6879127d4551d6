/*
 * math_check.c: errors in units of the last place of the exact result, in chunks of inputs.
 */
#include "math_check.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math_c.h"
#include "quad.h"
#include "values.h"

enum { CHUNK = 1024 };

typedef struct chunk {
    uint64_t bits[CHUNK], other[CHUNK];
    int count;
} chunk;

/* ---- Inputs ---------------------------------------------------------------------------------- */

static const uint32_t edges_f32[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x007FFFFE, 0x007FFFFF, 0x00800000, 0x00800001,
    0x00FFFFFF, 0x01000000, 0x1F800000, 0x33000000, 0x33800000, 0x34000000, 0x3EAAAAAB, 0x3F000000,
    0x3F2AAAAA, 0x3F2AAAAB, 0x3F2AAAAC, 0x3F317218, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FAAAAAA,
    0x3FAAAAAB, 0x3FAAAAAC, 0x40000000, 0x40400000, 0x42AEAC4F, 0x42AEAC50, 0x42AFFFFF, 0x42B17217,
    0x42ADFFFF, 0x42AE0000, 0x42AE0001, 0x42B17218, 0x42B17219, 0x42B20000, 0x42B20001, 0x42CE8ECF,
    0x42CE8ED0, 0x42CFF1B4, 0x42CFF1B5, 0x42CFF1B6, 0x42D00000, 0x42D00001, 0x4B000000, 0x4B7FFFFF,
    0x4B800000, 0x4B800001, 0x7E800000, 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000,
    0x7FFFFFFF,
};

static const uint64_t edges_f64[] = {
    0x0000000000000000, 0x0000000000000001, 0x0000000000000003, 0x000FFFFFFFFFFFFF,
    0x0010000000000000, 0x0010000000000001, 0x3C90000000000000, 0x3CA0000000000000,
    0x3FE5555555555554, 0x3FE5555555555555, 0x3FE5555555555556, 0x3FE62E42FEFA39EF,
    0x3FEFFFFFFFFFFFFF, 0x3FF0000000000000, 0x3FF0000000000001, 0x3FF5555555555554,
    0x3FF5555555555555, 0x3FF5555555555556, 0x4000000000000000, 0x4086232BDD7ABCD2,
    0x4086232BDD7ABCD3, 0x40862E42FEFA39EF, 0x40862E42FEFA39F0, 0x4086300000000000,
    0x4086300000000001, 0x40861FFFFFFFFFFF, 0x4086200000000000, 0x4086200000000001,
    0x40874385446D71C3, 0x40874910D52D3051, 0x40874910D52D3052, 0x4087500000000000,
    0x4087500000000001, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF0000000000001,
    0x7FF8000000000000, 0x7FFFFFFFFFFFFFFF,
};

int math_edges_f32(const uint32_t **edges) {
    *edges = edges_f32;
    return (int)(sizeof edges_f32 / sizeof edges_f32[0]);
}

int math_edges_f64(const uint64_t **edges) {
    *edges = edges_f64;
    return (int)(sizeof edges_f64 / sizeof edges_f64[0]);
}

/* A float for a quotient: any bits, an edge, near 1, a count, or one that makes denormals. */
static uint64_t random_f32(uint64_t *state) {
    const uint64_t x = values_random(state);
    const uint32_t bits = (uint32_t)x, sign = bits & 0x80000000u;
    const float count = (float)(bits >> (x >> 32 & 31));
    uint32_t count_bits;
    memcpy(&count_bits, &count, sizeof count_bits);
    switch (x >> 40 & 7) {
    case 0:
        return sign | edges_f32[bits % (sizeof edges_f32 / sizeof edges_f32[0])];
    case 1:
        return sign | (0x3F000000u + (bits & 0x00FFFFFFu));
    case 2:
        return count_bits;
    case 3:
        return sign | (bits & 0x01FFFFFFu);
    default:
        return bits;
    }
}

uint64_t math_in_domain(math_function function, uint64_t bits) {
    const uint64_t sign = function == MATH_EXP_F32   ? UINT64_C(1) << 31
                          : function == MATH_EXP_F64 ? UINT64_C(1) << 63
                                                     : 0;
    return bits | sign;
}

/* For exp numbers down to some below the clamp, for log any positive one and near 1. */
static uint64_t random_f64(math_function function, uint64_t *state) {
    const uint64_t x = values_random(state), kind = values_random(state) >> 61;
    const double fraction = (double)(x >> 11) * 0x1p-53;
    const double low = function == MATH_EXP_F64 ? -710 : 0.4;
    const double high = function == MATH_EXP_F64 ? 0 : 2.2;
    const double close = function == MATH_EXP_F64 ? -fraction : 0.9 + fraction * 0.2;
    const double real = kind < 5 ? low + fraction * (high - low) : close;
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    if (kind == 7)
        return x; /* any bits whatever */
    return kind == 0 && function == MATH_LOG_F64 ? x & INT64_MAX : bits;
}

void math_inputs(math_function function, uint64_t first, uint64_t step, uint64_t *bits,
                 uint64_t *other, size_t count) {
    uint64_t state = first * 0x9E3779B97F4A7C15u + (uint64_t)function + 1;
    for (size_t i = 0; i < count; i++) {
        other[i] = 0;
        if (function <= MATH_SQRT_F32) {
            bits[i] = (uint32_t)((first + i) * step);
        } else if (function == MATH_DIVIDE_F32) {
            bits[i] = random_f32(&state);
            other[i] = random_f32(&state);
        } else {
            bits[i] = random_f64(function, &state);
        }
        bits[i] = math_in_domain(function, bits[i]);
    }
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static double wrong_unless(int right) {
    return right ? 0 : (double)INFINITY;
}

/* Beyond the largest number infinity stands for the power of two that follows. */
static double ulps_f32(float result, double exact) {
    if (isnan(exact) || isinf(exact) * (isinf(result) != 0) != 0)
        return wrong_unless(isnan(exact) ? isnan(result) != 0 : (double)result == exact);
    if (isnan(result) || exact == -(double)INFINITY)
        return (double)INFINITY;
    const double limited = exact > 0x1p128 ? 0x1p128 : exact;
    const double value = isinf(result) ? copysign(0x1p128, (double)result) : (double)result;
    uint64_t bits;
    memcpy(&bits, &limited, sizeof bits);
    int exponent = (int)(bits >> 52 & 2047) - 1023;
    exponent = exponent < -126 ? -126 : exponent > 127 ? 127 : exponent;
    const uint64_t inverse_bits = (uint64_t)(1023 + 23 - exponent) << 52;
    double inverse;
    memcpy(&inverse, &inverse_bits, sizeof inverse);
    return fabs(value - limited) * inverse;
}

static double ulps_f64(double result, double x, quad (*exact_of)(quad x), double rough) {
    if (isnan(rough) || isinf(x) || x == 0 || isnan(result))
        return wrong_unless(isnan(rough) ? isnan(result) != 0 : result == rough);
    const quad most = (quad)0x1p1023 * 2, full = exact_of((quad)x);
    const quad exact = full > most ? most : full;
    const quad value = isinf(result) ? (result > 0 ? most : -most) : (quad)result;
    int exponent = 0;
    (void)frexpq(exact, &exponent);
    exponent = exponent < -1021 ? -1021 : exponent > 1024 ? 1024 : exponent;
    return (double)ldexpq(fabsq(value - exact), 53 - exponent);
}

/* What exp takes its argument for: no less than the clamp, which NaN is too. */
static double clamped(double x, double least) {
    return x > least ? x : least;
}

static double wrong_bits(float result, float exact) {
    return wrong_unless(isnan(exact) ? isnan(result) != 0
                                     : memcmp(&result, &exact, sizeof exact) == 0);
}

static void check_f32(const chunk *inputs, math_function function, double *errors) {
    float x[CHUNK] = {0}, y[CHUNK] = {0}, out[CHUNK];
    const size_t count = (size_t)inputs->count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = (uint32_t)inputs->bits[i], other = (uint32_t)inputs->other[i];
        memcpy(&x[i], &bits, sizeof bits);
        memcpy(&y[i], &other, sizeof other);
    }
    if (function == MATH_DIVIDE_F32)
        math_c_divide_f32(x, y, out, count);
    else
        (function == MATH_EXP_F32   ? math_c_exp_f32
         : function == MATH_LOG_F32 ? math_c_log_f32
                                    : math_c_sqrt_f32)(x, out, count);
    for (size_t i = 0; i < count; i++)
        errors[i] = function == MATH_EXP_F32    ? ulps_f32(out[i], exp(clamped((double)x[i], -87)))
                    : function == MATH_LOG_F32  ? ulps_f32(out[i], log((double)x[i]))
                    : function == MATH_SQRT_F32 ? wrong_bits(out[i], sqrtf(x[i]))
                                                : wrong_bits(out[i], x[i] / y[i]);
}

static void check_f64(const chunk *inputs, math_function function, double *errors) {
    double x[CHUNK], out[CHUNK];
    const bool is_exp = function == MATH_EXP_F64;
    memcpy(x, inputs->bits, sizeof x);
    (is_exp ? math_c_exp_f64 : math_c_log_f64)(x, out, (size_t)inputs->count);
    for (int i = 0; i < inputs->count; i++) {
        const double a = is_exp ? clamped(x[i], -708) : x[i];
        errors[i] = ulps_f64(out[i], a, is_exp ? expq : logq, is_exp ? exp(a) : log(a));
    }
}

static void check(const chunk *inputs, math_function function, double *errors) {
    (function >= MATH_EXP_F64 ? check_f64 : check_f32)(inputs, function, errors);
}

double math_check_one(math_function function, uint64_t bits, uint64_t other) {
    const chunk inputs = {.bits = {bits}, .other = {other}, .count = 1};
    double error = 0;
    check(&inputs, function, &error);
    return error;
}

math_worst math_check(math_function function, uint64_t first, uint64_t count, uint64_t step) {
    math_worst worst = {-1, 0, 0};
    chunk inputs;
    double errors[CHUNK];
    for (uint64_t done = 0; done < count; done += CHUNK) {
        inputs.count = count - done < CHUNK ? (int)(count - done) : CHUNK;
        math_inputs(function, first + done, step, inputs.bits, inputs.other, (size_t)inputs.count);
        check(&inputs, function, errors);
        for (int i = 0; i < inputs.count; i++)
            if (!(errors[i] <= worst.ulp))
                worst = (math_worst){errors[i], inputs.bits[i], inputs.other[i]};
    }
    return worst;
}

const char *math_name(math_function function) {
    static const char *const names[] = {"exp", "log", "sqrt", "divide", "exp64", "log64"};
    return names[function];
}
