/*
 * oracle.c: the operators, element by element: which terms an element of the output is made of.
 * What is made of them is in terms.c.
 */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>

#include "interval.h"
#include "support/numbers/number.h"
#include "terms.h"

uint64_t oracle_count(const tally_tensor *tensor) {
    uint64_t count = 1;
    for (uint32_t k = 0; k < tensor->rank; k++) {
        count *= tensor->size[k];
    }
    return count;
}

uint64_t oracle_stride(const tally_tensor *tensor, uint32_t axis) {
    uint64_t stride = 1;
    if ((tensor->flags & TALLY_STRIDED) != 0) {
        return tensor->stride[axis];
    }
    for (uint32_t k = axis + 1; k < tensor->rank; k++) {
        stride *= tensor->size[k];
    }
    return stride;
}

uint64_t oracle_offset(const tally_tensor *tensor, uint64_t index) {
    uint64_t offset = 0;
    for (uint32_t k = tensor->rank; k-- > 0;) {
        offset += index % tensor->size[k] * oracle_stride(tensor, k);
        index /= tensor->size[k];
    }
    return offset;
}

uint64_t oracle_extent(const tally_tensor *tensor) {
    uint64_t last = 0;
    for (uint32_t k = 0; k < tensor->rank; k++) {
        if (tensor->size[k] == 0) {
            return 0;
        }
        last += (tensor->size[k] - 1) * oracle_stride(tensor, k);
    }
    return (last + 1) * number_bytes(tensor->dtype);
}

/* The axes of a tensor that a mask names, as a tensor of their own with the same strides. */
static tally_tensor select_axes(const tally_tensor *tensor, uint32_t axes) {
    tally_tensor part = {tensor->dtype, 0, TALLY_STRIDED, {0}, {0}};
    for (uint32_t k = 0; k < tensor->rank; k++) {
        if ((axes >> k & 1) != 0) {
            part.size[part.rank] = tensor->size[k];
            part.stride[part.rank++] = oracle_stride(tensor, k);
        }
    }
    return part;
}

static void *allocate(uint64_t count, size_t size) {
    void *memory = calloc(count == 0 ? 1 : (size_t)count, size);
    if (memory == NULL) {
        fprintf(stderr, "the oracle has no memory for %llu terms\n", (unsigned long long)count);
        abort();
    }
    return memory;
}

static oracle_terms make_terms(tally_dtype dtype, uint64_t count) {
    const oracle_terms terms = {dtype, count, allocate(count, sizeof *terms.bits),
                                allocate(count, sizeof *terms.x)};
    return terms;
}

static void free_terms(oracle_terms *terms) {
    free(terms->bits);
    free(terms->x);
}

/*
 * Read the terms of these axes in row-major order, or backwards, from the element `first` of the
 * input on. Where there are no terms, `first` may lie far outside the input, and no pointer to it
 * is made.
 */
static void gather(oracle_terms *terms, const tally_tensor *axes, const void *input, uint64_t first,
                   bool backwards) {
    const number_type *type = number_type_of(terms->dtype);
    for (uint64_t k = 0; k < terms->count; k++) {
        const uint64_t index = backwards ? terms->count - 1 - k : k;
        const uint64_t byte = (first + oracle_offset(axes, index)) * (type->bits / 8);
        terms->bits[k] = number_load(terms->dtype, (const unsigned char *)input + byte);
        if (type->kind == NUMBER_FLOAT) {
            terms->x[k] = number_decode(type, terms->bits[k]);
        }
    }
}

void oracle_reduce(const tally_reduce *desc, const void *input, oracle_value *expected) {
    const tally_tensor kept = select_axes(&desc->input, ~desc->axes);
    const tally_tensor swept = select_axes(&desc->input, desc->axes);
    const uint64_t results = oracle_count(&kept);
    oracle_terms terms = make_terms(desc->input.dtype, results == 0 ? 0 : oracle_count(&swept));
    for (uint64_t k = 0; k < results; k++) {
        gather(&terms, &swept, input, oracle_offset(&kept, k), false);
        expected[k] = oracle_reduce_terms(&terms, desc);
    }
    free_terms(&terms);
}

void oracle_cumulative(const tally_cumulative *desc, const void *input, oracle_value *expected) {
    const uint32_t axis = 1u << desc->axis;
    const tally_tensor packed = {desc->output.dtype, desc->output.rank, 0, {0}, {0}};
    tally_tensor positions = packed; /* where the results go: expected is packed row-major */
    for (uint32_t k = 0; k < desc->input.rank; k++) {
        positions.size[k] = desc->input.size[k];
    }
    const tally_tensor kept = select_axes(&desc->input, ~axis);
    const tally_tensor swept = select_axes(&desc->input, axis);
    const tally_tensor kept_positions = select_axes(&positions, ~axis);
    const tally_tensor swept_positions = select_axes(&positions, axis);
    const uint64_t lines = oracle_count(&positions) == 0 ? 0 : oracle_count(&kept);
    const uint64_t length = lines == 0 ? 0 : oracle_count(&swept);
    oracle_terms terms = make_terms(desc->input.dtype, length);
    oracle_value *results = allocate(length + 1, sizeof *results);
    for (uint64_t line = 0; line < lines; line++) {
        gather(&terms, &swept, input, oracle_offset(&kept, line), desc->descending);
        results[0] = oracle_scan_start(&terms, desc->function);
        oracle_scan_terms(&terms, desc, results + 1);
        for (uint64_t k = 0; k < length; k++) {
            const uint64_t position = desc->descending ? length - 1 - k : k;
            expected[oracle_offset(&kept_positions, line) +
                     oracle_offset(&swept_positions, position)] =
                results[desc->exclusive ? k : k + 1];
        }
    }
    free(results);
    free_terms(&terms);
}

/* True where the band has the value: t is the column less the row. */
static bool in_band(int64_t t, int64_t begin, int64_t end) {
    return begin <= end ? begin <= t && t < end : !(end <= t && t < begin);
}

void oracle_diagonal(const tally_diagonal *desc, const void *input, oracle_value *expected) {
    const tally_tensor *output = &desc->output;
    const uint64_t count = oracle_count(output);
    const size_t bytes = number_bytes(output->dtype);
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t width = output->size[output->rank - 1];
        const uint64_t height = output->size[output->rank - 2];
        const int64_t t = (int64_t)(k % width) - (int64_t)(k / width % height);
        uint64_t element = 0;
        if (in_band(t, desc->begin, desc->end)) {
            element = number_load(output->dtype, &desc->value);
        } else if (desc->input != NULL) {
            const uint64_t byte = oracle_offset(desc->input, k) * bytes;
            element = number_load(output->dtype, (const unsigned char *)input + byte);
        }
        expected[k] = oracle_bits(element);
    }
}
