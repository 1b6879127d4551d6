/*
 * number.h: the eleven element types as bit patterns: what a pattern is worth, and which pattern a
 * value rounds to. The tests' own arithmetic of formats; it uses nothing of the library.
 */
#ifndef TESTS_SUPPORT_NUMBERS_NUMBER_H
#define TESTS_SUPPORT_NUMBERS_NUMBER_H

#include "quad.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tally/types.h>

typedef enum number_kind { NUMBER_FLOAT, NUMBER_SIGNED, NUMBER_UNSIGNED } number_kind;

typedef struct number_type {
    const char *name; /* the enumerator, for messages */
    number_kind kind;
    unsigned bits;
    int precision;    /* floats: bits of the significand, the hidden one included */
    int min_exponent; /* floats: the smallest normal number is 2^min_exponent */
    int max_exponent; /* floats: the largest number is below 2^(max_exponent + 1) */
    uint64_t nan;     /* floats: the one NaN that results may have */
} number_type;

/* The row of a type; the program ends on a value that is none. */
const number_type *number_type_of(tally_dtype dtype);

size_t number_bytes(tally_dtype dtype);
bool number_is_float(tally_dtype dtype);

/* The bit pattern in the low bits of the result. In memory elements are little-endian. */
uint64_t number_load(tally_dtype dtype, const void *at);
void number_store(tally_dtype dtype, void *at, uint64_t bits);

/* ldexp, in a fraction of the time of the C library's. */
double number_scale(double value, int exponent);

/* The value of a float's pattern. Every one is a double. */
double number_decode(const number_type *type, uint64_t bits);

/* The pattern of a value the float type has; the canonical pattern for NaN. */
uint64_t number_encode(const number_type *type, double value);

/* Round to nearest, ties to even, to a value of the float type; too large becomes infinite. */
double number_round(const number_type *type, quad value);

/* The pattern of a value rounded to the float type. */
uint64_t number_from(tally_dtype dtype, double value);

/* An integer's pattern widened to 64 bits: with its sign, or with zeros. */
uint64_t number_widen(const number_type *type, uint64_t bits);

/* The low bits a type keeps. */
uint64_t number_mask(const number_type *type);

/* The patterns of the highest and lowest value: infinities of floats, ends of the integers. */
uint64_t number_highest(tally_dtype dtype);
uint64_t number_lowest(tally_dtype dtype);

/* True if a NaN. */
bool number_is_nan(tally_dtype dtype, uint64_t bits);

#endif
