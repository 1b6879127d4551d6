/*
 * terms.h: a sequence of elements and what the functions make of it. Inside of the oracle:
 * it knows orders of visiting, but neither axes nor memory.
 */
#ifndef TESTS_SUPPORT_ORACLE_TERMS_H
#define TESTS_SUPPORT_ORACLE_TERMS_H

#include "value.h"

/* The terms of one reduction, or one line of a scan in the order of visiting. */
typedef struct oracle_terms {
    tally_dtype dtype;
    uint64_t count;
    uint64_t *bits; /* as they are in memory */
    double *x;      /* their values; of floats only */
} oracle_terms;

oracle_value oracle_reduce_terms(const oracle_terms *terms, const tally_reduce *desc);

/* The inclusive results, one for each term. */
void oracle_scan_terms(const oracle_terms *terms, const tally_cumulative *desc,
                       oracle_value *results);

/* What an exclusive scan begins with: 0, 1, or the extreme that every number beats. */
oracle_value oracle_scan_start(const oracle_terms *terms, tally_function function);

#endif
