/*
 * order_reduce.h: whole reductions by the plain reference of the orders: every function, over the
 * types that it takes, to the bits of each output. Elements are never NaN. Nothing of src/
 * computes here, and of cl/ only exp and log, whose bits are defined by their text.
 */
#ifndef TESTS_SUPPORT_ORDER_REDUCE_H
#define TESTS_SUPPORT_ORDER_REDUCE_H

#include <tally/types.h>

/*
 * The bits of all outputs, row-major. input has the elements where the input tensor says, from its
 * first to its last.
 */
void order_reduce(const tally_reduce *desc, const void *input, uint64_t *results);

#endif
