/*
 * The exchange of states. Their bytes travel as they are: a type of MPI stands for one state of all
 * lines, so that counts stay below 2^31 however many bytes there are.
 */
#include "mpi/exchange.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* ---- A type of so many bytes ---------------------------------------------------------------- */

#define CHUNK (1 << 20)

/* More bytes than fit an int: chunks and a rest. */
static int make_large(uint64_t bytes, MPI_Datatype *type) {
    MPI_Datatype parts[2] = {MPI_DATATYPE_NULL, MPI_BYTE};
    int lengths[2] = {(int)(bytes / CHUNK), (int)(bytes % CHUNK)};
    const MPI_Aint offsets[2] = {0, (MPI_Aint)(bytes - bytes % CHUNK)};
    int code = MPI_Type_contiguous(CHUNK, MPI_BYTE, &parts[0]);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Type_create_struct(2, lengths, offsets, parts, type);
    MPI_Type_free(&parts[0]);
    return code;
}

static tally_status make_type(uint64_t bytes, MPI_Datatype *type, tally_error *error) {
    if (bytes / CHUNK > INT_MAX)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "a state of all lines has %" PRIu64
                          " bytes: distribute an axis of the lines instead",
                          bytes);
    int code = bytes <= INT_MAX ? MPI_Type_contiguous((int)bytes, MPI_BYTE, type)
                                : make_large(bytes, type);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(type);
    return mpi_check(code, "MPI_Type_commit", error);
}

/* ---- Who gives how many --------------------------------------------------------------------- */

/* The n-th rank in the order of the states. */
static int in_order(const tally_mpi *mpi, bool descending, int n) {
    return descending ? mpi->ranks - 1 - n : n;
}

/* The last rank in that order whose range is not empty; -1: none. */
static int find_last(const tally_mpi *mpi, const uint64_t *bounds, bool descending) {
    for (int n = mpi->ranks; n-- > 0;) {
        const int rank = in_order(mpi, descending, n);
        if (bounds[rank] < bounds[rank + 1])
            return rank;
    }
    return -1;
}

static tally_status count_states(exchange *of, const tally_mpi *mpi, const tally_cut *cut,
                                 const uint64_t *bounds, bool descending, tally_error *error) {
    const int last =
        cut->kind == TALLY_CUT_TOTALS ? find_last(mpi, bounds, descending) : mpi->ranks;
    for (int n = 0; n < mpi->ranks; n++) {
        const int rank = in_order(mpi, descending, n);
        const uint64_t states =
            rank != last ? tally_cut_states(cut, bounds[rank], bounds[rank + 1]) : 0;
        if (states > (uint64_t)INT_MAX - of->total)
            return tally_fail(error, TALLY_UNSUPPORTED,
                              "there are more than 2^31 - 1 states of each line");
        if (rank == mpi->rank)
            of->before = of->total;
        of->counts[rank] = (int)states;
        of->displacements[rank] = (int)of->total;
        of->total += states;
    }
    return TALLY_OK;
}

tally_status exchange_prepare(exchange *of, const tally_mpi *mpi, const tally_cut *cut,
                              const uint64_t *bounds, bool descending, int root,
                              tally_error *error) {
    *of = (exchange){.type = MPI_DATATYPE_NULL, .root = root};
    of->unit = cut->lines * cut->state_bytes;
    of->counts = calloc((size_t)mpi->ranks, sizeof *of->counts);
    of->displacements = calloc((size_t)mpi->ranks, sizeof *of->displacements);
    if (of->counts == NULL || of->displacements == NULL)
        return tally_fail_memory(error, "the numbers of states");
    tally_status status = count_states(of, mpi, cut, bounds, descending, error);
    of->travels = of->total > 0 && of->unit > 0;
    if (status != TALLY_OK || !of->travels)
        return status;
    if (of->total > SIZE_MAX / of->unit)
        return tally_fail_memory(error, "the states of all ranks");
    return make_type(of->unit, &of->type, error);
}

void exchange_release(exchange *of) {
    free(of->counts);
    free(of->displacements);
    if (of->type != MPI_DATATYPE_NULL)
        MPI_Type_free(&of->type);
}

/* ---- Messages ------------------------------------------------------------------------------- */

bool exchange_gathers(const exchange *of, const tally_mpi *mpi) {
    return of->travels && (of->root == TALLY_MPI_ALL || of->root == mpi->rank);
}

tally_status exchange_run(const exchange *of, const tally_mpi *mpi, const void *own, void *all,
                          tally_error *error) {
    if (!of->travels)
        return TALLY_OK;
    const int given = of->counts[mpi->rank];
    if (of->root == TALLY_MPI_ALL)
        return mpi_check(MPI_Allgatherv(own, given, of->type, all, of->counts, of->displacements,
                                        of->type, mpi->comm),
                         "MPI_Allgatherv", error);
    return mpi_check(MPI_Gatherv(own, given, of->type, all, of->counts, of->displacements, of->type,
                                 of->root, mpi->comm),
                     "MPI_Gatherv", error);
}
