/*
 * coverage.h: what the problems that ran were like, counted and said in words, so that a ring that
 * runs ten thousand times the same thing is seen to do so.
 */
#ifndef TESTS_PROPERTY_COVERAGE_H
#define TESTS_PROPERTY_COVERAGE_H

#include "problem.h"

void coverage_note(uint32_t pair, const problem *it);

uint64_t coverage_problems(void);

/* Every pair that the seed's problems have, every rank and every class of values came up. */
bool coverage_is_complete(uint64_t seed);

void coverage_print(uint64_t seed);

#endif
