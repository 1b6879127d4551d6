/*
 * columns_case.h: one scan along the middle one of three axes by a kernel for GPUs, in one of
 * several layouts: columns that begin anywhere, gaps between rows, axes transposed, in place or
 * not. Every element has the bits of the plain reference of the order, and nothing beside the
 * output is written. Which kernel there is for which shape is the tests' to know.
 */
#ifndef TESTS_DEVICE_COLUMNS_CASE_H
#define TESTS_DEVICE_COLUMNS_CASE_H

#include <tally/tally.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"

/* Of the family for GPUs, between open and close; a test may change its limits. */
extern tally_runtime *columns_case_runtime;
void columns_case_open(void);
void columns_case_close(void);

#define COLUMNS_CASE_LAYOUTS 9

/* One of the layouts and of the ways along the axis, by turns; a launch is by that schedule. */
void columns_case_check(legal_pair pair, shape sizes, uint64_t round, const char *schedule);

#endif
