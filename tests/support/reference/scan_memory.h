/*
 * scan_memory.h: the memory of a scan along the middle one of three axes, the inner one of which is
 * columns, of any strides without gaps: elements that no two orders sum to the same bits, garbage
 * around them and in the scratch; held afterwards against the plain reference of the order. Every
 * element must have the order's bits, and nothing beside the output may be written.
 */
#ifndef TESTS_SUPPORT_REFERENCE_SCAN_MEMORY_H
#define TESTS_SUPPORT_REFERENCE_SCAN_MEMORY_H

#include <stdbool.h>

#include <CL/cl.h>
#include <tally/tally.h>

/* Run the operator so many times on memory of that seed, and compare. */
void scan_memory_run(const tally_cumulative *desc, tally_op *op, bool in_place, uint64_t seed,
                     int times);

/* Run it twice if it can be: nothing of the first time is told in the second. Releases it. */
void scan_memory_check(const tally_cumulative *desc, tally_op *op, bool in_place);

#endif
