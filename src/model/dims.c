/*
 * A list of axes as a kernel walks them.
 */
#include "model/dims.h"

void tally_dims_append(tally_dims *dims, uint64_t size, uint64_t in, uint64_t out) {
    if (size == 1)
        return;
    dims->size[dims->count] = size;
    dims->in[dims->count] = in;
    dims->out[dims->count] = out;
    dims->count++;
}

void tally_dims_merge(tally_dims *dims) {
    uint32_t last = 0; /* of the merged list */
    for (uint32_t k = 1; k < dims->count; k++) {
        uint64_t size = dims->size[k];
        bool combines =
            dims->in[last] == size * dims->in[k] && dims->out[last] == size * dims->out[k];
        uint64_t outer = combines ? dims->size[last] : 1;
        last += combines ? 0 : 1;
        dims->size[last] = size * outer;
        dims->in[last] = dims->in[k];
        dims->out[last] = dims->out[k];
    }
    if (dims->count > 0)
        dims->count = last + 1;
}

void tally_dims_move(tally_dims *dims, uint32_t from, uint32_t to) {
    uint64_t *const lists[] = {dims->size, dims->in, dims->out};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const uint64_t moved = lists[i][from];
        for (uint32_t k = from; k < to; k++)
            lists[i][k] = lists[i][k + 1];
        for (uint32_t k = from; k > to; k--)
            lists[i][k] = lists[i][k - 1];
        lists[i][to] = moved;
    }
}

void tally_dims_sort(tally_dims *dims, bool by_output) {
    const uint64_t *stride = by_output ? dims->out : dims->in;
    for (uint32_t k = 1; k < dims->count; k++) {
        uint32_t at = k;
        while (at > 0 && stride[at - 1] < stride[k])
            at--;
        tally_dims_move(dims, k, at);
    }
}

uint64_t tally_dims_elements(const tally_dims *dims) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < dims->count; k++)
        elements *= dims->size[k];
    return elements;
}

uint64_t tally_dims_common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
