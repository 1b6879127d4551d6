/*
 * run.h: one operator from description to judgement: fill memory with seeded random elements and
 * with foreign bytes around and between them, run the operator on the fixture's device, and hold
 * every element of the output against the oracle and every other byte against what it was. A
 * failure prints the whole problem as C text with the first element or byte that is wrong.
 */
#ifndef TESTS_SUPPORT_RUN_H
#define TESTS_SUPPORT_RUN_H

#include <tally/tally.h>

#include "values.h"

typedef struct run_how {
    values_class values;
    uint64_t seed;
    uint32_t input_offset;  /* of the first element, in elements */
    uint32_t output_offset; /* likewise; in place it is the input's that counts */
    bool in_place;
} run_how;

void run_reduce(const tally_reduce *desc, run_how how);
void run_cumulative(const tally_cumulative *desc, run_how how);
void run_diagonal(const tally_diagonal *desc, run_how how);

/* The same on a runtime of the caller's, by a plan that names this schedule. */
void run_diagonal_on(tally_runtime *runtime, const char *schedule, const tally_diagonal *desc,
                     run_how how);

/* Problems run so far by this program, for tests that must not run none. */
uint64_t run_count(void);

#endif
