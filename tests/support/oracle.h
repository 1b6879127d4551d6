/*
 * oracle.h: what every operator must give, computed from its description and the raw memory of its
 * input, in a wider arithmetic and without a thought for speed. Written from the operators'
 * definitions alone: it shares no code and no table with the library, and must not include
 * anything of src/.
 *
 * For each element of the output the oracle says either which bits it must have, or between which
 * two values it must lie. The second is for floats whose rounding depends on the order of the
 * terms; how far apart the two are is derived in oracle_float.h.
 */
#ifndef TESTS_SUPPORT_ORACLE_H
#define TESTS_SUPPORT_ORACLE_H

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

/* The number of elements of a tensor. */
uint64_t oracle_count(const tally_tensor *tensor);

/* Elements between neighbours along an axis. */
uint64_t oracle_stride(const tally_tensor *tensor, uint32_t axis);

/* How many elements behind the first the index-th in row-major order lies. */
uint64_t oracle_offset(const tally_tensor *tensor, uint64_t index);

/* Bytes from the first element to the end of the last; 0 for an empty tensor. */
uint64_t oracle_extent(const tally_tensor *tensor);

/*
 * One value for each element of the output, in row-major order. input is the address of the
 * input's first element; nothing is read beyond the elements that the tensor names. The
 * descriptions must be legal: they are not checked.
 */
void oracle_reduce(const tally_reduce *desc, const void *input, oracle_value *expected);
void oracle_cumulative(const tally_cumulative *desc, const void *input, oracle_value *expected);
void oracle_diagonal(const tally_diagonal *desc, const void *input, oracle_value *expected);

#endif
