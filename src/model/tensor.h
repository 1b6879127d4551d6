/*
 * Checks and measures of one tensor. Knows shapes, not operators.
 */
#ifndef TALLY_MODEL_TENSOR_H
#define TALLY_MODEL_TENSOR_H

#include "base/status.h"

/*
 * Copy tensor to *checked with its strides filled in and TALLY_STRIDED set. Refuses, with a
 * sentence that names the tensor by role ("input"): an unknown type or flag, a rank above 8, sizes
 * whose product, or strides whose extent in bytes, passes 2^63 - 1.
 */
tally_status tally_tensor_check(const tally_tensor *tensor, const char *role, tally_tensor *checked,
                                tally_error *error);

/* Refuse an output in which two coordinates may share an element: its strides must nest. */
tally_status tally_tensor_check_distinct(const tally_tensor *checked, const char *role,
                                         tally_error *error);

/* Refuse tensors of unequal rank or sizes. */
tally_status tally_tensor_check_same_sizes(const tally_tensor *input, const tally_tensor *output,
                                           tally_error *error);

/* The product of the sizes. */
uint64_t tally_tensor_elements(const tally_tensor *checked);

/* Elements from the first to the end of the last, gaps included; 0 if empty. */
uint64_t tally_tensor_extent(const tally_tensor *checked);

#endif
