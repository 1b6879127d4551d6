/*
 * What a fill on GPUs makes of an element that it has read: the element, or, with TALLY_MAPS, the
 * program's function of it. A fold without swept axes, a map, is a fill that covers nothing.
 */
#if TALLY_MAPS
static tally_stored TALLY_FN(result_of)(tally_compute x) {
    const tally_state state = tally_begin(x, 0);
    return tally_stored_of(tally_end(state, 1));
}

static tally_stored TALLY_FN(mapped)(tally_stored bits) {
    const union {
        tally_stored bits;
        tally_raw raw;
    } element = {bits};
    return TALLY_FN(result_of)(tally_of_raw(element.raw));
}
#define TALLY_MAPPED(bits) TALLY_FN(mapped)(bits)

static uint4 TALLY_FN(mapped_pack)(uint4 bits) {
    tally_pack pack, mapped;
    pack.bits = bits;
    mapped.bits = (uint4)(0);
#pragma unroll
    for (uint i = 0; i < TALLY_PACK; i++)
        tally_set_in_pack(&mapped, i, TALLY_FN(result_of)(tally_unpack(&pack, i)));
    return mapped.bits;
}
#define TALLY_MAPPED_PACK(bits) TALLY_FN(mapped_pack)(bits)
#else
#define TALLY_MAPPED(bits) (bits)
#define TALLY_MAPPED_PACK(bits) (bits)
#endif
