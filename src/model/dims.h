/*
 * A list of axes as a kernel walks them: sizes with the strides of input and output side by side.
 * Merging makes it as short as the strides allow, which changes addresses' arithmetic, never their
 * order.
 */
#ifndef TALLY_MODEL_DIMS_H
#define TALLY_MODEL_DIMS_H

#include <tally/types.h>

typedef struct tally_dims {
    uint32_t count;
    uint64_t size[TALLY_MAX_RANK]; /* outermost first */
    uint64_t in[TALLY_MAX_RANK];   /* strides in elements; 0 where the tensor is not addressed */
    uint64_t out[TALLY_MAX_RANK];
} tally_dims;

/* Add an axis inside those there are. Size 1 is dropped: it has one coordinate, which adds 0. */
void tally_dims_append(tally_dims *dims, uint64_t size, uint64_t in, uint64_t out);

/* Combine neighbours wherever one stride steps over both, in the input and in the output. */
void tally_dims_merge(tally_dims *dims);

/* Put the axis at from to another place; those between move by one. */
void tally_dims_move(tally_dims *dims, uint32_t from, uint32_t to);

/* In descending order of the strides of the output or of the input; equal ones stay as they are. */
void tally_dims_sort(tally_dims *dims, bool by_output);

/* The product of the sizes. */
uint64_t tally_dims_elements(const tally_dims *dims);

/* The greatest number that divides both of two sizes or strides. */
uint64_t tally_dims_common_divisor(uint64_t a, uint64_t b);

#endif
