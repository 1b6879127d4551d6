/*
 * reference.h: reductions computed one output at a time by the rules of docs/numerics.md, in plain
 * C: order_reference.h for what rounds, comparisons and wrapping integers for what does not. Uses
 * nothing of src/ and of cl/ nothing but exp and log, which are defined by their text.
 */
#ifndef TESTS_SUPPORT_REFERENCE_REFERENCE_H
#define TESTS_SUPPORT_REFERENCE_REFERENCE_H

#include <tally/types.h>

#include "order_reference.h"

/* The terms of one output, row-major over the swept axes, as bits of the input's type. */
typedef struct reference_terms {
    uint64_t count;
    uint32_t groups; /* of swept axes, and their lengths, innermost first */
    uint64_t length[ORDER_GROUPS];
    uint64_t *bits;
    double *values; /* room for as many */
} reference_terms;

/* The bits of the output's element; values is overwritten. */
uint64_t reference_reduce(const tally_reduce *desc, const reference_terms *terms);

/* A float's bits and what they are worth: rounded once, every NaN with the same bits. */
double reference_decode(tally_dtype dtype, uint64_t bits);
uint64_t reference_encode(tally_dtype dtype, double value);

#endif
