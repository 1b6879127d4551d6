/*
 * values.h: seeded random elements of every type, in classes that bring out different faults.
 */
#ifndef TESTS_SUPPORT_NUMBERS_VALUES_H
#define TESTS_SUPPORT_NUMBERS_VALUES_H

#include <stdint.h>

#include <tally/types.h>

typedef enum values_class {
    VALUES_SMALL,      /* whole numbers from -9 to 9; sums of many are still exact in float32 */
    VALUES_WIDE,       /* floats of many exponents and both signs; integers of any bits */
    VALUES_POSITIVE,   /* floats above 0 of a few exponents; integers of any bits */
    VALUES_NEAR_ONE,   /* floats within a few percent of 1, for products; odd integers */
    VALUES_POWERS,     /* floats +-1, +-2, +-1/2, for exact products; integers 1 and 2 */
    VALUES_EXPONENTS,  /* floats from -100 to 100, for exponentials */
    VALUES_FEW,        /* three different values: ties everywhere */
    VALUES_ZEROS,      /* -0 and +0 */
    VALUES_MINUS_ZERO, /* -0 only */
    VALUES_DENORMAL,   /* floats too small for a full significand; integers of any bits */
    VALUES_EXTREME,    /* the largest and smallest values of the type */
    VALUES_SPECIAL,    /* NaN of several patterns, infinities, zeros, denormals, extremes, others */
    VALUES_SOME_NAN,   /* finite, but for one NaN in about twenty; infinities too */
    VALUES_ALL_NAN,
    VALUES_BITS, /* any bits whatever */
    VALUES_CLASSES
} values_class;

/* The next of a sequence of 64 random bits. */
uint64_t values_random(uint64_t *state);

/* The bits of one element. */
uint64_t values_element(values_class values, tally_dtype dtype, uint64_t *state);

/* Fill memory with so many elements, one behind the other. */
void values_fill(values_class values, tally_dtype dtype, uint64_t seed, uint64_t count,
                 void *elements);

/* The enumerator's name. */
const char *values_name(values_class values);

#endif
