/*
 * Checking what an operator is asked to be: first each rank its own part, then all ranks whether
 * these fit together.
 */
#include "mpi/request.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/struct.h"

/* ---- An even cut ---------------------------------------------------------------------------- */

tally_status tally_mpi_even(const tally_mpi *mpi, const tally_desc *whole, uint32_t axis,
                            tally_mpi_layout *layout, tally_error *error) {
    tally_error *own = MPI_ERROR(error);
    tally_cut cut = TALLY_CUT_INIT;
    tally_error_clear(own);
    if (mpi == NULL || layout == NULL)
        return tally_fail(own, TALLY_INVALID, "the %s is NULL",
                          mpi == NULL ? "tally_mpi" : "tally_mpi_layout");
    uint64_t *bounds = malloc(((size_t)mpi->ranks + 1) * sizeof *bounds);
    if (bounds == NULL)
        return tally_fail_memory(own, "the bounds of ranks");
    if (tally_cut_even(whole, axis, (uint32_t)mpi->ranks, bounds, &cut, own) == TALLY_OK) {
        layout->axis = cut.axis;
        layout->begin = bounds[mpi->rank];
        layout->end = bounds[mpi->rank + 1];
    }
    free(bounds);
    return own->status;
}

/* ---- Checks that each rank makes ------------------------------------------------------------ */

static tally_status take_layout(const tally_mpi_layout *given, tally_mpi_layout *layout,
                                tally_error *error) {
    tally_status status =
        tally_struct_take(given, layout, sizeof *layout, "tally_mpi_layout", error);
    if (status == TALLY_OK && layout->reserved != 0)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the reserved member of the tally_mpi_layout is %" PRIu32
                          ", but this version wants 0; its initialiser has it",
                          layout->reserved);
    return status;
}

static tally_status check_layout(const tally_mpi *mpi, request *of, tally_error *error) {
    const tally_mpi_layout *layout = &of->layout;
    uint64_t bounds[2];
    of->cut = (tally_cut)TALLY_CUT_INIT;
    if (layout->axis == TALLY_ANY_AXIS)
        return tally_fail(
            error, TALLY_INVALID,
            "the axis of the tally_mpi_layout is TALLY_ANY_AXIS, but tally_mpi_even() "
            "is what chooses one");
    tally_status status = tally_cut_even(of->whole, layout->axis, 1, bounds, &of->cut, error);
    if (status != TALLY_OK)
        return status;
    if (of->cut.kind == TALLY_CUT_STATES &&
        (layout->root < TALLY_MPI_ALL || layout->root >= mpi->ranks))
        return tally_fail(error, TALLY_INVALID,
                          "the root is %" PRId32 ", but there are %d ranks, and TALLY_MPI_ALL",
                          layout->root, mpi->ranks);
    if (of->cut.kind != TALLY_CUT_STATES)
        of->layout.root = TALLY_MPI_ALL;
    return TALLY_OK;
}

tally_status request_check(request *of, const tally_mpi *mpi, const tally_mpi_layout *layout,
                           tally_error *error) {
    const size_t ranks = (size_t)mpi->ranks;
    tally_error_clear(error);
    if (of->whole == NULL)
        return tally_fail(error, TALLY_INVALID, "the tally_desc is NULL");
    of->bounds = malloc((ranks + 1) * sizeof *of->bounds);
    of->ranges = malloc(2 * ranks * sizeof *of->ranges);
    if (of->bounds == NULL || of->ranges == NULL)
        return tally_fail_memory(error, "the ranges of ranks");
    tally_status status = take_layout(layout, &of->layout, error);
    return status == TALLY_OK ? check_layout(mpi, of, error) : status;
}

/* ---- What all ranks find out together -------------------------------------------------------- */

/* The ranges of all ranks follow each other; all ranks find the same fault. */
static tally_status check_ranges(const tally_mpi *mpi, request *of, tally_error *error) {
    uint64_t at = 0;
    for (int rank = 0; rank < mpi->ranks; rank++) {
        const uint64_t *range = &of->ranges[(size_t)rank * 2];
        if (range[0] != at || range[1] < range[0])
            return tally_fail(error, TALLY_INVALID,
                              "the range of rank %d is from %" PRIu64 " to %" PRIu64
                              ", but it has to begin at %" PRIu64 ", where the one before ends",
                              rank, range[0], range[1], at);
        of->bounds[rank] = at;
        at = range[1];
    }
    of->bounds[mpi->ranks] = at;
    return at == of->cut.size ? TALLY_OK
                              : tally_fail(error, TALLY_INVALID,
                                           "the ranges of all ranks end at %" PRIu64
                                           ", but the axis has %" PRIu64 " coordinates",
                                           at, of->cut.size);
}

tally_status request_gather(request *of, const tally_mpi *mpi, tally_error *error) {
    const uint64_t own[2] = {of->layout.begin, of->layout.end};
    tally_status status =
        mpi_check(MPI_Allgather(own, 2, MPI_UINT64_T, of->ranges, 2, MPI_UINT64_T, mpi->comm),
                  "MPI_Allgather", error);
    return status == TALLY_OK ? check_ranges(mpi, of, error) : status;
}

tally_status request_compare(const request *of, const tally_mpi *mpi, tally_error *error) {
    const mpi_word words[] = {{of->cut.key, "another description, or another axis to distribute,"},
                              {(uint64_t)(int64_t)of->layout.root, "another root"}};
    return mpi_compare(mpi->comm, words, 2, error);
}

void request_release(request *of) {
    free(of->bounds);
    free(of->ranges);
}
