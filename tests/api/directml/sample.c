/*
 * sample.c: descriptions of DirectML's operators, put together.
 */
#include "sample.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

const DML_OPERATOR_TYPE sample_operators[SAMPLE_OPERATORS] = {
    DML_OPERATOR_REDUCE,
    DML_OPERATOR_ARGMIN,
    DML_OPERATOR_ARGMAX,
    DML_OPERATOR_CUMULATIVE_SUMMATION,
    DML_OPERATOR_CUMULATIVE_PRODUCT,
    DML_OPERATOR_DIAGONAL_MATRIX,
    DML_OPERATOR_DIAGONAL_MATRIX1,
};

/* Exactly count numbers; none is NULL's business. */
static UINT *copy(UINT count, const UINT *from) {
    UINT *made = malloc(count > 0 ? count * sizeof *made : 1);
    if (made == NULL) {
        ck_abort_msg("no memory for %u numbers", count);
    }
    if (count > 0) {
        memcpy(made, from, count * sizeof *made);
    }
    return made;
}

static UINT element_bytes(DML_TENSOR_DATA_TYPE type) {
    static const UINT bytes[] = {1, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8, 1, 1};
    return (UINT)type < sizeof bytes / sizeof bytes[0] ? bytes[type] : 1;
}

/* Of the packed tensor, in words of 4 bytes. */
static void set_total(DML_BUFFER_TENSOR_DESC *buffer) {
    UINT64 bytes = element_bytes(buffer->DataType);
    for (UINT k = 0; k < buffer->DimensionCount; k++) {
        bytes *= buffer->Sizes[k];
    }
    buffer->TotalTensorSizeInBytes = (bytes + 3) / 4 * 4;
}

static void set_sizes(sample *made, int tensor, UINT rank, const UINT *sizes) {
    free(made->sizes[tensor]);
    free(made->strides[tensor]);
    made->sizes[tensor] = copy(rank, sizes);
    made->strides[tensor] = NULL;
    made->buffer[tensor].DimensionCount = rank;
    made->buffer[tensor].Sizes = made->sizes[tensor];
    made->buffer[tensor].Strides = NULL;
    set_total(&made->buffer[tensor]);
}

/* The member with the axes of a reduction, or NULL. */
static UINT *axis_count(sample *made) {
    switch (made->desc.Type) {
    case DML_OPERATOR_REDUCE:
        return &made->reduce.AxisCount;
    case DML_OPERATOR_ARGMIN:
        return &made->argmin.AxisCount;
    case DML_OPERATOR_ARGMAX:
        return &made->argmax.AxisCount;
    default:
        return NULL;
    }
}

void sample_set_shape(sample *made, UINT rank, const UINT *sizes) {
    UINT reduced[9] = {0};
    const UINT *count = axis_count(made);
    for (UINT k = 0; k < rank; k++) {
        reduced[k] = sizes[k];
    }
    for (UINT k = 0; count != NULL && k < *count; k++) {
        reduced[made->axes[k]] = 1;
    }
    set_sizes(made, SAMPLE_INPUT, rank, sizes);
    set_sizes(made, SAMPLE_OUTPUT, rank, reduced);
}

void sample_set_axes(sample *made, UINT count, const UINT *axes) {
    UINT sizes[9] = {0};
    const UINT rank = made->buffer[SAMPLE_INPUT].DimensionCount;
    free(made->axes);
    made->axes = copy(count, axes);
    made->reduce.Axes = made->argmin.Axes = made->argmax.Axes = made->axes;
    made->reduce.AxisCount = made->argmin.AxisCount = made->argmax.AxisCount = count;
    made->sum.Axis = made->product.Axis = count > 0 ? axes[0] : 0;
    for (UINT k = 0; k < rank; k++) {
        sizes[k] = made->sizes[SAMPLE_INPUT][k];
    }
    sample_set_shape(made, rank, sizes);
}

void sample_set_strides(sample *made, int tensor, const UINT *strides) {
    free(made->strides[tensor]);
    made->strides[tensor] = copy(made->buffer[tensor].DimensionCount, strides);
    made->buffer[tensor].Strides = made->strides[tensor];
}

void sample_set_type(sample *made, int tensor, DML_TENSOR_DATA_TYPE type) {
    made->buffer[tensor].DataType = type;
    set_total(&made->buffer[tensor]);
}

void sample_set_types(sample *made, DML_TENSOR_DATA_TYPE type) {
    sample_set_type(made, SAMPLE_INPUT, type);
    sample_set_type(made, SAMPLE_OUTPUT, type);
    made->diagonal1.ValueDataType = type;
}

void sample_drop_input(sample *made) {
    made->diagonal1.InputTensor = NULL;
    made->has_input = false;
}

/* All seven at once: which of them counts, desc says. */
static void connect(sample *made) {
    const DML_TENSOR_DESC *in = &made->tensor[SAMPLE_INPUT], *out = &made->tensor[SAMPLE_OUTPUT];
    made->reduce.Function = DML_REDUCE_FUNCTION_SUM;
    made->reduce.InputTensor = made->argmin.InputTensor = made->argmax.InputTensor = in;
    made->sum.InputTensor = made->product.InputTensor = made->diagonal1.InputTensor = in;
    made->reduce.OutputTensor = made->argmin.OutputTensor = made->argmax.OutputTensor = out;
    made->sum.OutputTensor = made->product.OutputTensor = out;
    made->diagonal.OutputTensor = made->diagonal1.OutputTensor = out;
    made->diagonal.Value = 1;
    made->diagonal1.Value.Float32 = 1;
    made->diagonal1.DiagonalFillEnd = 1;
}

void sample_make(sample *made, DML_OPERATOR_TYPE type) {
    const UINT sizes[] = {2, 3, 4, 5}, axes[] = {2};
    memset(made, 0, sizeof *made);
    connect(made);
    const struct {
        DML_OPERATOR_TYPE type;
        const void *desc;
    } structs[SAMPLE_OPERATORS] = {
        {DML_OPERATOR_REDUCE, &made->reduce},
        {DML_OPERATOR_ARGMIN, &made->argmin},
        {DML_OPERATOR_ARGMAX, &made->argmax},
        {DML_OPERATOR_CUMULATIVE_SUMMATION, &made->sum},
        {DML_OPERATOR_CUMULATIVE_PRODUCT, &made->product},
        {DML_OPERATOR_DIAGONAL_MATRIX, &made->diagonal},
        {DML_OPERATOR_DIAGONAL_MATRIX1, &made->diagonal1},
    };
    made->desc.Type = type;
    for (int k = 0; k < SAMPLE_OPERATORS; k++) {
        if (structs[k].type == type) {
            made->desc.Desc = structs[k].desc;
        }
    }
    made->level = DML_FEATURE_LEVEL_6_4;
    made->has_input = type != DML_OPERATOR_DIAGONAL_MATRIX;
    for (int k = 0; k < SAMPLE_TENSORS; k++) {
        made->tensor[k].Type = DML_TENSOR_TYPE_BUFFER;
        made->tensor[k].Desc = &made->buffer[k];
    }
    sample_set_shape(made, 4, sizes);
    sample_set_axes(made, 1, axes);
    sample_set_types(made, DML_TENSOR_DATA_TYPE_FLOAT32);
    if (type == DML_OPERATOR_ARGMIN || type == DML_OPERATOR_ARGMAX) {
        sample_set_type(made, SAMPLE_OUTPUT, DML_TENSOR_DATA_TYPE_INT32);
    }
}

void sample_free(sample *made) {
    free(made->axes);
    for (int k = 0; k < SAMPLE_TENSORS; k++) {
        free(made->sizes[k]);
        free(made->strides[k]);
    }
}
