/*
 * programs.h: which programs of the device a problem takes, foretold without building any, so that
 * the ring can choose problems that share them. The only position here that looks into the library.
 */
#ifndef TESTS_PROPERTY_PROGRAMS_H
#define TESTS_PROPERTY_PROGRAMS_H

#include "plan/plan.h"
#include "problem.h"

/* Each once, in the order of the plan; none for an empty output. */
typedef struct programs {
    uint32_t count;
    tally_spec key[TALLY_MAX_STEPS];
} programs;

/*
 * False if the library does not take the description. Without fp64 none are needed for float64
 * arithmetic, which is refused.
 */
bool programs_of(const problem *it, programs *needed);

/* Add a program to a list that has room unless it is there. True if it was not. */
bool programs_add(tally_spec *list, uint32_t *count, const tally_spec *key);

bool programs_contain(const tally_spec *list, uint32_t count, const tally_spec *key);

#endif
