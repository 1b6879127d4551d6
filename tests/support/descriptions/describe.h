/*
 * describe.h: a problem of a test as C text that can be pasted into a test, and its elements as
 * numbers, for the messages of failing tests.
 */
#ifndef TESTS_SUPPORT_DESCRIPTIONS_DESCRIBE_H
#define TESTS_SUPPORT_DESCRIPTIONS_DESCRIBE_H

#include <stddef.h>

#include <tally/tally.h>

#include "support/oracle/oracle.h"

/* A growing text of fixed room; what is too much is cut off. */
typedef struct text {
    char chars[6000];
    size_t length;
} text;

void text_add(text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

void describe_reduce(text *out, const tally_reduce *desc);
void describe_cumulative(text *out, const tally_cumulative *desc);
void describe_diagonal(text *out, const tally_diagonal *desc);
void describe_any(text *out, const tally_desc *desc);

/* An element's bits and value; what the oracle takes. */
void describe_element(text *out, tally_dtype dtype, uint64_t bits);
void describe_expected(text *out, tally_dtype dtype, const oracle_value *expected);

/* The coordinates of the index-th element in row-major order. */
void describe_coordinates(text *out, const tally_tensor *tensor, uint64_t index);

/* The function's enumerator. */
const char *describe_function(tally_function function);

#endif
