/*
 * The table of the numerics probe.
 */
#include "plan/probe.h"

#include "model/dtype.h"

static const tally_probe_item items[] = {
#define TALLY_PROBE(dtype, property, operation, a, b, c, expected)                                 \
    {TALLY_##dtype,                                                                                \
     TALLY_PROPERTY_##property,                                                                    \
     TALLY_PROBE_##operation,                                                                      \
     {UINT64_C(a), UINT64_C(b), UINT64_C(c)},                                                      \
     UINT64_C(expected)},
#include "plan/probe.def"
#undef TALLY_PROBE
};
#define ITEMS (sizeof items / sizeof items[0])

const tally_probe_item *tally_probe_items(tally_dtype dtype, uint32_t *count) {
    uint32_t first = 0, end;
    while (first < ITEMS && items[first].dtype != dtype)
        first++;
    for (end = first; end < ITEMS && items[end].dtype == dtype;)
        end++;
    *count = end - first;
    return items + first;
}

uint64_t tally_probe_mask(const tally_probe_item *item) {
    const tally_dtype_row *type = tally_dtype_find(item->dtype);
    const bool is_element = item->operation == TALLY_PROBE_STORE;
    return UINT64_MAX >> (64 - 8 * (is_element ? type->bytes : type->compute_bytes));
}
