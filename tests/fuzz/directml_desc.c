/*
 * directml_desc.c: drawing and disturbing. It reads bytes in one order, whatever they say, as far
 * as that is possible.
 */
#include "directml_desc.h"

#include <stdlib.h>
#include <string.h>

static const DML_FEATURE_LEVEL levels[] = {
    DML_FEATURE_LEVEL_1_0, DML_FEATURE_LEVEL_2_0, DML_FEATURE_LEVEL_2_1, DML_FEATURE_LEVEL_3_0,
    DML_FEATURE_LEVEL_3_1, DML_FEATURE_LEVEL_4_0, DML_FEATURE_LEVEL_4_1, DML_FEATURE_LEVEL_5_0,
    DML_FEATURE_LEVEL_5_1, DML_FEATURE_LEVEL_5_2, DML_FEATURE_LEVEL_6_0, DML_FEATURE_LEVEL_6_1,
    DML_FEATURE_LEVEL_6_2, DML_FEATURE_LEVEL_6_3, DML_FEATURE_LEVEL_6_4};
#define LEVELS (sizeof levels / sizeof levels[0])

enum { RANK_MAX = 8, TYPES = 14, FUNCTIONS = 12 };

/* ---- Legal, or nearly ------------------------------------------------------------------------ */

static UINT take_size(byte_source *from) {
    return (UINT)bytes_take_size(from);
}

static void take_sizes(byte_source *from, UINT count, UINT sizes[RANK_MAX]) {
    for (UINT k = 0; k < count; k++)
        sizes[k] = take_size(from);
}

/* The axes of a mask, or that of a scan. */
static void draw_axes(byte_source *from, sample *made, UINT rank) {
    const uint32_t mask = bytes_take(from);
    UINT axes[RANK_MAX] = {0}, count = 0;
    for (UINT k = 0; k < rank; k++)
        if ((mask >> k & 1) != 0)
            axes[count++] = k;
    sample_set_axes(made, count, axes);
}

/* Strides that reach over the tensor, in an order by turns; Total follows, a word short at times.
 */
static void draw_strides(byte_source *from, sample *made, int tensor) {
    DML_BUFFER_TENSOR_DESC *buffer = &made->buffer[tensor];
    const uint32_t way = bytes_take(from);
    UINT strides[RANK_MAX] = {0};
    uint64_t reach = 1;
    for (UINT i = 0; i < buffer->DimensionCount; i++) {
        const UINT k = way % 2 == 0 ? buffer->DimensionCount - 1 - i : i;
        strides[k] = (UINT)(reach + bytes_take_size(from) % 20);
        reach = (uint64_t)strides[k] * buffer->Sizes[k];
    }
    sample_set_strides(made, tensor, strides);
    tally_dml_buffer_tensor_size(buffer->DataType, buffer->DimensionCount, buffer->Sizes,
                                 buffer->Strides, &buffer->TotalTensorSizeInBytes, NULL);
    buffer->TotalTensorSizeInBytes -= way / 2 % 8 == 7 ? 4 : 0;
}

static void draw_legal(byte_source *from, sample *made) {
    UINT sizes[RANK_MAX] = {0};
    sample_make(made, sample_operators[bytes_choose(from, SAMPLE_OPERATORS)]);
    made->level = levels[bytes_choose(from, LEVELS)];
    made->reduce.Function = (DML_REDUCE_FUNCTION)bytes_choose(from, FUNCTIONS);
    const DML_TENSOR_DATA_TYPE type = (DML_TENSOR_DATA_TYPE)bytes_choose(from, TYPES);
    const UINT rank = 1 + bytes_choose(from, RANK_MAX);
    take_sizes(from, rank, sizes);
    sample_set_axes(made, 0, NULL);
    sample_set_shape(made, rank, sizes);
    draw_axes(from, made, rank);
    sample_set_types(made, type);
    const uint32_t more = bytes_take(from);
    if ((more & 1) != 0)
        sample_set_type(made, SAMPLE_OUTPUT, (DML_TENSOR_DATA_TYPE)bytes_choose(from, TYPES));
    if ((more & 2) != 0)
        draw_strides(from, made, SAMPLE_INPUT);
    if ((more & 4) != 0)
        draw_strides(from, made, SAMPLE_OUTPUT);
    made->argmin.AxisDirection = made->argmax.AxisDirection = made->sum.AxisDirection =
        made->product.AxisDirection =
            (more & 8) != 0 ? DML_AXIS_DIRECTION_DECREASING : DML_AXIS_DIRECTION_INCREASING;
    made->sum.HasExclusiveSum = made->product.HasExclusiveProduct = (more & 16) != 0;
    if ((more & 32) != 0)
        sample_drop_input(made);
}

/* ---- Disturbed ------------------------------------------------------------------------------- */

/* Members that may have any value, and pointers that may be NULL. */
#define MEMBER(name)                                                                               \
    { offsetof(sample, name), sizeof((sample *)NULL)->name }
static const struct {
    size_t offset, bytes;
} numbers[] =
    {
        MEMBER(desc.Type),
        MEMBER(level),
        MEMBER(buffer[0].DataType),
        MEMBER(buffer[1].DataType),
        MEMBER(buffer[0].Flags),
        MEMBER(buffer[1].Flags),
        MEMBER(buffer[0].DimensionCount),
        MEMBER(buffer[1].DimensionCount),
        MEMBER(buffer[0].TotalTensorSizeInBytes),
        MEMBER(buffer[1].TotalTensorSizeInBytes),
        MEMBER(buffer[0].GuaranteedBaseOffsetAlignment),
        MEMBER(buffer[1].GuaranteedBaseOffsetAlignment),
        MEMBER(tensor[0].Type),
        MEMBER(tensor[1].Type),
        MEMBER(reduce.Function),
        MEMBER(reduce.AxisCount),
        MEMBER(argmin.AxisDirection),
        MEMBER(argmin.AxisCount),
        MEMBER(argmax.AxisDirection),
        MEMBER(argmax.AxisCount),
        MEMBER(sum.Axis),
        MEMBER(sum.AxisDirection),
        MEMBER(sum.HasExclusiveSum),
        MEMBER(product.Axis),
        MEMBER(product.AxisDirection),
        MEMBER(product.HasExclusiveProduct),
        MEMBER(diagonal.Offset),
        MEMBER(diagonal.Value),
        MEMBER(diagonal1.ValueDataType),
        MEMBER(diagonal1.Value),
        MEMBER(diagonal1.DiagonalFillBegin),
        MEMBER(diagonal1.DiagonalFillEnd),
},
  pointers[] = {
      MEMBER(desc.Desc),
      MEMBER(buffer[0].Sizes),
      MEMBER(buffer[1].Sizes),
      MEMBER(buffer[0].Strides),
      MEMBER(buffer[1].Strides),
      MEMBER(tensor[0].Desc),
      MEMBER(tensor[1].Desc),
      MEMBER(reduce.InputTensor),
      MEMBER(reduce.OutputTensor),
      MEMBER(reduce.Axes),
      MEMBER(argmin.InputTensor),
      MEMBER(argmin.OutputTensor),
      MEMBER(argmin.Axes),
      MEMBER(argmax.InputTensor),
      MEMBER(argmax.OutputTensor),
      MEMBER(argmax.Axes),
      MEMBER(sum.InputTensor),
      MEMBER(sum.OutputTensor),
      MEMBER(product.InputTensor),
      MEMBER(product.OutputTensor),
      MEMBER(diagonal.OutputTensor),
      MEMBER(diagonal1.InputTensor),
      MEMBER(diagonal1.OutputTensor),
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void set_number(byte_source *from, sample *made) {
    const size_t k = bytes_choose(from, COUNT(numbers));
    const bool any = bytes_choose(from, 2) != 0;
    const uint64_t value = any ? bytes_take_word(from, 8) : bytes_take_size(from);
    memcpy((char *)made + numbers[k].offset, &value, numbers[k].bytes);
}

static void clear_pointer(byte_source *from, sample *made) {
    const void *const nothing = NULL;
    const size_t k = bytes_choose(from, COUNT(pointers));
    memcpy((char *)made + pointers[k].offset, &nothing, sizeof nothing);
}

/* NULL where that does not count. */
static const UINT *axis_count(const sample *made) {
    return made->desc.Type == DML_OPERATOR_REDUCE   ? &made->reduce.AxisCount
           : made->desc.Type == DML_OPERATOR_ARGMIN ? &made->argmin.AxisCount
           : made->desc.Type == DML_OPERATOR_ARGMAX ? &made->argmax.AxisCount
                                                    : NULL;
}

/* An array of count elements: those that there were, and behind them any. */
static UINT *fit(byte_source *from, UINT *array, UINT was, UINT count) {
    count = count <= RANK_MAX ? count : 0;
    UINT *made = malloc(count * sizeof *made);
    if (made == NULL && count > 0)
        abort();
    for (UINT k = 0; k < count; k++)
        made[k] = k < was ? array[k] : take_size(from);
    free(array);
    return made;
}

/* Arrays as long as the counts say by now, and some elements of them others. */
static void fit_arrays(byte_source *from, sample *made, UINT rank_in, UINT rank_out, UINT axes) {
    UINT **const arrays[] = {&made->sizes[0], &made->sizes[1], &made->strides[0], &made->strides[1],
                             &made->axes};
    const UINT was[] = {rank_in, rank_out, rank_in, rank_out, axes};
    const UINT *const now = axis_count(made);
    const UINT counts[] = {made->buffer[0].DimensionCount, made->buffer[1].DimensionCount,
                           made->buffer[0].DimensionCount, made->buffer[1].DimensionCount,
                           now != NULL ? *now : 0};
    const uint32_t others = bytes_take(from);
    for (size_t i = 0; i < COUNT(arrays); i++) {
        if (*arrays[i] == NULL)
            continue;
        *arrays[i] = fit(from, *arrays[i], was[i], counts[i]);
        if ((others >> i & 1) != 0 && counts[i] > 0 && counts[i] <= RANK_MAX)
            (*arrays[i])[bytes_choose(from, counts[i])] = take_size(from);
    }
}

/* The arrays may have moved. */
static void point(sample *made) {
    for (int tensor = 0; tensor < SAMPLE_TENSORS; tensor++) {
        DML_BUFFER_TENSOR_DESC *buffer = &made->buffer[tensor];
        buffer->Sizes = buffer->Sizes != NULL ? made->sizes[tensor] : NULL;
        buffer->Strides = buffer->Strides != NULL ? made->strides[tensor] : NULL;
    }
    const UINT **const axes[] = {&made->reduce.Axes, &made->argmin.Axes, &made->argmax.Axes};
    for (size_t i = 0; i < COUNT(axes); i++)
        *axes[i] = *axes[i] != NULL ? made->axes : NULL;
}

void directml_desc_draw(byte_source *from, sample *made) {
    draw_legal(from, made);
    const DML_OPERATOR_TYPE type = made->desc.Type;
    const UINT rank_in = made->buffer[0].DimensionCount, rank_out = made->buffer[1].DimensionCount;
    const UINT axes = made->reduce.AxisCount;
    const uint32_t others = bytes_take(from);
    for (uint32_t i = 0; others >= 64 && i < others % 4; i++)
        (bytes_choose(from, 4) == 0 ? clear_pointer : set_number)(from, made);
    /* Desc is one of the operator's own structs: that it is another can't be known. */
    for (size_t i = 0; i < SAMPLE_OPERATORS; i++)
        if (made->desc.Type == sample_operators[i])
            made->desc.Type = type;
    if (others >= 32)
        fit_arrays(from, made, rank_in, rank_out, axes);
    else
        fit_arrays(&(byte_source){NULL, NULL}, made, rank_in, rank_out, axes);
    point(made);
}
