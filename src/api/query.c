/*
 * The calls that need no runtime: versions, names, sizes, tensors.
 */
#include <tally/tally.h>

#include <string.h>

#include "base/status.h"
#include "cl/core/order.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "model/tensor.h"

uint32_t tally_version(void) {
    return TALLY_VERSION;
}

uint32_t tally_order_version(void) {
    return TALLY_ORDER_VERSION;
}

const char *tally_status_name(tally_status status) {
    return tally_status_text(status);
}

const char *tally_dtype_name(tally_dtype dtype) {
    const tally_dtype_row *row = tally_dtype_find(dtype);
    return row != NULL ? row->name : "unknown";
}

const char *tally_function_name(tally_function function) {
    const tally_monoid *row = tally_monoid_find(function);
    return row != NULL ? row->name : "unknown";
}

tally_dtype tally_dtype_by_name(const char *name) {
    for (int i = 1; name != NULL && tally_dtype_find((tally_dtype)i) != NULL; i++)
        if (strcmp(tally_dtype_find((tally_dtype)i)->name, name) == 0)
            return (tally_dtype)i;
    return TALLY_DTYPE_NONE;
}

tally_function tally_function_by_name(const char *name) {
    for (int i = 1; name != NULL && tally_monoid_find((tally_function)i) != NULL; i++)
        if (strcmp(tally_monoid_find((tally_function)i)->name, name) == 0)
            return (tally_function)i;
    return TALLY_FUNCTION_NONE;
}

size_t tally_dtype_size(tally_dtype dtype) {
    const tally_dtype_row *row = tally_dtype_find(dtype);
    return row != NULL ? row->bytes : 0;
}

/* Sizes that are not there give a tensor of no type, which is refused where it is used. */
tally_tensor tally_tensor_packed(tally_dtype dtype, uint32_t rank, const uint64_t *size) {
    tally_tensor tensor = TALLY_TENSOR_INIT;
    if (rank > 0 && size == NULL)
        return tensor;
    tensor.dtype = dtype;
    tensor.rank = rank; /* one that is too high is refused where the tensor is used */
    for (uint32_t k = 0; k < rank && k < TALLY_MAX_RANK; k++)
        tensor.size[k] = size[k];
    return tensor;
}

tally_tensor tally_tensor_reduced(const tally_tensor *input, uint32_t axes, tally_dtype dtype) {
    if (input == NULL)
        return (tally_tensor)TALLY_TENSOR_INIT;
    tally_tensor tensor = tally_tensor_packed(dtype, input->rank, input->size);
    for (uint32_t k = 0; k < TALLY_MAX_RANK; k++)
        if ((axes >> k & 1u) != 0 && k < input->rank)
            tensor.size[k] = 1;
    return tensor;
}

tally_status tally_tensor_bytes(const tally_tensor *tensor, uint64_t *bytes, tally_error *error) {
    tally_tensor checked;
    tally_error_clear(error);
    if (tensor == NULL || bytes == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s is NULL",
                          tensor == NULL ? "tensor" : "place for the bytes");
    tally_status status = tally_tensor_check(tensor, "tensor", &checked, error);
    if (status == TALLY_OK)
        *bytes = tally_tensor_extent(&checked) * tally_dtype_find(checked.dtype)->bytes;
    return status;
}
