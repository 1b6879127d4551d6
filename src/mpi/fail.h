/*
 * Failing on one rank or on all. Knows MPI's and OpenCL's codes, nothing of operators. Errors are
 * never NULL here: calls that take one of the caller's begin with MPI_ERROR().
 */
#ifndef TALLY_MPI_FAIL_H
#define TALLY_MPI_FAIL_H

#include <CL/cl.h>
#include <tally/mpi.h>

#include "base/status.h"

/* The caller's error, or, where that is NULL, one that nobody reads. */
#define MPI_ERROR(error) ((error) != NULL ? (error) : &(tally_error)TALLY_ERROR_INIT)

/* TALLY_OK, or the failure of a call of MPI or of OpenCL. */
tally_status mpi_check(int code, const char *call, tally_error *error);
tally_status mpi_check_cl(cl_int code, const char *call, tally_error *error);

/* A number that has to be the same on all ranks, and what it is: "another version of Tally". */
typedef struct mpi_word {
    uint64_t value;
    const char *differs;
} mpi_word;

#define MPI_WORDS_MAX 4

/* Collective: refuse, on all ranks, words that are not rank 0's. */
tally_status mpi_compare(MPI_Comm comm, const mpi_word *words, int count, tally_error *error);

/* Collective: tally_mpi_agree() with the status of error. */
tally_status mpi_agree(MPI_Comm comm, tally_error *error);

#endif
