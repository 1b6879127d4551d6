/*
 * A caller may give a part's tensors strides of their own, but no other type, rank or sizes.
 */
#include "model/parts/tensors.h"

#include <inttypes.h>

#include "model/dtype.h"

/* A part's tensor: the caller's, or the whole's with fewer coordinates. */
static tally_status take_tensor(const tally_tensor *whole, const tally_tensor *given,
                                const char *role, const tally_cut *cut, const tally_part *part,
                                tally_tensor *tensor, tally_error *error) {
    *tensor = *whole;
    tensor->size[cut->axis] = part->end - part->begin;
    if (given == NULL)
        return TALLY_OK;
    if (given->dtype != whole->dtype || given->rank != whole->rank)
        return tally_fail(error, TALLY_INVALID,
                          "the part's %s has type %s and rank %" PRIu32
                          ", but the whole's has type %s and rank %" PRIu32,
                          role,
                          tally_dtype_find(given->dtype) != NULL
                              ? tally_dtype_find(given->dtype)->name
                              : "unknown",
                          given->rank, tally_dtype_find(whole->dtype)->name, whole->rank);
    for (uint32_t k = 0; k < whole->rank; k++)
        if (given->size[k] != tensor->size[k])
            return tally_fail(error, TALLY_INVALID,
                              "axis %" PRIu32 " of the part's %s has size %" PRIu64 ", but %" PRIu64
                              " is due",
                              k, role, given->size[k], tensor->size[k]);
    *tensor = *given;
    return TALLY_OK;
}

tally_status tally_part_tensors_take(const tally_whole *whole, const tally_cut *cut,
                                     const tally_part *part, tally_part_tensors *of,
                                     tally_error *error) {
    tally_status status =
        take_tensor(&whole->input, part->input, "input", cut, part, &of->input, error);
    if (status == TALLY_OK && cut->kind != TALLY_CUT_STATES)
        status = take_tensor(&whole->output, part->output, "output", cut, part, &of->output, error);
    return status;
}

uint64_t tally_pack_axes(tally_tensor *tensor, uint32_t axes, uint64_t pitch) {
    for (uint32_t k = tensor->rank; k-- > 0;)
        if ((axes >> k & 1u) != 0) {
            tensor->stride[k] = pitch;
            pitch *= tensor->size[k];
        }
    return pitch;
}

uint32_t tally_all_axes(const tally_tensor *tensor) {
    return (1u << tensor->rank) - 1;
}
