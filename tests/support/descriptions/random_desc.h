/*
 * random_desc.h: seeded random descriptions, all of them legal: any rank, sizes around the numbers
 * where something changes, strides of every kind, any axes, functions and types.
 */
#ifndef TESTS_SUPPORT_DESCRIPTIONS_RANDOM_DESC_H
#define TESTS_SUPPORT_DESCRIPTIONS_RANDOM_DESC_H

#include <tally/types.h>

/* What to draw from. */
typedef struct random_kind {
    uint64_t most;    /* elements of a tensor */
    uint32_t strided; /* of 8 tensors so many have strides of their own, at random; 0: all packed */
    bool empty;       /* sizes of 0 too */
} random_kind;

void random_reduce(const random_kind *kind, uint64_t *state, tally_reduce *desc);
void random_cumulative(const random_kind *kind, uint64_t *state, tally_cumulative *desc);

/* With an input, which is written to *input, or without. */
void random_diagonal(const random_kind *kind, uint64_t *state, tally_diagonal *desc,
                     tally_tensor *input);

#endif
