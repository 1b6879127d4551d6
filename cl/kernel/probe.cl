/*
 * The numerics probe: a work-item computes one item, with the library's own functions where there
 * is one, of operands that no compiler can know. It comes behind the head of a program that folds
 * by SUM_SQUARE.
 */

/* An item's number as bits; the sign that a wider result gets is the host's to cut off. */
static tally_key tally_probe_compute(uint operation, tally_compute a, tally_compute b,
                                     tally_compute c) {
    switch (operation) {
    case TALLY_PROBE_ADD:
        return TALLY_AS_KEY(a + b);
    case TALLY_PROBE_MULTIPLY:
        return TALLY_AS_KEY(a * b);
    case TALLY_PROBE_MULTIPLY_ADD:
        return TALLY_AS_KEY(a * b + c);
    case TALLY_PROBE_SUBTRACT_PRODUCT:
        return TALLY_AS_KEY(a - b * c);
    case TALLY_PROBE_SUM_SQUARES:
        return TALLY_AS_KEY(tally_join(
            tally_join(tally_join(tally_neutral(), tally_map(a)), tally_map(b)), tally_map(c)));
    case TALLY_PROBE_ADD_ADD:
        return TALLY_AS_KEY((a + b) + c);
    case TALLY_PROBE_ADD_BACK:
        return TALLY_AS_KEY((a + b) - b);
    case TALLY_PROBE_PRODUCT:
        return TALLY_AS_KEY((a * b) * c);
    case TALLY_PROBE_LESS:
        return a < b;
    case TALLY_PROBE_NAN_SUM:
        return isnan(a + b) ? 1 : 0;
    case TALLY_PROBE_DIVIDE:
        return TALLY_AS_KEY(tally_divide(a, b));
    case TALLY_PROBE_SQRT:
        return TALLY_AS_KEY(tally_sqrt(a));
    case TALLY_PROBE_EXP:
        return TALLY_AS_KEY(tally_exp(a));
    default:
        return TALLY_AS_KEY(tally_log(a));
    }
}

__kernel void tally_probe(__global const ulong *items, __global TALLY_STORAGE *elements,
                          __global ulong *results) {
    const size_t i = get_global_id(0);
    __global const ulong *item = items + i * TALLY_PROBE_WORDS;
    const uint operation = (uint)item[0];
    const tally_compute a = TALLY_AS_COMPUTE((tally_key)item[1]);
    const tally_compute b = TALLY_AS_COMPUTE((tally_key)item[2]);
    const tally_compute c = TALLY_AS_COMPUTE((tally_key)item[3]);
    if (operation == TALLY_PROBE_STORE) {
        tally_store(elements, (tally_index)i, a);
    } else if (operation == TALLY_PROBE_LOAD) {
        results[i] = (ulong)TALLY_AS_KEY(tally_load(elements, i));
    } else if (operation == TALLY_PROBE_UNPACK) {
        /* The element is the first of 16 bytes, which is as good as any other place. */
        const tally_pack pack = {.bits = (uint4)((uint)item[1], (uint)(item[1] >> 32), 0, 0)};
        results[i] = (ulong)TALLY_AS_KEY(tally_unpack(&pack, 0));
    } else if (operation == TALLY_PROBE_COUNT) {
        results[i] = (ulong)TALLY_AS_KEY((tally_compute)item[1]);
    } else {
        results[i] = (ulong)tally_probe_compute(operation, a, b, c);
    }
}
