/*
 * What an operator on a distributed tensor is asked to be: the description, this rank's range and
 * those of all ranks. Knows no memory and no OpenCL.
 */
#ifndef TALLY_MPI_REQUEST_H
#define TALLY_MPI_REQUEST_H

#include "mpi/ranks.h"

/* What the call was given, and what is derived from it. */
typedef struct request {
    const tally_desc *whole;
    tally_mpi_layout layout;
    tally_cut cut;    /* at first of one part, then of all ranks' */
    uint64_t *bounds; /* of all ranks: ranks + 1 coordinates */
    uint64_t *ranges; /* of all ranks: begin and end */
} request;

/* Each rank on its own: check what it was given, and fill the members but the ranges. */
tally_status request_check(request *of, const tally_mpi *mpi, const tally_mpi_layout *layout,
                           tally_error *error);

/* Collective, each with the same outcome on all ranks: compare descriptions; fill the bounds. */
tally_status request_compare(const request *of, const tally_mpi *mpi, tally_error *error);
tally_status request_gather(request *of, const tally_mpi *mpi, tally_error *error);

void request_release(request *of);

#endif
