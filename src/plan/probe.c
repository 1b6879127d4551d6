/*
 * The table of the numerics probe.
 */
#include "plan/probe.h"

#include "model/dtype.h"

static const tally_probe_check checks[] = {
#define TALLY_PROBE(dtype, property, operation, a, b, c, expected)                                 \
    {TALLY_##dtype,                                                                                \
     TALLY_PROPERTY_##property,                                                                    \
     TALLY_PROBE_##operation,                                                                      \
     {UINT64_C(a), UINT64_C(b), UINT64_C(c)},                                                      \
     UINT64_C(expected)},
#include "plan/probe.def"
#undef TALLY_PROBE
};
#define CHECKS (sizeof checks / sizeof checks[0])

const tally_probe_check *tally_probe_checks(tally_dtype dtype, uint32_t *count) {
    uint32_t first = 0, end;
    while (first < CHECKS && checks[first].dtype != dtype)
        first++;
    for (end = first; end < CHECKS && checks[end].dtype == dtype;)
        end++;
    *count = end - first;
    return checks + first;
}

uint64_t tally_probe_mask(const tally_probe_check *check) {
    const tally_dtype_row *type = tally_dtype_find(check->dtype);
    const bool is_element = check->operation == TALLY_PROBE_STORE;
    return UINT64_MAX >> (64 - 8 * (is_element ? type->bytes : type->compute_bytes));
}
