/*
 * A pack of a fill on GPUs: 16 bytes that are aligned in the output, how it is read and written.
 */

#define TALLY_ALL_OF_PACK ((1u << TALLY_PACK) - 1)

/* Covered elements have a bit, and so do those that are there. */
typedef struct {
    uint4 bits;      /* what was read */
    tally_index out; /* of the pack's first element, which may be before the run's */
    uint covered, there;
#if TALLY_PICKS
    tally_stored element[TALLY_PACK];
#elif TALLY_BYTES < 4
    uint more, off; /* the next dword, and the bytes of the first that are before the elements */
#endif
} TALLY_FN(part);

/* The dwords of a pack with ones where an element's bit is set. */
static uint4 TALLY_FN(spread)(uint set) {
#if TALLY_BYTES == 8
    const uint low = 0 - (set & 1), high = 0 - (set >> 1 & 1);
    return (uint4)(low, low, high, high);
#elif TALLY_BYTES == 4
    return (uint4)(0 - (set & 1), 0 - (set >> 1 & 1), 0 - (set >> 2 & 1), 0 - (set >> 3 & 1));
#elif TALLY_BYTES == 2
    const uint4 two = (uint4)(set, set >> 2, set >> 4, set >> 6);
    return TALLY_SPREAD(two);
#else
    const uint4 four = (uint4)(set, set >> 4, set >> 8, set >> 12) & 15;
    return TALLY_SPREAD(four);
#endif
}

#if TALLY_HAS_INPUT && !TALLY_PICKS
/*
 * Reads the pack's elements that are there, from its first one on. What is aligned differently is
 * read by dwords, of narrow elements by those that hold one that is there, if the last of them ends
 * before the input does: they are shifted into place when all packs are on their way.
 */
static void TALLY_FN(load)(__global const tally_stored *in, __global const tally_stored *end,
                           TALLY_FN(part) *part) {
    if (part->there == TALLY_ALL_OF_PACK && (size_t)in % 16 == 0) {
        part->bits = tally_load_pack(in);
        return;
    }
#if TALLY_BYTES < 4
    const uint off = (uint)((size_t)in % 4) / TALLY_BYTES;
    const uint wanted = part->there << off; /* from the first dword's first element on */
    __global const uint *dword = (__global const uint *)(in - off);
    const uint last = (31 - clz(wanted)) / TALLY_PER_DWORD;
    if ((__global const tally_stored *)(dword + last + 1) <= end) {
        const uint one = TALLY_BELOW(TALLY_PER_DWORD);
        uint some[4];
#pragma unroll
        for (uint w = 0; w < 4; w++) {
            some[w] = 0;
            if ((wanted >> w * TALLY_PER_DWORD & one) != 0)
                some[w] = dword[w];
        }
        part->bits = (uint4)(some[0], some[1], some[2], some[3]);
        if (wanted >> TALLY_PACK != 0)
            part->more = dword[4];
        part->off = off * TALLY_BYTES;
        return;
    }
#endif
    tally_pack pack;
    pack.bits = (uint4)(0);
#pragma unroll
    for (uint i = 0; i < TALLY_PACK; i++)
        if ((part->there >> i & 1) != 0)
            tally_set_in_pack(&pack, i, in[i]);
    part->bits = pack.bits;
}
#endif

/* Reads a part whose covered elements are known. */
#if TALLY_PICKS
#define TALLY_BRING(from, part)
#elif TALLY_HAS_INPUT
#define TALLY_BRING(from, part)                                                                    \
    if ((part).covered != (part).there)                                                            \
        TALLY_FN(load)(in + (tally_signed)(from), in_end, &(part));
#elif TALLY_REWRITES
#define TALLY_BRING(from, part)                                                                    \
    if ((part).there == TALLY_ALL_OF_PACK && (part).covered != 0) {                                \
        if ((part).covered != TALLY_ALL_OF_PACK)                                                   \
            (part).bits = tally_load_pack(out + (part).out);                                       \
    } else {                                                                                       \
        (part).there = (part).covered;                                                             \
    }
#else
#define TALLY_BRING(from, part)
#endif

/* Writes it; spread has ones at its covered elements. */
static void TALLY_FN(send)(__global tally_stored *out, uint4 values, uint4 spread, bool in_place,
                           const TALLY_FN(part) *part) {
    tally_pack pack;
#if TALLY_PICKS
    const uint wanted = part->there;
    pack.bits = (uint4)(0);
#pragma unroll
    for (uint i = 0; i < TALLY_PACK; i++)
        tally_set_in_pack(&pack, i, part->element[i]);
#else
    const uint wanted = in_place && !TALLY_REWRITES ? part->covered : part->there;
    pack.bits = part->bits;
#if TALLY_HAS_INPUT && TALLY_BYTES < 4
    if (part->off != 0)
        pack.bits = pack.bits >> 8 * part->off |
                    (uint4)(pack.bits.yzw, part->more) << (32 - 8 * part->off);
#endif
    pack.bits = (values & spread) | (pack.bits & ~spread);
#endif
    pack.bits = TALLY_MAPPED_PACK(pack.bits);
    if (wanted == TALLY_ALL_OF_PACK)
        *(__global uint4 *)(out + part->out) = pack.bits;
    else if (wanted != 0)
        tally_store_part(out, part->out, &pack, wanted);
}

static void TALLY_FN(clear)(TALLY_FN(part) *part) {
    part->bits = (uint4)(0);
    part->there = part->covered = 0;
    part->out = 0;
#if TALLY_PICKS
#pragma unroll
    for (uint i = 0; i < TALLY_PACK; i++)
        part->element[i] = 0;
#elif TALLY_BYTES < 4
    part->more = part->off = 0;
#endif
}
