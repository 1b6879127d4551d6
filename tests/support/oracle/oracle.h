/*
 * oracle.h: what every operator must give, computed from its description and the raw memory of its
 * input, in a wider arithmetic and without a thought for speed. Written from the operators'
 * definitions alone: it shares no code and no table with the library, and must not include
 * anything of src/.
 *
 * For each element of the output the oracle says either which bits it must have, or between which
 * two values it must lie. The second is for floats whose rounding depends on the order of the
 * terms; how far apart the two are is derived in floats.h.
 */
#ifndef TESTS_SUPPORT_ORACLE_ORACLE_H
#define TESTS_SUPPORT_ORACLE_ORACLE_H

#include <stdint.h>

#include <tally/types.h>

#include "value.h"

/* The number of elements of a tensor. */
uint64_t oracle_count(const tally_tensor *tensor);

/* Elements between neighbours along an axis. */
uint64_t oracle_stride(const tally_tensor *tensor, uint32_t axis);

/* How many elements behind the first the index-th in row-major order lies. */
uint64_t oracle_offset(const tally_tensor *tensor, uint64_t index);

/* Bytes from the first element to the end of the last; 0 for an empty tensor. */
uint64_t oracle_extent(const tally_tensor *tensor);

/*
 * One value for each element of the output, in row-major order. input is the address of the
 * input's first element; nothing is read beyond the elements that the tensor names. The
 * descriptions must be legal: they are not checked.
 */
void oracle_reduce(const tally_reduce *desc, const void *input, oracle_value *expected);
void oracle_cumulative(const tally_cumulative *desc, const void *input, oracle_value *expected);
void oracle_diagonal(const tally_diagonal *desc, const void *input, oracle_value *expected);

#endif
