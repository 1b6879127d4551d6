/*
 * number.c: formats of numbers, written from IEEE 754's definition with one piece of code for all
 * three float types, so that nothing here is shared with the conversions under test.
 */
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const number_type number_types[] = {
    [TALLY_F16] = {"TALLY_F16", NUMBER_FLOAT, 16, 11, -14, 15, 0x7E00},
    [TALLY_F32] = {"TALLY_F32", NUMBER_FLOAT, 32, 24, -126, 127, 0x7FC00000},
    [TALLY_F64] = {"TALLY_F64", NUMBER_FLOAT, 64, 53, -1022, 1023, 0x7FF8000000000000},
    [TALLY_I8] = {"TALLY_I8", NUMBER_SIGNED, 8, 0, 0, 0, 0},
    [TALLY_I16] = {"TALLY_I16", NUMBER_SIGNED, 16, 0, 0, 0, 0},
    [TALLY_I32] = {"TALLY_I32", NUMBER_SIGNED, 32, 0, 0, 0, 0},
    [TALLY_I64] = {"TALLY_I64", NUMBER_SIGNED, 64, 0, 0, 0, 0},
    [TALLY_U8] = {"TALLY_U8", NUMBER_UNSIGNED, 8, 0, 0, 0, 0},
    [TALLY_U16] = {"TALLY_U16", NUMBER_UNSIGNED, 16, 0, 0, 0, 0},
    [TALLY_U32] = {"TALLY_U32", NUMBER_UNSIGNED, 32, 0, 0, 0, 0},
    [TALLY_U64] = {"TALLY_U64", NUMBER_UNSIGNED, 64, 0, 0, 0, 0},
};

const number_type *number_type_of(tally_dtype dtype) {
    if (dtype < TALLY_F16 || dtype > TALLY_U64) {
        fprintf(stderr, "the tests asked for element type %d, which is none\n", (int)dtype);
        abort();
    }
    return &number_types[dtype];
}

size_t number_bytes(tally_dtype dtype) {
    return number_type_of(dtype)->bits / 8;
}

bool number_is_float(tally_dtype dtype) {
    return number_type_of(dtype)->kind == NUMBER_FLOAT;
}

uint64_t number_load(tally_dtype dtype, const void *at) {
    const uint8_t *bytes = at;
    const size_t size = number_bytes(dtype);
    uint64_t bits = 0;
    for (size_t k = 0; k < size; k++) {
        bits |= (uint64_t)bytes[k] << (8 * k);
    }
    return bits;
}

void number_store(tally_dtype dtype, void *at, uint64_t bits) {
    const size_t size = number_bytes(dtype);
    uint8_t *bytes = at;
    for (size_t k = 0; k < size; k++) {
        bytes[k] = (uint8_t)(bits >> (8 * k));
    }
}

double number_scale(double value, int exponent) {
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    if (exponent < -1022 || exponent > 1023) /* no normal number */
        return ldexp(value, exponent);
    memcpy(&power, &bits, sizeof power);
    return value * power;
}

/* The exponent of a number that is finite and not zero: it is in [2^that, 2^(that + 1)). */
static int exponent_of(double value) {
    uint64_t bits;
    int exponent;
    memcpy(&bits, &value, sizeof bits);
    const int stored = (int)(bits >> 52 & 0x7FF);
    if (stored != 0)
        return stored - 1023;
    frexp(value, &exponent); /* it is denormal */
    return exponent - 1;
}

uint64_t number_mask(const number_type *type) {
    return type->bits == 64 ? UINT64_MAX : ((uint64_t)1 << type->bits) - 1;
}

/* Bits of the stored significand, without the hidden one. */
static int fraction_bits(const number_type *type) {
    return type->precision - 1;
}

static uint64_t sign_bit(const number_type *type) {
    return (uint64_t)1 << (type->bits - 1);
}

/* The stored exponent of infinities and NaN, in place. */
static uint64_t infinity_bits(const number_type *type) {
    return (uint64_t)(2 * type->max_exponent + 1) << fraction_bits(type);
}

double number_decode(const number_type *type, uint64_t bits) {
    const uint64_t magnitude = bits & (sign_bit(type) - 1);
    const uint64_t hidden = (uint64_t)1 << fraction_bits(type);
    const int stored = (int)(magnitude >> fraction_bits(type));
    double value;
    if (magnitude > infinity_bits(type)) {
        return (double)NAN;
    }
    if (magnitude == infinity_bits(type)) {
        value = (double)INFINITY;
    } else if (stored == 0) {
        value = number_scale((double)magnitude, type->min_exponent - fraction_bits(type));
    } else {
        const uint64_t significand = (magnitude & (hidden - 1)) | hidden;
        value =
            number_scale((double)significand, stored - type->max_exponent - fraction_bits(type));
    }
    return (bits & sign_bit(type)) != 0 ? -value : value;
}

uint64_t number_encode(const number_type *type, double value) {
    const uint64_t sign = signbit(value) ? sign_bit(type) : 0;
    const uint64_t hidden = (uint64_t)1 << fraction_bits(type);
    if (isnan(value)) {
        return type->nan;
    }
    if (isinf(value)) {
        return sign | infinity_bits(type);
    }
    if (value == 0) {
        return sign;
    }
    const int own = exponent_of(value);
    const int exponent = own < type->min_exponent ? type->min_exponent : own;
    const double scaled = number_scale(fabs(value), fraction_bits(type) - exponent);
    const uint64_t significand = (uint64_t)scaled;
    if ((double)significand != scaled || exponent > type->max_exponent) {
        fprintf(stderr, "the tests asked for %a as %s, which does not have it\n", value,
                type->name);
        abort();
    }
    if (significand < hidden) {
        return sign | significand;
    }
    return sign | ((uint64_t)(exponent + type->max_exponent) << fraction_bits(type)) |
           (significand - hidden);
}

/* In double arithmetic, which is exact here: scaled by a power of two, a place of the type is 1. */
static double round_double(const number_type *type, double value) {
    if (value != value || value == 0 || isinf(value))
        return value;
    const int own = exponent_of(value);
    const int exponent = own < type->min_exponent ? type->min_exponent : own;
    const int last = exponent - fraction_bits(type); /* the exponent of the last place */
    const double rounded = number_scale(rint(number_scale(fabs(value), -last)), last);
    if (rounded >= ldexp(1, type->max_exponent + 1))
        return value < 0 ? -(double)INFINITY : (double)INFINITY;
    return value < 0 ? -rounded : rounded;
}

/*
 * The double that a number is or, if none is it, the one of its two neighbours whose last bit is
 * odd. Rounding that to a type of at most 51 bits gives what rounding the number itself does.
 */
static double round_to_odd(quad value) {
    double near = (double)value;
    uint64_t bits;
    if (value != value || (quad)near == value)
        return near;
    if (fabsq((quad)near) > fabsq(value))
        near = nextafter(near, 0);
    memcpy(&bits, &near, sizeof bits);
    bits |= 1;
    memcpy(&near, &bits, sizeof bits);
    return near;
}

double number_round(const number_type *type, quad value) {
    return type->precision == 53 ? (double)value : round_double(type, round_to_odd(value));
}

uint64_t number_from(tally_dtype dtype, double value) {
    const number_type *type = number_type_of(dtype);
    return number_encode(type, round_double(type, value));
}

uint64_t number_widen(const number_type *type, uint64_t bits) {
    if (type->kind == NUMBER_SIGNED && (bits & sign_bit(type)) != 0) {
        return bits | ~number_mask(type);
    }
    return bits & number_mask(type);
}

uint64_t number_highest(tally_dtype dtype) {
    const number_type *type = number_type_of(dtype);
    if (type->kind == NUMBER_FLOAT) {
        return infinity_bits(type);
    }
    return type->kind == NUMBER_SIGNED ? sign_bit(type) - 1 : number_mask(type);
}

uint64_t number_lowest(tally_dtype dtype) {
    const number_type *type = number_type_of(dtype);
    if (type->kind == NUMBER_FLOAT) {
        return infinity_bits(type) | sign_bit(type);
    }
    return type->kind == NUMBER_SIGNED ? sign_bit(type) : 0;
}

bool number_is_nan(tally_dtype dtype, uint64_t bits) {
    const number_type *type = number_type_of(dtype);
    return type->kind == NUMBER_FLOAT && (bits & (sign_bit(type) - 1)) > infinity_bits(type);
}
