/*
 * scan_memory.h: the memory of a scan along the middle one of three axes, the inner one of which is
 * columns: elements that no two orders sum to the same bits, garbage around them and in the
 * scratch; held afterwards against the plain reference of the order.
 */
#ifndef TESTS_SUPPORT_SCAN_MEMORY_H
#define TESTS_SUPPORT_SCAN_MEMORY_H

#include <stdbool.h>

#include <tally/tally.h>

/* Elements from the offsets on; the output's and what guards it are garbage. Offsets in bytes. */
typedef struct scan_memory {
    uint64_t elements, in_first, out_first, bytes;
    unsigned char *input, *output;
    cl_mem in, out, scratch;
} scan_memory;

scan_memory scan_memory_make(const tally_cumulative *desc, tally_op *op, bool in_place,
                             uint64_t seed);
void scan_memory_free(scan_memory *it);

tally_binding scan_memory_binding(const scan_memory *it);

/* Every element has the order's bits, and nothing beside the output is written. */
void scan_memory_compare(const tally_cumulative *desc, scan_memory *it, const char *plan);

/* Run the operator, twice if it can be: nothing of the first time is told in the second. Releases
 * it. */
void scan_memory_check(const tally_cumulative *desc, tally_op *op, bool in_place);

#endif
