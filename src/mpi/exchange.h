/*
 * How many states each rank gives, where they go, and the messages that take them there. Knows host
 * memory and MPI, no OpenCL.
 */
#ifndef TALLY_MPI_EXCHANGE_H
#define TALLY_MPI_EXCHANGE_H

#include "mpi/ranks.h"

typedef struct exchange {
    MPI_Datatype type;  /* one state of all lines */
    uint64_t unit;      /* its bytes */
    int *counts;        /* of each rank: the states that it gives */
    int *displacements; /* of each rank: where they go among all */
    bool travels;       /* there are states, and they have bytes */
    uint64_t total;     /* states of all ranks */
    uint64_t before;    /* those in front of this rank's */
    int root;           /* who gets them, or TALLY_MPI_ALL */
} exchange;

/*
 * Prepare the exchange of a cut with these bounds. Of a scan the order is the one in which ranks
 * are visited, and the last one that has anything gives nothing: nobody is behind it. Makes no
 * message. On failure there may be something to release.
 */
tally_status exchange_prepare(exchange *of, const tally_mpi *mpi, const tally_cut *cut,
                              const uint64_t *bounds, bool descending, int root,
                              tally_error *error);

void exchange_release(exchange *of);

/* Whether this rank gets states. */
bool exchange_gathers(const exchange *of, const tally_mpi *mpi);

/* Collective, without agreement: gather the states. all is not looked at where none are got. */
tally_status exchange_run(const exchange *of, const tally_mpi *mpi, const void *own, void *all,
                          tally_error *error);

#endif
