/*
 * Failing with a sentence, on one rank or on all. Knows the public error struct and MPI's and
 * OpenCL's codes, nothing of operators.
 */
#ifndef TALLY_MPI_FAIL_H
#define TALLY_MPI_FAIL_H

#include <CL/cl.h>
#include <tally/mpi.h>

#if defined(__GNUC__)
#define MPI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define MPI_PRINTF(text, first)
#endif

/* The caller's error, or, where that is NULL, one that nobody reads. */
#define MPI_ERROR(error) ((error) != NULL ? (error) : &(tally_error)TALLY_ERROR_INIT)

void mpi_clear(tally_error *error);

/* Fill error and return status, so that failing is one line. */
tally_status mpi_fail(tally_error *error, tally_status status, const char *format, ...)
    MPI_PRINTF(3, 4);

/* Out of host memory for what. */
tally_status mpi_fail_memory(tally_error *error, const char *what);

/* TALLY_OK, or the failure of a call of MPI or of OpenCL. */
tally_status mpi_check(int code, const char *call, tally_error *error);
tally_status mpi_check_cl(cl_int code, const char *call, tally_error *error);

/* Put "LABEL: " before the sentence. */
void mpi_prefix(tally_error *error, const char *label);

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
