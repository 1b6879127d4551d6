/*
 * wide_case.h: one reduction by a kernel of GPUs that moves 16 bytes for each work-item, in one of
 * several layouts: views that begin anywhere, outputs with gaps. Every output has the bits of the
 * plain reference of the orders, and nothing beside the outputs is written. Which kernel there is
 * for which shape is the tests' to know.
 */
#ifndef TESTS_DEVICE_WIDE_CASE_H
#define TESTS_DEVICE_WIDE_CASE_H

#include <tally/tally.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"

/* Of the family for GPUs, between open and close; a test may change its limits. */
extern tally_runtime *wide_case_runtime;
void wide_case_open(void);
void wide_case_close(void);

/* The problem's outputs have the reference's bits; a launch of it is by that schedule. */
void wide_case_check(tally_reduce desc, uint64_t index, const char *schedule);

/* A function of a type, and the sizes of what it folds. */
typedef struct wide_case {
    legal_pair pair;
    shape sizes;
    uint32_t axes;
} wide_case;

/* The same with either tie, planned for a device of so many compute units. */
void wide_case_check_of_units(uint32_t units, const wide_case *it, const char *schedule);

#endif
