/*
 * numbers.h: the arithmetic of a simulated plan's compute type, on its bits: what a kernel does
 * with one number or two. It knows no functions and no states.
 */
#ifndef TESTS_SUPPORT_SIMULATION_NUMBERS_H
#define TESTS_SUPPORT_SIMULATION_NUMBERS_H

#include "support/numbers/number.h"

typedef struct sim_function sim_function;

typedef struct sim_math {
    const sim_function *function;
    tally_dtype input, compute; /* compute: F32 or F64, an integer of 32 or 64 bits */
    number_kind kind;
    uint32_t bytes; /* of the compute type */
    bool floating, ignores_nan, last_wins;
    uint64_t mask;       /* of the compute type's bits */
    uint64_t index_mask; /* of an index's */
    uint32_t state_bytes;
} sim_math;

/* From an element's bits to the compute type's. */
uint64_t sim_load(const sim_math *math, uint64_t bits);

/* The number of the bits, where it is a float. */
double sim_real(const sim_math *math, uint64_t bits);

/* Rounded to the compute type, once: of two floats, sum, product, quotient and root are right. */
uint64_t sim_bits_of(const sim_math *math, double x);

/* The element's bits of a number: rounded once if narrower, one NaN. */
uint64_t sim_store(const sim_math *math, uint64_t bits);

uint64_t sim_add(const sim_math *math, uint64_t a, uint64_t b);
uint64_t sim_multiply(const sim_math *math, uint64_t a, uint64_t b);

bool sim_is_unsigned(const sim_math *math);
bool sim_is_negative(const sim_math *math, uint64_t x);
uint64_t sim_magnitude(const sim_math *math, uint64_t x);

#endif
