/*
 * Ranks: making and releasing the object of a communicator, what all ranks agree on, and which
 * device a rank takes.
 */
#include "mpi/ranks.h"

#include <stdlib.h>

tally_status mpi_check_comm(MPI_Comm comm, tally_error *error) {
    int initialised = 0;
    tally_error_clear(error);
    if (MPI_Initialized(&initialised) != MPI_SUCCESS || !initialised)
        return tally_fail(error, TALLY_INVALID, "MPI is not initialised: MPI_Init() comes first");
    if (comm == MPI_COMM_NULL)
        return tally_fail(error, TALLY_INVALID, "the communicator is MPI_COMM_NULL");
    return TALLY_OK;
}

tally_status tally_mpi_agree(MPI_Comm comm, tally_error *error) {
    tally_error none = TALLY_ERROR_INIT, *own = error != NULL ? error : &none;
    if (error == NULL)
        tally_fail(own, TALLY_INVALID, "the error is NULL");
    tally_error known;
    if (mpi_check_comm(comm, &known) == TALLY_OK)
        return mpi_agree(comm, own);
    *own = known;
    return known.status;
}

/* ---- Devices ------------------------------------------------------------------------------- */

/* This rank's number among those of its host. */
static tally_status find_local_rank(MPI_Comm comm, int *local, tally_error *error) {
    MPI_Comm host = MPI_COMM_NULL;
    int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    if (code != MPI_SUCCESS)
        return mpi_check(code, "MPI_Comm_split_type", error);
    code = MPI_Comm_rank(host, local);
    MPI_Comm_free(&host);
    return mpi_check(code, "MPI_Comm_rank", error);
}

tally_status tally_mpi_pick_device(MPI_Comm comm, uint32_t count, uint32_t *index,
                                   tally_error *error) {
    tally_error *own = MPI_ERROR(error);
    int local = 0;
    if (mpi_check_comm(comm, own) != TALLY_OK)
        return own->status;
    if (count == 0)
        tally_fail(own, TALLY_INVALID, "this host has no device to choose from");
    else if (index == NULL)
        tally_fail(own, TALLY_INVALID, "the index is NULL");
    if (mpi_agree(comm, own) != TALLY_OK)
        return own->status;
    find_local_rank(comm, &local, own);
    if (mpi_agree(comm, own) == TALLY_OK)
        *index = (uint32_t)local % count;
    return own->status;
}

/* ---- The object ---------------------------------------------------------------------------- */

/* What this rank does on its own. */
static tally_status fill(tally_mpi *mpi, tally_runtime *runtime, cl_command_queue queue,
                         tally_error *error) {
    if (runtime == NULL || queue == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s is NULL",
                          runtime == NULL ? "runtime" : "queue");
    tally_status status = mpi_check_cl(
        clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &mpi->context, NULL),
        "clGetCommandQueueInfo", error);
    if (status == TALLY_OK)
        status = tally_scratch_create(runtime, &mpi->scratch, error);
    if (status != TALLY_OK)
        return status;
    tally_runtime_retain(runtime);
    mpi->runtime = runtime;
    mpi->queue = queue;
    return mpi_check_cl(clRetainCommandQueue(queue), "clRetainCommandQueue", error);
}

static tally_status copy_comm(MPI_Comm comm, tally_mpi *mpi, tally_error *error) {
    int code = MPI_Comm_dup(comm, &mpi->comm);
    if (code != MPI_SUCCESS)
        return mpi_check(code, "MPI_Comm_dup", error);
    MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
    code = MPI_Comm_rank(mpi->comm, &mpi->rank);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(mpi->comm, &mpi->ranks);
    return mpi_check(code, "MPI_Comm_rank", error);
}

static tally_status compare_versions(const tally_mpi *mpi, tally_error *error) {
    const mpi_word words[] = {{tally_version(), "another version of Tally"},
                              {tally_order_version(), "another version of Tally's orders"}};
    return mpi_compare(mpi->comm, words, 2, error);
}

static void drop(tally_mpi *mpi) {
    tally_scratch_release(mpi->scratch);
    tally_runtime_release(mpi->runtime);
    if (mpi->queue != NULL)
        clReleaseCommandQueue(mpi->queue);
    if (mpi->comm != MPI_COMM_NULL)
        MPI_Comm_free(&mpi->comm);
}

/* Fill *mpi; a rank without memory for it takes part all the same. */
static tally_status make(MPI_Comm comm, tally_runtime *runtime, cl_command_queue queue,
                         tally_mpi *mpi, tally_error *error) {
    tally_mpi room = {.comm = MPI_COMM_NULL};
    tally_mpi *made = mpi != NULL ? mpi : &room;
    *made = (tally_mpi){.comm = MPI_COMM_NULL};
    if (copy_comm(comm, made, error) == TALLY_OK) {
        if (mpi == NULL)
            tally_fail_memory(error, "the object of the ranks");
        else
            fill(made, runtime, queue, error);
        if (mpi_agree(made->comm, error) == TALLY_OK)
            compare_versions(made, error);
    }
    if (error->status != TALLY_OK)
        drop(made);
    return error->status;
}

tally_status tally_mpi_create(MPI_Comm comm, tally_runtime *runtime, cl_command_queue queue,
                              tally_mpi **mpi, tally_error *error) {
    tally_error *own = MPI_ERROR(error);
    if (mpi != NULL)
        *mpi = NULL;
    if (mpi_check_comm(comm, own) != TALLY_OK)
        return own->status;
    /* Where nobody would get the object, this rank fails as one without memory does. */
    tally_mpi *made = mpi != NULL ? malloc(sizeof *made) : NULL;
    if (make(comm, runtime, queue, made, own) == TALLY_OK)
        *mpi = made;
    else
        free(made);
    return own->status;
}

void tally_mpi_release(tally_mpi *mpi) {
    if (mpi == NULL)
        return;
    drop(mpi);
    free(mpi);
}
