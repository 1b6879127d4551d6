/*
 * Failing on one rank and on all. Ranks agree by integers alone: the lowest rank that failed, whose
 * sentence is then sent to all.
 */
#include "mpi/fail.h"

#include <stdio.h>

/* ---- One rank ------------------------------------------------------------------------------ */

tally_status mpi_check(int code, const char *call, tally_error *error) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return TALLY_OK;
    MPI_Error_string(code, text, &length);
    tally_fail(error, TALLY_DEVICE_ERROR, "%s failed: %.200s", call, text);
    error->fault = TALLY_FAULT_HOST; /* and not OpenCL */
    return error->status;
}

tally_status mpi_check_cl(cl_int code, const char *call, tally_error *error) {
    if (code == CL_SUCCESS)
        return TALLY_OK;
    const bool memory = code == CL_OUT_OF_HOST_MEMORY || code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                        code == CL_OUT_OF_RESOURCES;
    return tally_fail_cl(error, memory ? TALLY_OUT_OF_MEMORY : TALLY_DEVICE_ERROR, code,
                         "%s failed with OpenCL error %d", call, (int)code);
}

/* ---- All ranks ----------------------------------------------------------------------------- */

/* A failure of one rank as all are told it. No byte is undefined, as all are sent. */
static tally_error label(const tally_error *of, int rank, int ranks) {
    tally_error told = TALLY_ERROR_INIT;
    if (ranks > 1)
        tally_fail_cl(&told, of->status, of->cl_code, "rank %d of %d: %s", rank, ranks,
                      of->message);
    else
        tally_fail_cl(&told, of->status, of->cl_code, "%s", of->message);
    told.fault = of->fault;
    return told;
}

/* *error is the one of the lowest failed rank, or the failure of MPI. */
static void share(MPI_Comm comm, int rank, int ranks, tally_error *error) {
    tally_error told = TALLY_ERROR_INIT;
    int lowest = error->status == TALLY_OK ? ranks : rank;
    int code = MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, comm);
    if (code != MPI_SUCCESS) {
        mpi_check(code, "MPI_Allreduce", error);
        return;
    }
    if (lowest == ranks)
        return;
    if (lowest == rank)
        told = label(error, rank, ranks);
    code = MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, lowest, comm);
    if (mpi_check(code, "MPI_Bcast", error) == TALLY_OK)
        *error = told;
}

tally_status mpi_agree(MPI_Comm comm, tally_error *error) {
    tally_error known;
    int rank = 0, ranks = 1;
    if (mpi_check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank", &known) != TALLY_OK ||
        mpi_check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size", &known) != TALLY_OK)
        *error = known;
    else
        share(comm, rank, ranks, error);
    return error->status;
}

tally_status mpi_compare(MPI_Comm comm, const mpi_word *words, int count, tally_error *error) {
    uint64_t first[MPI_WORDS_MAX];
    for (int i = 0; i < count; i++)
        first[i] = words[i].value;
    tally_error_clear(error);
    if (mpi_check(MPI_Bcast(first, count, MPI_UINT64_T, 0, comm), "MPI_Bcast", error) != TALLY_OK)
        return error->status;
    for (int i = count; i-- > 0;)
        if (first[i] != words[i].value)
            tally_fail(error, TALLY_INVALID, "it has %s than rank 0", words[i].differs);
    return mpi_agree(comm, error);
}
