/*
 * tally/calls/vocabulary.h: versions, names of values, and helpers for tensors. A part of
 * tally/tally.h. Needs no runtime.
 */
#ifndef TALLY_CALLS_VOCABULARY_H
#define TALLY_CALLS_VOCABULARY_H

#include <stddef.h>
#include <stdint.h>

#include <tally/calls/api.h>
#include <tally/types/descriptions.h>
#include <tally/types/errors.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Names and numbers --------------------------------------------------------------------- */

/* The library's version, to compare with TALLY_VERSION. */
TALLY_API uint32_t tally_version(void);

/*
 * The version of the orders in which terms are combined where rounding depends on the order. Two
 * libraries with the same order version give the same bits.
 */
TALLY_API uint32_t tally_order_version(void);

/*
 * The name of a value in lower case, for example "invalid", "f32" or "log_sum_exp". A value out of
 * range gives "unknown". The text is static.
 */
TALLY_API const char *tally_status_name(tally_status status);
TALLY_API const char *tally_dtype_name(tally_dtype dtype);
TALLY_API const char *tally_function_name(tally_function function);

/*
 * The value with this name. If no value has it, or name is NULL, the result is 0: TALLY_DTYPE_NONE
 * or TALLY_FUNCTION_NONE.
 */
TALLY_API tally_dtype tally_dtype_by_name(const char *name);
TALLY_API tally_function tally_function_by_name(const char *name);

/* Bytes of one element. 0 for a value out of range. */
TALLY_API size_t tally_dtype_size(tally_dtype dtype);

/* ---- Tensors ------------------------------------------------------------------------------- */

/*
 * A packed row-major tensor. size has rank entries, outermost first. It may be NULL at rank 0. At
 * other ranks NULL gives TALLY_TENSOR_INIT: its type is TALLY_DTYPE_NONE, which the create calls
 * refuse.
 */
TALLY_API tally_tensor tally_tensor_packed(tally_dtype dtype, uint32_t rank, const uint64_t *size);

/*
 * The packed output of a reduction: it has the input's sizes, but size 1 on each axis of the bit
 * mask axes, and this element type. Bits at or above the rank are ignored here, and
 * tally_reduce_create() refuses them. Without an input the result is TALLY_TENSOR_INIT.
 */
TALLY_API tally_tensor tally_tensor_reduced(const tally_tensor *input, uint32_t axes,
                                            tally_dtype dtype);

/*
 * Bytes from the tensor's first element to the end of its last one. A buffer must have as many
 * behind the view's offset. An empty tensor has 0. A malformed tensor is refused as the create
 * calls refuse it, and *bytes stays as it was.
 */
TALLY_API tally_status tally_tensor_bytes(const tally_tensor *tensor, uint64_t *bytes,
                                          tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
