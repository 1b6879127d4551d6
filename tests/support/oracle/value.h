/*
 * value.h: what the oracle says of one element: its bits, or where its value must lie.
 */
#ifndef TESTS_SUPPORT_ORACLE_VALUE_H
#define TESTS_SUPPORT_ORACLE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include <tally/types.h>

/* Besides [low, high], an element of a float result may or must be: */
#define ORACLE_NAN 1u           /* may be NaN, with the canonical pattern */
#define ORACLE_POSITIVE_INF 2u  /* may be +inf */
#define ORACLE_NEGATIVE_INF 4u  /* may be -inf */
#define ORACLE_NO_MINUS_ZERO 8u /* if zero, then +0 */
#define ORACLE_NO_PLUS_ZERO 16u /* if zero, then -0 */

typedef struct oracle_value {
    bool exact;    /* bits counts, and nothing else */
    uint64_t bits; /* the pattern of the element, in the low bits */
    uint32_t also; /* ORACLE_* */
    double low;    /* both are values of the output's type; low > high: none of them */
    double high;
} oracle_value;

/* True if an element of this type with these bits is right. */
bool oracle_accepts(const oracle_value *expected, tally_dtype dtype, uint64_t bits);

#endif
