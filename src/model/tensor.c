/*
 * Checks and measures of one tensor. Every product and sum is checked before it is made: sizes and
 * strides come from the caller and may be anything.
 */
#include "model/tensor.h"

#include <inttypes.h>

#include "model/dtype.h"

/* Elements and bytes stay below this, so that signed 64-bit arithmetic on the device is safe. */
#define LIMIT ((uint64_t)INT64_MAX)

static bool multiply_fits(uint64_t a, uint64_t b, uint64_t *product) {
    if (a != 0 && b > LIMIT / a)
        return false;
    *product = a * b;
    return true;
}

static tally_status check_kind(const tally_tensor *tensor, const char *role, tally_error *error) {
    if (tally_dtype_find(tensor->dtype) == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s's dtype %d is none of Tally's types", role,
                          (int)tensor->dtype);
    if (tensor->rank > TALLY_MAX_RANK)
        return tally_fail(error, TALLY_INVALID,
                          "the %s has rank %" PRIu32 ", but at most %d is legal", role,
                          tensor->rank, TALLY_MAX_RANK);
    if ((tensor->flags & ~TALLY_STRIDED) != 0)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's flags 0x%" PRIx32 " have bits besides TALLY_STRIDED (0x%x)",
                          role, tensor->flags, TALLY_STRIDED);
    return TALLY_OK;
}

/* Sizes as if no axis were empty, so that strides of empty tensors are well defined too. */
static tally_status fill_packed(tally_tensor *tensor, const char *role, tally_error *error) {
    uint64_t stride = 1;
    for (uint32_t k = tensor->rank; k-- > 0;) {
        uint64_t size = tensor->size[k];
        if ((tensor->flags & TALLY_STRIDED) == 0)
            tensor->stride[k] = stride;
        if (!multiply_fits(stride, size > 0 ? size : 1, &stride))
            return tally_fail(
                error, TALLY_INVALID,
                "the %s's sizes multiply to more than 2^63 - 1 elements at axis %" PRIu32
                " of size %" PRIu64,
                role, k, size);
    }
    tensor->flags = TALLY_STRIDED;
    return TALLY_OK;
}

static tally_status check_extent(const tally_tensor *tensor, const char *role, tally_error *error) {
    uint64_t bytes = tally_dtype_find(tensor->dtype)->bytes;
    uint64_t last = 0, step = 0;
    for (uint32_t k = 0; k < tensor->rank; k++)
        if (tensor->size[k] == 0)
            return TALLY_OK;
    for (uint32_t k = 0; k < tensor->rank; k++) {
        if (!multiply_fits(tensor->size[k] - 1, tensor->stride[k], &step) ||
            step > LIMIT / bytes - 1 - last)
            return tally_fail(error, TALLY_INVALID,
                              "the %s reaches beyond 2^63 - 1 bytes at axis %" PRIu32
                              " of size %" PRIu64 " and stride %" PRIu64,
                              role, k, tensor->size[k], tensor->stride[k]);
        last += step;
    }
    return TALLY_OK;
}

tally_status tally_tensor_check(const tally_tensor *tensor, const char *role, tally_tensor *checked,
                                tally_error *error) {
    tally_status status = check_kind(tensor, role, error);
    if (status != TALLY_OK)
        return status;
    *checked = *tensor;
    status = fill_packed(checked, role, error);
    return status == TALLY_OK ? check_extent(checked, role, error) : status;
}

tally_status tally_tensor_check_distinct(const tally_tensor *checked, const char *role,
                                         tally_error *error) {
    uint32_t order[TALLY_MAX_RANK], count = 0;
    if (tally_tensor_elements(checked) == 0)
        return TALLY_OK;
    for (uint32_t k = 0; k < checked->rank; k++) {
        if (checked->size[k] == 1)
            continue;
        uint32_t position = count++;
        for (; position > 0 && checked->stride[order[position - 1]] > checked->stride[k];
             position--)
            order[position] = order[position - 1];
        order[position] = k;
    }
    uint64_t extent = 1; /* of the axes of smaller strides */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = order[i];
        if (checked->stride[k] < extent)
            return tally_fail(error, TALLY_UNSUPPORTED,
                              "the %s's stride %" PRIu64 " of axis %" PRIu32
                              " may let coordinates collide: the axes inside it reach over %" PRIu64
                              " elements",
                              role, checked->stride[k], k, extent);
        extent += (checked->size[k] - 1) * checked->stride[k];
    }
    return TALLY_OK;
}

tally_status tally_tensor_check_same_sizes(const tally_tensor *input, const tally_tensor *output,
                                           tally_error *error) {
    if (input->rank != output->rank)
        return tally_fail(error, TALLY_INVALID,
                          "the output has rank %" PRIu32 ", but the input has rank %" PRIu32,
                          output->rank, input->rank);
    for (uint32_t k = 0; k < input->rank; k++)
        if (input->size[k] != output->size[k])
            return tally_fail(error, TALLY_INVALID,
                              "axis %" PRIu32 " of the output has size %" PRIu64
                              ", but the input has %" PRIu64,
                              k, output->size[k], input->size[k]);
    return TALLY_OK;
}

uint64_t tally_tensor_elements(const tally_tensor *checked) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < checked->rank; k++)
        elements *= checked->size[k];
    return elements;
}

uint64_t tally_tensor_extent(const tally_tensor *checked) {
    uint64_t last = 0;
    for (uint32_t k = 0; k < checked->rank; k++) {
        if (checked->size[k] == 0)
            return 0;
        last += (checked->size[k] - 1) * checked->stride[k];
    }
    return last + 1;
}
