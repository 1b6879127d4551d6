/*
 * interval.h: between what two numbers a float result lies, and the rounding of both ends as
 * the library rounds. Inside of the oracle; floats.h explains the bounds.
 */
#ifndef TESTS_SUPPORT_ORACLE_INTERVAL_H
#define TESTS_SUPPORT_ORACLE_INTERVAL_H

#include "support/numbers/number.h"
#include "value.h"

/* Between what two numbers a result lies before its rounding. Infinities and NaN are allowed. */
typedef struct oracle_interval {
    quad low;
    quad high;
    uint32_t also; /* ORACLE_* */
} oracle_interval;

/* The type that the library computes this one in: float32 for float16. */
const number_type *oracle_compute_type(tally_dtype dtype);

/* 2^exponent, and three numbers of a compute type. */
quad oracle_power_of_two(int exponent);
quad oracle_half_ulp_of_one(const number_type *compute);
quad oracle_smallest_number(const number_type *compute);
quad oracle_above_largest(const number_type *compute);

/* The exponent of the lowest bit that is set in a finite number other than 0. */
int oracle_lowest_bit(double x);

double oracle_fewer(double a, double b);

/* An element that must have these bits, or those of this value, which the type has. */
oracle_value oracle_bits(uint64_t bits);
oracle_value oracle_exactly(tally_dtype dtype, double value);

/* Round both ends as the library rounds its result. */
oracle_value oracle_settle(oracle_interval range, tally_dtype dtype);

#endif
