/*
 * fuzz_directml.c: descriptions of DirectML's operators, malformed in every way, checked as the
 * create call checks them, which needs no device: refusals have sentences, what a level takes later
 * ones take too, and sizes in bytes are those of plain arithmetic of 128 bits.
 */
#include <string.h>

#include "directml_desc.h"
#include "refused.h"
#include "support/fail.h"

__extension__ typedef unsigned __int128 wide;

static tally_error unset(void) {
    tally_error error;
    memset(&error, 0xAB, sizeof error);
    return error;
}

/* ---- Bytes of a tensor ----------------------------------------------------------------------- */

static bool is_shape(const DML_BUFFER_TENSOR_DESC *buffer) {
    if (buffer->DimensionCount == 0 || buffer->DimensionCount > 8 || buffer->Sizes == NULL)
        return false;
    for (UINT k = 0; k < buffer->DimensionCount; k++)
        if (buffer->Sizes[k] == 0)
            return false;
    return true;
}

/* 0 if there are none: then the tensor is refused. */
static UINT64 expected_bytes(const DML_BUFFER_TENSOR_DESC *buffer) {
    static const uint32_t bits[] = {0, 32, 16, 32, 16, 8, 32, 16, 8, 64, 64, 64, 4, 4};
    const uint32_t type = (uint32_t)buffer->DataType;
    if (type >= sizeof bits / sizeof bits[0] || bits[type] == 0 || !is_shape(buffer))
        return 0;
    wide elements = 1;
    for (UINT k = 0; k < buffer->DimensionCount && elements <= UINT64_MAX; k++)
        elements = buffer->Strides != NULL
                       ? elements + (wide)(buffer->Sizes[k] - 1) * buffer->Strides[k]
                       : elements * buffer->Sizes[k];
    const wide bytes = (elements * bits[type] + 31) / 32 * 4;
    return elements <= UINT64_MAX && bytes <= UINT64_MAX ? (UINT64)bytes : 0;
}

static UINT64 check_bytes(const DML_BUFFER_TENSOR_DESC *buffer) {
    tally_error error = unset();
    UINT64 bytes = 1;
    const tally_status status = tally_dml_buffer_tensor_size(
        buffer->DataType, buffer->DimensionCount, buffer->Sizes, buffer->Strides, &bytes, &error);
    const UINT64 expected = expected_bytes(buffer);
    if (refused_check(status, &error) != (expected != 0) || bytes != expected)
        fail_with("the tensor has %llu bytes, not %llu: %s", (unsigned long long)expected,
                  (unsigned long long)bytes, error.message);
    return bytes;
}

/* ---- An operator ----------------------------------------------------------------------------- */

static bool check(const sample *made, DML_FEATURE_LEVEL level) {
    tally_error error = unset();
    return refused_check(tally_dml_operator_check(&made->desc, level, NULL, &error), &error);
}

/* What was accepted, at its level. */
static void check_accepted(const sample *made) {
    DML_FEATURE_LEVEL lowest = (DML_FEATURE_LEVEL)0;
    tally_error error = unset();
    const bool diagonal =
        made->desc.Type == DML_OPERATOR_DIAGONAL_MATRIX ||
        (made->desc.Type == DML_OPERATOR_DIAGONAL_MATRIX1 && made->diagonal1.InputTensor == NULL);
    const DML_TENSOR_DATA_TYPE input =
        diagonal ? DML_TENSOR_DATA_TYPE_UNKNOWN : made->buffer[SAMPLE_INPUT].DataType;
    const DML_BUFFER_TENSOR_DESC *output = &made->buffer[SAMPLE_OUTPUT];
    if (!refused_check(tally_dml_minimum_level(made->desc.Type, made->reduce.Function, input,
                                               output->DataType, output->DimensionCount, &lowest,
                                               &error),
                       &error) ||
        lowest > made->level)
        fail_with("level 0x%x takes it, but the lowest that does is 0x%x", (unsigned)made->level,
                  (unsigned)lowest);
    if (!check(made, lowest) || !check(made, DML_FEATURE_LEVEL_6_4))
        fail_with("level 0x%x takes it, but not the lowest, or the highest", (unsigned)made->level);
    for (int tensor = diagonal ? SAMPLE_OUTPUT : SAMPLE_INPUT; tensor < SAMPLE_TENSORS; tensor++)
        if (check_bytes(&made->buffer[tensor]) > made->buffer[tensor].TotalTensorSizeInBytes)
            fail_with("the tensor %d has not the room that it needs", tensor);
}

/* Any numbers at all. */
static void check_any_level(byte_source *from) {
    DML_FEATURE_LEVEL lowest = (DML_FEATURE_LEVEL)1;
    tally_error error = unset();
    const DML_OPERATOR_TYPE type = (DML_OPERATOR_TYPE)bytes_take(from);
    const DML_REDUCE_FUNCTION function = (DML_REDUCE_FUNCTION)bytes_choose(from, 16);
    const DML_TENSOR_DATA_TYPE input = (DML_TENSOR_DATA_TYPE)bytes_choose(from, 16);
    const DML_TENSOR_DATA_TYPE output = (DML_TENSOR_DATA_TYPE)bytes_choose(from, 16);
    const bool taken = refused_check(
        tally_dml_minimum_level(type, function, input, output, bytes_take(from), &lowest, &error),
        &error);
    if (taken != (lowest != (DML_FEATURE_LEVEL)0))
        fail_with("the lowest level is 0x%x, with: %s", (unsigned)lowest, error.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    byte_source from = {data, data + size};
    sample made;
    directml_desc_draw(&from, &made);
    if (check(&made, made.level))
        check_accepted(&made);
    for (int tensor = 0; tensor < SAMPLE_TENSORS; tensor++)
        check_bytes(&made.buffer[tensor]);
    check_any_level(&from);
    sample_free(&made);
    return 0;
}
