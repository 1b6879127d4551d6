/*
 * DirectML's tensors: from a DML_TENSOR_DESC to a tally_tensor, with every rule that DirectML has
 * for one tensor. Types and ranks are the levels' business, shapes of two tensors the problem's.
 */
#include "api/directml.h"

#include <inttypes.h>

#include "base/status.h"
#include "model/directml_levels.h"

#define MOST_ELEMENTS UINT32_MAX

/* *sum += a * b and *product *= a, unless that passes 2^64 - 1. */
static bool add_fits(uint64_t *sum, uint64_t a, uint64_t b) {
    if (b != 0 && a > (UINT64_MAX - *sum) / b)
        return false;
    *sum += a * b;
    return true;
}

static bool multiply_fits(uint64_t *product, uint64_t a) {
    if (*product > UINT64_MAX / a)
        return false;
    *product *= a;
    return true;
}

/* ---- The least size -------------------------------------------------------------------------- */

/* Elements from the first to the end of the last. */
static tally_status measure(UINT count, const UINT *sizes, const UINT *strides, uint64_t *elements,
                            tally_error *error) {
    *elements = 1;
    for (UINT k = 0; k < count; k++) {
        if (sizes[k] == 0)
            return tally_fail(error, TALLY_INVALID,
                              "Sizes[%u] is 0, but DirectML has no empty tensors", k);
        if (strides != NULL ? !add_fits(elements, sizes[k] - 1, strides[k])
                            : !multiply_fits(elements, sizes[k]))
            return tally_fail(error, TALLY_INVALID,
                              "the tensor reaches beyond 2^64 - 1 elements at Sizes[%u] = %u", k,
                              sizes[k]);
    }
    return TALLY_OK;
}

tally_status tally_dml_buffer_tensor_size(DML_TENSOR_DATA_TYPE dataType, UINT dimensionCount,
                                          const UINT *sizes, const UINT *strides, UINT64 *bytes,
                                          tally_error *error) {
    const tally_levels_type *type = tally_levels_find_type((uint32_t)dataType);
    uint64_t elements = 0;
    tally_error_clear(error);
    if (bytes == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for the bytes is NULL");
    *bytes = 0;
    if (type == NULL || type->bits == 0)
        return tally_fail(error, TALLY_INVALID, "DataType %d (%s) has no size", (int)dataType,
                          tally_levels_type_name((uint32_t)dataType));
    if (dimensionCount == 0 || dimensionCount > DML_TENSOR_DIMENSION_COUNT_MAX1)
        return tally_fail(error, TALLY_INVALID, "DimensionCount is %u, but 1 to %u is legal",
                          dimensionCount, DML_TENSOR_DIMENSION_COUNT_MAX1);
    if (sizes == NULL)
        return tally_fail(error, TALLY_INVALID, "Sizes is NULL, but DimensionCount is %u",
                          dimensionCount);
    tally_status status = measure(dimensionCount, sizes, strides, &elements, error);
    if (status != TALLY_OK)
        return status;
    /* Words of 4 bytes, rounded up; an element of 64 bits is two. */
    uint64_t per_word = type->bits < 32 ? 32 / type->bits : 1;
    uint64_t words_per_axis = type->bits < 32 ? 1 : type->bits / 32;
    uint64_t words = elements / per_word + (elements % per_word != 0);
    if (words > UINT64_MAX / 4 / words_per_axis)
        return tally_fail(error, TALLY_INVALID,
                          "the tensor reaches beyond 2^64 - 1 bytes: %" PRIu64
                          " elements of %" PRIu32 " bits",
                          elements, type->bits);
    *bytes = words * words_per_axis * 4;
    return TALLY_OK;
}

/* ---- Reading --------------------------------------------------------------------------------- */

tally_status tally_dml_tensor_open(const DML_TENSOR_DESC *desc, const char *role,
                                   const DML_BUFFER_TENSOR_DESC **buffer, tally_error *error) {
    if (desc == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s is NULL", role);
    if (desc->Type != DML_TENSOR_TYPE_BUFFER)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's Type is %d, but only DML_TENSOR_TYPE_BUFFER (%d) is legal",
                          role, (int)desc->Type, (int)DML_TENSOR_TYPE_BUFFER);
    if (desc->Desc == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s's Desc is NULL", role);
    *buffer = desc->Desc;
    return TALLY_OK;
}

static tally_status check_flags(const DML_BUFFER_TENSOR_DESC *buffer, const char *role,
                                tally_error *error) {
    const uint32_t flags = (uint32_t)buffer->Flags;
    if (flags == DML_TENSOR_FLAG_OWNED_BY_DML)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the %s has DML_TENSOR_FLAG_OWNED_BY_DML, but Tally has no "
                          "initialisation to bind it at: bind it when enqueuing, and pass "
                          "DML_TENSOR_FLAG_NONE",
                          role);
    if (flags != DML_TENSOR_FLAG_NONE)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's Flags 0x%" PRIx32 " have bits that are none of "
                          "DML_TENSOR_FLAGS's",
                          role, flags);
    return TALLY_OK;
}

/* Sizes and strides, and the limit on elements. */
static tally_status read_shape(const DML_BUFFER_TENSOR_DESC *buffer, const char *role,
                               tally_tensor *tensor, tally_error *error) {
    uint64_t elements = 1;
    if (buffer->Sizes == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s's Sizes is NULL, but DimensionCount is %u",
                          role, buffer->DimensionCount);
    tensor->rank = buffer->DimensionCount;
    tensor->flags = buffer->Strides != NULL ? TALLY_STRIDED : 0;
    for (UINT k = 0; k < buffer->DimensionCount; k++) {
        if (buffer->Sizes[k] == 0)
            return tally_fail(error, TALLY_INVALID,
                              "the %s's Sizes[%u] is 0, but DirectML has no empty tensors", role,
                              k);
        elements *= buffer->Sizes[k];
        if (elements > MOST_ELEMENTS)
            return tally_fail(error, TALLY_INVALID,
                              "the %s has more elements than DirectML's 2^32 - 1: %" PRIu64
                              " up to Sizes[%u] = %u",
                              role, elements, k, buffer->Sizes[k]);
        tensor->size[k] = buffer->Sizes[k];
        if (buffer->Strides != NULL)
            tensor->stride[k] = buffer->Strides[k];
    }
    return TALLY_OK;
}

static tally_status check_total(const DML_BUFFER_TENSOR_DESC *buffer, const char *role,
                                tally_error *error) {
    UINT64 least = 0;
    tally_error inner;
    if (tally_dml_buffer_tensor_size(buffer->DataType, buffer->DimensionCount, buffer->Sizes,
                                     buffer->Strides, &least, &inner) != TALLY_OK)
        return tally_fail(error, TALLY_INVALID, "the %s: %s", role, inner.message);
    if (buffer->TotalTensorSizeInBytes < least)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's TotalTensorSizeInBytes is %" PRIu64
                          ", but its Sizes and Strides need %" PRIu64,
                          role, (uint64_t)buffer->TotalTensorSizeInBytes, (uint64_t)least);
    return TALLY_OK;
}

static tally_status check_alignment(const DML_BUFFER_TENSOR_DESC *buffer, const char *role,
                                    tally_error *error) {
    const UINT alignment = buffer->GuaranteedBaseOffsetAlignment;
    const UINT element = tally_levels_find_type((uint32_t)buffer->DataType)->bits / 8;
    if (alignment != 0 && ((alignment & (alignment - 1)) != 0 || alignment < element))
        return tally_fail(error, TALLY_INVALID,
                          "the %s's GuaranteedBaseOffsetAlignment is %u, but only 0 and powers of "
                          "two from the element's %u bytes on are legal",
                          role, alignment, element);
    return TALLY_OK;
}

tally_status tally_dml_tensor_read(const DML_BUFFER_TENSOR_DESC *buffer, const char *role,
                                   tally_tensor *tensor, tally_error *error) {
    *tensor = (tally_tensor)TALLY_TENSOR_INIT;
    tensor->dtype = tally_levels_find_type((uint32_t)buffer->DataType)->dtype;
    tally_status status = check_flags(buffer, role, error);
    if (status == TALLY_OK)
        status = read_shape(buffer, role, tensor, error);
    if (status == TALLY_OK)
        status = check_total(buffer, role, error);
    if (status == TALLY_OK)
        status = check_alignment(buffer, role, error);
    return status;
}
