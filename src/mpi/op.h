/*
 * An operator on a distributed tensor: the operators of this rank, and the memory that its states
 * pass through.
 */
#ifndef TALLY_MPI_OP_H
#define TALLY_MPI_OP_H

#include "mpi/exchange.h"

struct tally_mpi_op {
    tally_mpi *mpi;
    tally_cut cut;
    exchange exchange;
    tally_op *part;    /* gives results or states; NULL: there is nothing to give */
    tally_op *combine; /* of the states that this rank needs; NULL: it needs none */
    tally_op *scan;    /* goes on from the carry; NULL: the problem is no cut scan */
    uint64_t combined; /* states that combine takes */
    void *own, *all;   /* states in host memory: this rank's, and of all ranks */
    cl_mem states;     /* states on the device: first this rank's, then those to be combined */
    cl_mem carry;
    uint64_t runs;
};

#endif
