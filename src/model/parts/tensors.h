/*
 * The tensors of a part: the caller's, or the whole's with fewer coordinates; and how states lie,
 * which are packed. Knows no problem.
 */
#ifndef TALLY_MODEL_PARTS_TENSORS_H
#define TALLY_MODEL_PARTS_TENSORS_H

#include <tally/part.h>

#include "model/whole.h"

typedef struct tally_part_tensors {
    tally_tensor input, output;
} tally_part_tensors;

/* The tensors of a part, checked; of one that gives states of a reduction the output is not set. */
tally_status tally_part_tensors_take(const tally_whole *whole, const tally_cut *cut,
                                     const tally_part *part, tally_part_tensors *of,
                                     tally_error *error);

/*
 * Set the strides of packed states: of those axes that are lines from pitch on, in row-major order.
 * Returns the pitch of what comes outside of them.
 */
uint64_t tally_pack_axes(tally_tensor *tensor, uint32_t axes, uint64_t pitch);

/* A bit for each axis. */
uint32_t tally_all_axes(const tally_tensor *tensor);

#endif
