/*
 * tests/mpi/install/main.c: the program of a project outside the tree. It knows tally_mpi only as
 * installed: do its ranks agree, and are they of the header's version?
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <stdio.h>
#include <tally/mpi.h>

int main(int argc, char **argv) {
    tally_error error = TALLY_ERROR_INIT;
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (tally_version() != TALLY_VERSION)
        error.status = TALLY_INVALID;
    const tally_status status = tally_mpi_agree(MPI_COMM_WORLD, &error);
    if (rank == 0 && status == TALLY_OK)
        printf("%d ranks agree\n", ranks);
    MPI_Finalize();
    return status == TALLY_OK ? 0 : 1;
}
