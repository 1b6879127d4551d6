/*
 * Failing on one rank and on all. Ranks agree by integers alone: the lowest rank that failed, whose
 * sentence is then sent to all.
 */
#include "mpi/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- One rank ------------------------------------------------------------------------------ */

void mpi_clear(tally_error *error) {
    *error = (tally_error)TALLY_ERROR_INIT;
}

static tally_fault fault_of(tally_status status) {
    return status == TALLY_INVALID       ? TALLY_FAULT_CALLER
           : status == TALLY_UNSUPPORTED ? TALLY_FAULT_LIMIT
                                         : TALLY_FAULT_HOST;
}

static void mark_cut(tally_error *error, int length) {
    if (length >= (int)sizeof error->message)
        memcpy(error->message + sizeof error->message - 4, "...", 4);
}

tally_status mpi_fail(tally_error *error, tally_status status, const char *format, ...) {
    va_list arguments;
    mpi_clear(error);
    error->status = status;
    error->fault = fault_of(status);
    va_start(arguments, format);
    mark_cut(error, vsnprintf(error->message, sizeof error->message, format, arguments));
    va_end(arguments);
    return status;
}

tally_status mpi_fail_memory(tally_error *error, const char *what) {
    return mpi_fail(error, TALLY_OUT_OF_MEMORY, "no host memory left for %s", what);
}

tally_status mpi_check(int code, const char *call, tally_error *error) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return TALLY_OK;
    MPI_Error_string(code, text, &length);
    return mpi_fail(error, TALLY_DEVICE_ERROR, "%s failed: %.200s", call, text);
}

tally_status mpi_check_cl(cl_int code, const char *call, tally_error *error) {
    if (code == CL_SUCCESS)
        return TALLY_OK;
    const bool memory = code == CL_OUT_OF_HOST_MEMORY || code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                        code == CL_OUT_OF_RESOURCES;
    mpi_fail(error, memory ? TALLY_OUT_OF_MEMORY : TALLY_DEVICE_ERROR,
             "%s failed with OpenCL error %d", call, (int)code);
    error->cl_code = code;
    error->fault = TALLY_FAULT_OPENCL;
    return error->status;
}

void mpi_prefix(tally_error *error, const char *label) {
    char sentence[sizeof error->message];
    memcpy(sentence, error->message, sizeof sentence);
    mark_cut(error, snprintf(error->message, sizeof error->message, "%s: %s", label, sentence));
}

/* ---- All ranks ----------------------------------------------------------------------------- */

/* *error is the one of the lowest failed rank, or the failure of MPI. */
static void share(MPI_Comm comm, int rank, int ranks, tally_error *error) {
    char label[48];
    tally_error known;
    int lowest = error->status == TALLY_OK ? ranks : rank;
    int code = MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, comm);
    if (mpi_check(code, "MPI_Allreduce", &known) != TALLY_OK) {
        *error = known;
        return;
    }
    if (lowest == ranks)
        return;
    code = MPI_Bcast(error, (int)sizeof *error, MPI_BYTE, lowest, comm);
    if (mpi_check(code, "MPI_Bcast", &known) != TALLY_OK)
        *error = known;
    else if (ranks > 1) {
        snprintf(label, sizeof label, "rank %d of %d", lowest, ranks);
        mpi_prefix(error, label);
    }
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
    mpi_clear(error);
    if (mpi_check(MPI_Bcast(first, count, MPI_UINT64_T, 0, comm), "MPI_Bcast", error) != TALLY_OK)
        return error->status;
    for (int i = count; i-- > 0;)
        if (first[i] != words[i].value)
            mpi_fail(error, TALLY_INVALID, "it has %s than rank 0", words[i].differs);
    return mpi_agree(comm, error);
}
