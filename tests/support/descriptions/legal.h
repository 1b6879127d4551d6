/*
 * legal.h: which functions take which types, as the manual says it, for tests that go through all
 * of them. Written out here a second time on purpose.
 */
#ifndef TESTS_SUPPORT_DESCRIPTIONS_LEGAL_H
#define TESTS_SUPPORT_DESCRIPTIONS_LEGAL_H

#include <stdbool.h>

#include <tally/types.h>

#define LEGAL_DTYPES 11
#define LEGAL_FUNCTIONS 12
#define LEGAL_DIRECTML_PAIRS 72 /* without float64 */
#define LEGAL_REDUCE_PAIRS 84
#define LEGAL_SCAN_PAIRS 36

typedef struct legal_pair {
    tally_function function;
    tally_dtype dtype; /* of the input */
} legal_pair;

/* The index-th pair; those without float64 come first. */
legal_pair legal_reduce_pair(int index);
legal_pair legal_scan_pair(int index);

bool legal_reduce(tally_function function, tally_dtype dtype);
bool legal_scan(tally_function function, tally_dtype dtype);

/* ARGMAX and ARGMIN. */
bool legal_is_index(tally_function function);

/* The four types of an index. */
bool legal_index_type(tally_dtype dtype);
tally_dtype legal_index_types(int index);

/* MAX, MIN, ARGMAX, ARGMIN: those that order their terms, and do not round. */
bool legal_is_order(tally_function function);

#endif
