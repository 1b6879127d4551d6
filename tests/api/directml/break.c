/*
 * break.c: ways to break a description, each one thing.
 */
#include "break.h"

/* ---- Faults of tensors ----------------------------------------------------------------------- */

void break_tensor_type(sample *broken, int tensor, int64_t value) {
    broken->tensor[tensor].Type = (DML_TENSOR_TYPE)value;
}

void break_clear_tensor_desc(sample *broken, int tensor, int64_t value) {
    (void)value;
    broken->tensor[tensor].Desc = NULL;
}

void break_flags(sample *broken, int tensor, int64_t value) {
    broken->buffer[tensor].Flags = (DML_TENSOR_FLAGS)value;
}

void break_data_type(sample *broken, int tensor, int64_t value) {
    broken->buffer[tensor].DataType = (DML_TENSOR_DATA_TYPE)value;
}

void break_rank(sample *broken, int tensor, int64_t value) {
    broken->buffer[tensor].DimensionCount = (UINT)value;
}

void break_clear_sizes(sample *broken, int tensor, int64_t value) {
    (void)value;
    broken->buffer[tensor].Sizes = NULL;
}

void break_clear_size(sample *broken, int tensor, int64_t value) {
    broken->sizes[tensor][value] = 0;
}

void break_clear_strided_size(sample *broken, int tensor, int64_t value) {
    sample_set_strides(broken, tensor, (const UINT[]){60, 20, 5, 1});
    break_clear_size(broken, tensor, value);
}

void break_missing_bytes(sample *broken, int tensor, int64_t value) {
    broken->buffer[tensor].TotalTensorSizeInBytes -= (UINT64)value;
}

void break_clear_total(sample *broken, int tensor, int64_t value) {
    broken->buffer[tensor].TotalTensorSizeInBytes = (UINT64)value;
}

/* One padded row more than the packed tensor has. */
void break_missing_gap(sample *broken, int tensor, int64_t value) {
    sample_set_strides(broken, tensor, (const UINT[]){60, 20, 5, (UINT)value});
}

void break_alignment(sample *broken, int tensor, int64_t value) {
    broken->buffer[tensor].GuaranteedBaseOffsetAlignment = (UINT)value;
}

void break_many_elements(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    sample_set_shape(broken, 4, (const UINT[]){65536, 65536, (UINT)value, 1});
}

void break_huge_strides(sample *broken, int tensor, int64_t value) {
    sample_set_shape(broken, 4, (const UINT[]){0x80000000u, 1, 1, 1});
    sample_set_strides(broken, tensor, (const UINT[]){(UINT)value, 1, 1, 1});
    broken->buffer[tensor].TotalTensorSizeInBytes = UINT64_MAX;
}

void break_stride(sample *broken, int tensor, int64_t value) {
    sample_set_strides(broken, tensor, (const UINT[]){60, (UINT)value, 5, 1});
    broken->buffer[tensor].TotalTensorSizeInBytes = 4096;
}

void break_clear_input(sample *broken, int tensor, int64_t value) {
    (void)tensor, (void)value;
    broken->reduce.InputTensor = broken->argmin.InputTensor = broken->argmax.InputTensor = NULL;
    broken->sum.InputTensor = broken->product.InputTensor = NULL;
}

void break_clear_output(sample *broken, int tensor, int64_t value) {
    (void)tensor, (void)value;
    broken->reduce.OutputTensor = broken->argmin.OutputTensor = broken->argmax.OutputTensor = NULL;
    broken->sum.OutputTensor = broken->product.OutputTensor = NULL;
    broken->diagonal.OutputTensor = broken->diagonal1.OutputTensor = NULL;
}

/* ---- Faults between tensors ------------------------------------------------------------------ */

void break_output_type(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    sample_set_type(broken, SAMPLE_OUTPUT, (DML_TENSOR_DATA_TYPE)value);
    broken->diagonal1.ValueDataType = (DML_TENSOR_DATA_TYPE)value;
}

void break_grow_output(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->sizes[SAMPLE_OUTPUT][value]++;
    broken->buffer[SAMPLE_OUTPUT].TotalTensorSizeInBytes = 4096;
}

void break_shrink_output_rank(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->buffer[SAMPLE_OUTPUT].DimensionCount -= (UINT)value;
}

void break_value_type(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->diagonal1.ValueDataType = (DML_TENSOR_DATA_TYPE)value;
}

/* ---- Faults of axes -------------------------------------------------------------------------- */

void break_axis_count(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->reduce.AxisCount = broken->argmin.AxisCount = broken->argmax.AxisCount = (UINT)value;
}

void break_clear_axes(sample *broken, int tensor, int64_t value) {
    (void)tensor, (void)value;
    broken->reduce.Axes = broken->argmin.Axes = broken->argmax.Axes = NULL;
}

void break_axis(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->axes[0] = (UINT)value;
    broken->sum.Axis = broken->product.Axis = (UINT)value;
}

void break_double_axis(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    sample_set_axes(broken, 3, (const UINT[]){(UINT)value, 1, (UINT)value});
}

void break_direction(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->argmin.AxisDirection = broken->argmax.AxisDirection = (DML_AXIS_DIRECTION)value;
    broken->sum.AxisDirection = broken->product.AxisDirection = (DML_AXIS_DIRECTION)value;
}

/* ---- Faults of operators and levels ---------------------------------------------------------- */

void break_operator(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->desc.Type = (DML_OPERATOR_TYPE)value;
}

void break_clear_desc(sample *broken, int tensor, int64_t value) {
    (void)tensor, (void)value;
    broken->desc.Desc = NULL;
}

void break_level(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->level = (DML_FEATURE_LEVEL)value;
}

void break_function(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    broken->reduce.Function = (DML_REDUCE_FUNCTION)value;
}

/* A type for all tensors, or for the input of ARG*. */
void break_types(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    if (broken->desc.Type == DML_OPERATOR_ARGMIN || broken->desc.Type == DML_OPERATOR_ARGMAX) {
        sample_set_type(broken, SAMPLE_INPUT, (DML_TENSOR_DATA_TYPE)value);
    } else {
        sample_set_types(broken, (DML_TENSOR_DATA_TYPE)value);
    }
}

/* value is AND(level, type or rank). */

void break_level_and_types(sample *broken, int tensor, int64_t value) {
    break_types(broken, tensor, value & 0xFF);
    broken->level = (DML_FEATURE_LEVEL)(value >> 8);
}

void break_level_and_rank(sample *broken, int tensor, int64_t value) {
    const UINT axes[] = {1}, sizes[] = {2, 3, 4, 5, 2, 3, 2, 2};
    (void)tensor;
    sample_set_axes(broken, 1, axes);
    sample_set_shape(broken, (UINT)(value & 0xFF), sizes);
    broken->level = (DML_FEATURE_LEVEL)(value >> 8);
}

/* value is OF(function, level, type). */

void break_function_level_types(sample *broken, int tensor, int64_t value) {
    const DML_TENSOR_DATA_TYPE index = DML_TENSOR_DATA_TYPE_UINT32;
    const int64_t function = value >> 24;
    break_function(broken, tensor, function);
    break_level_and_types(broken, tensor, value & 0xFFFFFF);
    if (function <= DML_REDUCE_FUNCTION_ARGMIN) {
        sample_set_type(broken, SAMPLE_OUTPUT, index);
    }
}

void break_index_type(sample *broken, int tensor, int64_t value) {
    break_function(broken, tensor, DML_REDUCE_FUNCTION_ARGMAX);
    sample_set_type(broken, SAMPLE_OUTPUT, (DML_TENSOR_DATA_TYPE)(value & 0xFF));
    broken->level = (DML_FEATURE_LEVEL)(value >> 8);
}

void break_long_axis(sample *broken, int tensor, int64_t value) {
    (void)tensor;
    sample_set_shape(broken, 4, (const UINT[]){1, 1, (UINT)value, 1});
}
