/*
 * distributed.h: a problem computed at once by rank 0 and distributed over all ranks. Every byte of
 * each rank's output must be the one-piece result's.
 */
#ifndef TESTS_MPI_DISTRIBUTED_H
#define TESTS_MPI_DISTRIBUTED_H

#include "support/numbers/values.h"

#include "mpi/world.h"

typedef struct distributed_how {
    uint32_t axis;          /* to distribute, or TALLY_ANY_AXIS */
    const uint64_t *bounds; /* of all ranks; NULL: as even as can be */
    int root;
    values_class values;
    uint64_t seed;
    bool in_place;
    bool padded; /* this rank's tensors have gaps */
} distributed_how;

/* Collective. The description's tensors are packed. */
void distributed_check(const tally_desc *whole, distributed_how how);

#endif
