/*
 * The ranks of a communicator with this rank's runtime and queue. Knows MPI and OpenCL's queues,
 * nothing of operators.
 */
#ifndef TALLY_MPI_RANKS_H
#define TALLY_MPI_RANKS_H

#include "mpi/fail.h"

struct tally_mpi {
    MPI_Comm comm; /* a copy of the caller's, whose calls return their errors */
    int rank, ranks;
    tally_runtime *runtime;
    cl_command_queue queue;
    cl_context context;     /* the queue's */
    tally_scratch *scratch; /* of all operators, one of which runs at a time */
};

/* Whether there is somebody to tell of a failure: MPI is initialised, and there is a communicator.
 */
tally_status mpi_check_comm(MPI_Comm comm, tally_error *error);

#endif
