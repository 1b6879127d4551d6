/*
 * random_desc.c: sizes first, then strides, then what is done with them.
 */
#include "random_desc.h"

#include "legal.h"
#include "shape.h"
#include "support/numbers/values.h"

static uint64_t below(uint64_t *state, uint64_t limit) {
    return limit > 0 ? values_random(state) % limit : 0;
}

/* Mostly small numbers, and those at which lanes, blocks, runs, spans and groups end. */
static uint64_t draw_size(const random_kind *kind, uint64_t left, uint64_t *state) {
    static const uint64_t edges[] = {
        15,      16,       17,       63,       64,         65,         127,       128,
        129,     255,      256,      257,      1021,       1024,       4095,      4096,
        4097,    8191,     8192,     8193,     65521,      262143,     262144,    262145,
        1048573, 16777215, 16777216, 16777217, 4294967295, 4294967296, 4294967311};
    const uint64_t draw = below(state, 16);
    uint64_t size = 1 + below(state, 7);
    if (draw == 0 && kind->empty)
        return 0;
    if (draw < 3)
        size = 1;
    else if (draw < 9)
        size = edges[below(state, sizeof edges / sizeof edges[0])];
    else if (draw == 9)
        size = 1 + below(state, left);
    return size <= left ? size : 1 + below(state, left < 7 ? left : 7);
}

static tally_tensor draw_tensor(const random_kind *kind, uint32_t least_rank, uint64_t *state) {
    tally_tensor tensor = TALLY_TENSOR_INIT;
    uint64_t left = kind->most;
    uint32_t order[TALLY_MAX_RANK] = {0};
    tensor.rank = least_rank + (uint32_t)below(state, TALLY_MAX_RANK + 1 - least_rank);
    for (uint32_t k = 0; k < tensor.rank; k++) { /* any axis may be the first to be large */
        const uint32_t position = (uint32_t)below(state, k + 1);
        order[k] = order[position];
        order[position] = k;
    }
    const bool many = below(state, 8) == 0; /* axes rather than elements */
    for (uint32_t k = 0; k < tensor.rank; k++) {
        tensor.size[order[k]] = many && left > 1 ? 2 : draw_size(kind, left, state);
        left /= tensor.size[order[k]] > 0 ? tensor.size[order[k]] : 1;
    }
    return tensor;
}

static void draw_strides(const random_kind *kind, uint64_t *state, tally_tensor *input,
                         tally_tensor *output) {
    if (below(state, 8) < kind->strided)
        shape_random_input(input, state);
    if (below(state, 8) < kind->strided)
        shape_random_output(output, state);
    for (uint32_t k = 0; k < output->rank; k++)
        if (output->size[k] == 1 && (output->flags & TALLY_STRIDED) != 0 && below(state, 4) == 0)
            output->stride[k] = values_random(state); /* nothing ever steps over it */
}

static tally_nan draw_nan(uint64_t *state) {
    return below(state, 2) == 0 ? TALLY_NAN_PROPAGATE : TALLY_NAN_IGNORE;
}

/* Any axes, or every second one, which makes the most groups. */
static uint32_t draw_axes(uint32_t rank, uint64_t *state) {
    const uint32_t every_second[] = {0x55, 0xAA};
    const uint64_t draw = below(state, 8);
    const uint32_t axes = draw < 2 ? every_second[draw] : (uint32_t)values_random(state);
    return axes & ((1u << rank) - 1);
}

void random_reduce(const random_kind *kind, uint64_t *state, tally_reduce *desc) {
    const legal_pair pair = legal_reduce_pair((int)below(state, LEGAL_REDUCE_PAIRS));
    *desc = (tally_reduce)TALLY_REDUCE_INIT;
    desc->function = pair.function;
    desc->input = draw_tensor(kind, 0, state);
    desc->input.dtype = pair.dtype;
    desc->axes = draw_axes(desc->input.rank, state);
    desc->tie = below(state, 2) == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
    desc->nan = draw_nan(state);
    if (legal_is_index(pair.function)) /* which can't name an element of nothing */
        for (uint32_t k = 0; k < desc->input.rank; k++)
            if ((desc->axes >> k & 1) != 0 && desc->input.size[k] == 0)
                desc->input.size[k] = 1;
    desc->output = desc->input;
    for (uint32_t k = 0; k < desc->input.rank; k++)
        if ((desc->axes >> k & 1) != 0)
            desc->output.size[k] = 1;
    if (legal_is_index(pair.function)) /* of 64 bits where 32 might not do */
        desc->output.dtype = kind->most > INT32_MAX ? (below(state, 2) == 0 ? TALLY_I64 : TALLY_U64)
                                                    : legal_index_types((int)below(state, 4));
    draw_strides(kind, state, &desc->input, &desc->output);
}

void random_cumulative(const random_kind *kind, uint64_t *state, tally_cumulative *desc) {
    const legal_pair pair = legal_scan_pair((int)below(state, LEGAL_SCAN_PAIRS));
    *desc = (tally_cumulative)TALLY_CUMULATIVE_INIT;
    desc->function = pair.function;
    desc->input = draw_tensor(kind, 1, state);
    desc->input.dtype = pair.dtype;
    desc->output = desc->input;
    desc->axis = (uint32_t)below(state, desc->input.rank);
    desc->descending = below(state, 2) == 0;
    desc->exclusive = below(state, 2) == 0;
    desc->nan = draw_nan(state);
    draw_strides(kind, state, &desc->input, &desc->output);
    if (below(state, 4) == 0)
        desc->input = desc->output; /* so that it may run in place */
}

void random_diagonal(const random_kind *kind, uint64_t *state, tally_diagonal *desc,
                     tally_tensor *input) {
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, INT32_MIN,     -1,       0,
                                   1,         INT32_MAX,     INT64_MAX - 1, INT64_MAX};
    *desc = (tally_diagonal)TALLY_DIAGONAL_INIT;
    desc->output = draw_tensor(kind, 2, state);
    desc->output.dtype = (tally_dtype)(1 + below(state, LEGAL_DTYPES));
    *input = desc->output;
    desc->input = below(state, 3) == 0 ? NULL : input;
    draw_strides(kind, state, input, &desc->output);
    if (below(state, 4) == 0)
        *input = desc->output;
    desc->value.u64 = values_random(state);
    int64_t *const bounds[] = {&desc->begin, &desc->end};
    for (int i = 0; i < 2; i++)
        *bounds[i] = below(state, 4) == 0 ? ends[below(state, sizeof ends / sizeof ends[0])]
                                          : (int64_t)below(state, 41) - 20;
}
