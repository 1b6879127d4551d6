/*
 * The geometry of a range: axes outside of the cut one repeat the run, axes inside make it longer.
 */
#include "cli_mpi/slice.h"

#include <tally/tally.h>

slice slice_of(const tally_tensor *whole, bool fortran, uint32_t axis, uint64_t begin,
               uint64_t end) {
    uint64_t outside = 1, inside = tally_dtype_size(whole->dtype);
    for (uint32_t k = 0; k < whole->rank; k++) {
        if (k != axis && (k < axis) == fortran)
            inside *= whole->size[k];
        else if (k != axis)
            outside *= whole->size[k];
    }
    return (slice){.first = begin * inside,
                   .run = (end - begin) * inside,
                   .step = whole->size[axis] * inside,
                   .bytes = outside * (end - begin) * inside};
}

uint64_t slice_next(const slice *of, uint64_t at, uint64_t most, uint64_t *position) {
    const uint64_t within = at % of->run, left = of->run - within;
    *position = of->first + at / of->run * of->step + within;
    return left < most ? left : most;
}
