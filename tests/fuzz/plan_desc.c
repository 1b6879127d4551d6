/*
 * plan_desc.c: drawing. It reads bytes in one order, whatever they say, as far as that is possible:
 * then a fuzzer that changes one changes one thing.
 */
#include "plan_desc.h"

#include <string.h>

#include "model/dtype.h"
#include "support/descriptions/legal.h"

/* ---- Tensors ------------------------------------------------------------------------------- */

static tally_tensor draw_tensor(byte_source *from, uint32_t least_rank) {
    tally_tensor tensor = TALLY_TENSOR_INIT;
    tensor.rank = least_rank + bytes_choose(from, TALLY_MAX_RANK + 1 - least_rank);
    for (uint32_t k = 0; k < tensor.rank; k++)
        tensor.size[k] = bytes_take_size(from);
    return tensor;
}

/* Nested: each axis, in an order by turns, reaches a little over those before it. */
static void nest(byte_source *from, tally_tensor *tensor) {
    const uint32_t turn = bytes_take(from);
    uint64_t reach = 1;
    for (uint32_t i = 0; i < tensor->rank; i++) {
        const uint32_t k = turn % 2 == 0 ? tensor->rank - 1 - i : i;
        const uint32_t axis = (k + turn / 2) % tensor->rank;
        tensor->stride[axis] = reach + bytes_take_size(from) % 20;
        reach = tensor->stride[axis] * (tensor->size[axis] > 0 ? tensor->size[axis] : 1);
    }
}

static void draw_strides(byte_source *from, tally_tensor *tensor) {
    enum { PACKED, NESTED = 5, REPEATED, ANY, WAYS };
    const uint32_t way = bytes_choose(from, WAYS);
    if (way < NESTED)
        return;
    tensor->flags = TALLY_STRIDED;
    if (way == ANY)
        for (uint32_t k = 0; k < tensor->rank; k++)
            tensor->stride[k] = bytes_take_size(from);
    else
        nest(from, tensor);
    const uint32_t repeated = way == REPEATED ? bytes_take(from) : 0;
    for (uint32_t k = 0; k < tensor->rank; k++)
        if ((repeated >> k & 1) != 0)
            tensor->stride[k] = 0;
}

/* Both tensors' strides; one draw of four leaves them alike, as in place they must be. */
static void draw_layouts(byte_source *from, tally_tensor *input, tally_tensor *output) {
    const bool alike = bytes_choose(from, 4) == 3;
    draw_strides(from, output);
    if (alike)
        *input = *output;
    else
        draw_strides(from, input);
}

/* ---- Descriptions -------------------------------------------------------------------------- */

/* None of 3 times, or up to 7 bytes of a description are others. Booleans stay such. */
static void disturb(byte_source *from, void *desc, size_t size) {
    const uint32_t count = bytes_take(from);
    unsigned char *chars = desc;
    for (uint32_t i = 0; count >= 192 && i < count % 8; i++) {
        const size_t at = (size_t)bytes_take_word(from, 2) % size;
        chars[at] = bytes_take(from);
    }
}

/*
 * What a description that says that it is shorter has not: the library takes the usual members
 * there, and so must who judges it.
 */
static void cut(void *desc, const void *usual, size_t size) {
    uint32_t bytes;
    memcpy(&bytes, desc, sizeof bytes);
    if (bytes >= sizeof bytes && bytes < size)
        memcpy((char *)desc + bytes, (const char *)usual + bytes, size - bytes);
}

static tally_nan draw_nan(byte_source *from) {
    return bytes_choose(from, 2) != 0 ? TALLY_NAN_IGNORE : TALLY_NAN_PROPAGATE;
}

/* Values that let the oracle judge sharply, and a seed. */
static void draw_values(byte_source *from, tally_function function, sim_case *it) {
    it->values = sim_case_values(function, bytes_take(from));
    it->seed = bytes_take(from);
    it->in_place = bytes_choose(from, 2) != 0;
}

static sim_case draw_reduce(byte_source *from, plan_desc *to) {
    tally_reduce *desc = &to->reduce;
    const legal_pair pair = legal_reduce_pair((int)bytes_choose(from, LEGAL_REDUCE_PAIRS));
    const int index_type = bytes_take(from);
    *desc = (tally_reduce)TALLY_REDUCE_INIT;
    desc->function = pair.function;
    desc->tie = bytes_choose(from, 2) != 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
    desc->nan = draw_nan(from);
    desc->axes = bytes_take(from);
    desc->input = draw_tensor(from, 0);
    desc->input.dtype = pair.dtype;
    desc->axes &= (1u << desc->input.rank) - 1;
    desc->output = desc->input;
    if (legal_is_index(pair.function))
        desc->output.dtype = legal_index_types(index_type);
    for (uint32_t k = 0; k < desc->input.rank; k++)
        if ((desc->axes >> k & 1) != 0)
            desc->output.size[k] = 1;
    draw_strides(from, &desc->output);
    draw_strides(from, &desc->input);
    sim_case it = sim_case_reduce(desc, VALUES_SMALL, 0);
    draw_values(from, pair.function, &it);
    it.in_place = false;
    disturb(from, desc, sizeof *desc);
    cut(desc, &(tally_reduce)TALLY_REDUCE_INIT, sizeof *desc);
    return it;
}

static sim_case draw_scan(byte_source *from, plan_desc *to) {
    tally_cumulative *desc = &to->scan;
    const legal_pair pair = legal_scan_pair((int)bytes_choose(from, LEGAL_SCAN_PAIRS));
    const uint32_t options = bytes_take(from);
    *desc = (tally_cumulative)TALLY_CUMULATIVE_INIT;
    desc->function = pair.function;
    desc->nan = draw_nan(from);
    desc->axis = bytes_take(from);
    desc->input = draw_tensor(from, 1);
    desc->input.dtype = pair.dtype;
    desc->axis %= desc->input.rank;
    desc->output = desc->input;
    draw_layouts(from, &desc->input, &desc->output);
    sim_case it = sim_case_cumulative(desc, VALUES_SMALL, 0);
    draw_values(from, pair.function, &it);
    disturb(from, desc, sizeof *desc);
    const bool ways[] = {(options & 1) != 0, (options & 2) != 0};
    desc->descending = ways[0];
    desc->exclusive = ways[1];
    cut(desc, &(tally_cumulative)TALLY_CUMULATIVE_INIT, sizeof *desc);
    return it;
}

/* A diagonal of small matrices, or any. */
static int64_t draw_diagonal(byte_source *from) {
    const uint64_t size = bytes_take_size(from);
    const int64_t diagonal = size <= INT64_MAX ? (int64_t)size : INT64_MIN;
    return bytes_choose(from, 2) != 0 ? ~diagonal : diagonal;
}

static sim_case draw_fill(byte_source *from, plan_desc *to) {
    tally_diagonal *desc = &to->fill;
    *desc = (tally_diagonal)TALLY_DIAGONAL_INIT;
    const bool has_input = bytes_choose(from, 3) != 0;
    const tally_dtype dtype = (tally_dtype)(1 + bytes_choose(from, LEGAL_DTYPES));
    desc->begin = draw_diagonal(from);
    desc->end = draw_diagonal(from);
    desc->output = draw_tensor(from, 2);
    desc->output.dtype = dtype;
    to->input = desc->output;
    draw_layouts(from, &to->input, &desc->output);
    desc->input = has_input ? &to->input : NULL;
    desc->value.u64 = bytes_take_word(from, 2) * UINT64_C(0x0001000100010001);
    sim_case it = sim_case_diagonal(desc, VALUES_BITS, 0);
    draw_values(from, TALLY_MAX, &it);
    it.values = VALUES_BITS;
    disturb(from, &to->input, sizeof to->input);
    disturb(from, desc, sizeof *desc);
    desc->input = it.of.input;
    cut(desc, &(tally_diagonal)TALLY_DIAGONAL_INIT, sizeof *desc);
    it.of.input = desc->input;
    return it;
}

sim_case plan_desc_draw(byte_source *from, plan_desc *desc) {
    static sim_case (*const draws[])(byte_source *, plan_desc *) = {draw_reduce, draw_scan,
                                                                    draw_fill};
    return draws[bytes_choose(from, 3)](from, desc);
}

/* ---- Devices ------------------------------------------------------------------------------- */

/* OpenCL's least is 32 KB; planners are to do with half of it. */
#define LOCAL_LEAST 16384

static uint64_t draw_least(byte_source *from, uint64_t least) {
    const uint64_t size = bytes_take_size(from);
    return size > least ? size : least;
}

sim_device plan_device_draw(byte_source *from) {
    static const tally_family families[] = {TALLY_FAMILY_GPU, TALLY_FAMILY_CPU,
                                            TALLY_FAMILY_GENERIC};
    const uint32_t flags = bytes_take(from);
    sim_device device = {.name = "the device drawn"};
    device.limits.family = families[bytes_choose(from, 3)];
    device.limits.group_max = draw_least(from, 1);
    device.limits.local_bytes = draw_least(from, LOCAL_LEAST);
    device.limits.units = (uint32_t)draw_least(from, 1);
    device.limits.units += device.limits.units == 0;
    device.limits.address_bits = (flags & 1) != 0 ? 32 : 64;
    device.limits.word_bytes = (flags & 2) != 0 ? 4 : 8;
    device.limits.single_pass = (flags & 4) != 0;
    device.limits.has_f64 = (flags & 8) == 0;
    device.wide = (flags & 16) != 0 && device.limits.address_bits == 64;
    device.groups_max = (flags & 32) != 0 ? 1 + bytes_choose(from, 8) : 0;
    device.impatience = (flags & 64) != 0 ? 1 + bytes_choose(from, 8) : 0;
    return device;
}
