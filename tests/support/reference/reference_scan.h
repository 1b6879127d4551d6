/*
 * reference_scan.h: scans computed one sequence at a time and fills one element at a time, by the
 * rules of docs/numerics.md, in plain C: order_reference.h for what rounds, reductions of two for
 * what does not. Uses nothing of src/.
 */
#ifndef TESTS_SUPPORT_REFERENCE_REFERENCE_SCAN_H
#define TESTS_SUPPORT_REFERENCE_REFERENCE_SCAN_H

#include <stdbool.h>

#include <tally/types.h>

/* The bits of the elements along the axis, from its first index to its last, as terms are. */
void reference_scan(const tally_cumulative *desc, uint64_t count, const uint64_t *terms,
                    uint64_t *results);

/* Whether the element of row y and column x of a matrix gets the value. */
bool reference_is_filled(const tally_diagonal *desc, uint64_t y, uint64_t x);

#endif
