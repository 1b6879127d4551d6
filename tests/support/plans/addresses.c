/*
 * addresses.c: coordinates from an index, offsets from coordinates.
 */
#include "addresses.h"

#include "support/oracle/oracle.h"

uint64_t addresses_count(const tally_tensor *tensor, uint32_t axes) {
    uint64_t count = 1;
    for (uint32_t k = 0; k < tensor->rank; k++)
        count *= (axes >> k & 1) != 0 ? tensor->size[k] : 1;
    return count;
}

uint64_t addresses_of_axes(const tally_tensor *tensor, uint32_t axes, uint64_t index) {
    uint64_t offset = 0;
    for (uint32_t k = tensor->rank; k-- > 0;) {
        if ((axes >> k & 1) == 0)
            continue;
        offset += index % tensor->size[k] * oracle_stride(tensor, k);
        index /= tensor->size[k];
    }
    return offset;
}

uint64_t addresses_of_dims(const tally_dims *dims, const uint64_t *strides, uint64_t index) {
    uint64_t offset = 0;
    for (uint32_t k = dims->count; k-- > 0; index /= dims->size[k])
        offset += index % dims->size[k] * strides[k];
    return offset;
}

uint64_t addresses_of_groups(const tally_problem *problem, uint64_t index) {
    uint64_t offset = 0;
    for (uint32_t g = 0; g < problem->groups; g++) {
        const tally_dims *group = &problem->swept[g];
        const uint64_t length = tally_dims_elements(group);
        offset += addresses_of_dims(group, group->in, index % length);
        index /= length;
    }
    return offset;
}
