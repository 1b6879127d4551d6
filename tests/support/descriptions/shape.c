/*
 * shape.c: strides from sizes.
 */
#include "shape.h"

#include "support/numbers/values.h"
#include "support/oracle/oracle.h"

tally_tensor shape_tensor(tally_dtype dtype, shape sizes) {
    tally_tensor tensor = TALLY_TENSOR_INIT;
    tensor.dtype = dtype;
    tensor.rank = sizes.rank;
    for (uint32_t k = 0; k < sizes.rank; k++) {
        tensor.size[k] = sizes.size[k];
    }
    return tensor;
}

tally_reduce shape_reduce(tally_function function, tally_dtype dtype, shape sizes, uint32_t axes) {
    const bool index = function == TALLY_ARGMAX || function == TALLY_ARGMIN;
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = function;
    desc.input = shape_tensor(dtype, sizes);
    desc.axes = axes;
    for (uint32_t k = 0; k < sizes.rank; k++) {
        sizes.size[k] = (axes >> k & 1) != 0 ? 1 : sizes.size[k];
    }
    desc.output = shape_tensor(index ? TALLY_U32 : dtype, sizes);
    return desc;
}

tally_cumulative shape_scan(tally_function function, tally_dtype dtype, shape sizes,
                            uint32_t axis) {
    tally_cumulative desc = TALLY_CUMULATIVE_INIT;
    desc.function = function;
    desc.input = desc.output = shape_tensor(dtype, sizes);
    desc.axis = axis;
    return desc;
}

tally_reduce shape_sum_rows(void) {
    return shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 4, 5), 4);
}

tally_cumulative shape_scan_rows(void) {
    return shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3, 4, 5), 2);
}

tally_diagonal shape_fill(shape sizes) {
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = shape_tensor(TALLY_F32, sizes);
    return desc;
}

tally_tensor shape_range(const tally_tensor *whole, uint32_t axis, uint64_t begin, uint64_t end) {
    tally_tensor range = *whole;
    range.flags |= TALLY_STRIDED;
    for (uint32_t k = 0; k < whole->rank; k++)
        range.stride[k] = oracle_stride(whole, k);
    range.size[axis] = end - begin;
    return range;
}

/* Axes from order[0], the innermost, outwards; gaps between neighbours as given or at random. */
static void nest(tally_tensor *tensor, const uint32_t *order, uint64_t gap, uint64_t *state) {
    uint64_t reach = 1; /* elements that the axes so far take up */
    tensor->flags = TALLY_STRIDED;
    for (uint32_t k = 0; k < tensor->rank; k++) {
        const uint64_t size = tensor->size[order[k]];
        const uint64_t extra = state == NULL || gap == 0 ? gap : values_random(state) % (gap + 1);
        tensor->stride[order[k]] = reach + extra;
        reach += size == 0 ? 0 : (size - 1) * (reach + extra);
    }
}

void shape_nest(tally_tensor *tensor, uint64_t gap, uint64_t *state) {
    uint32_t order[TALLY_MAX_RANK] = {0};
    for (uint32_t k = 0; k < tensor->rank; k++) { /* a shuffle from the inside out */
        const uint32_t position = (uint32_t)(values_random(state) % (k + 1));
        order[k] = order[position];
        order[position] = k;
    }
    nest(tensor, order, gap, state);
}

void shape_transpose(tally_tensor *tensor) {
    const uint32_t order[TALLY_MAX_RANK] = {0, 1, 2, 3, 4, 5, 6, 7};
    nest(tensor, order, 0, NULL);
}

void shape_pad(tally_tensor *tensor, uint64_t gap) {
    uint32_t order[TALLY_MAX_RANK] = {0};
    for (uint32_t k = 0; k < tensor->rank; k++) {
        order[k] = tensor->rank - 1 - k;
    }
    nest(tensor, order, gap, NULL);
}

void shape_space_planes(tally_tensor *tensor, uint64_t gap) {
    const uint64_t *size = tensor->size;
    tensor->flags |= TALLY_STRIDED;
    tensor->stride[2] = 1;
    tensor->stride[1] = size[2];
    tensor->stride[0] = size[1] * size[2] + gap;
}

void shape_space_rows(tally_tensor *tensor, uint64_t gap) {
    tensor->flags |= TALLY_STRIDED;
    tensor->stride[2] = 1;
    tensor->stride[1] = tensor->size[2] + gap;
    tensor->stride[0] = tensor->size[1] * tensor->stride[1];
}

void shape_repeat(tally_tensor *tensor, uint32_t axes) {
    uint64_t stride = 1;
    tensor->flags = TALLY_STRIDED;
    for (uint32_t k = tensor->rank; k-- > 0;) {
        const bool repeats = (axes >> k & 1) != 0;
        tensor->stride[k] = repeats ? 0 : stride;
        stride *= repeats || tensor->size[k] == 0 ? 1 : tensor->size[k];
    }
}

/* Strides of 0 to 3 elements: axes that overlap one another. */
static void overlap(tally_tensor *tensor, uint64_t *state) {
    tensor->flags = TALLY_STRIDED;
    for (uint32_t k = 0; k < tensor->rank; k++) {
        tensor->stride[k] = values_random(state) % 4;
    }
}

void shape_random_input(tally_tensor *tensor, uint64_t *state) {
    switch (values_random(state) % 8) {
    case 0:
        shape_repeat(tensor, (uint32_t)values_random(state) & 0xFF);
        break;
    case 1:
        overlap(tensor, state);
        break;
    default:
        shape_random_output(tensor, state);
    }
}

void shape_random_output(tally_tensor *tensor, uint64_t *state) {
    const uint64_t gaps[] = {0, 0, 1, 3};
    switch (values_random(state) % 5) {
    case 0:
        shape_transpose(tensor);
        break;
    case 1:
        shape_pad(tensor, 1 + values_random(state) % 5);
        break;
    case 2:
    case 3:
        shape_nest(tensor, gaps[values_random(state) % 4], state);
        break;
    default:
        tensor->flags = 0;
    }
}
