/*
 * How short rows come into local memory (fold_short_rows.cl): as they lie, or, of whole packs, each
 * at a pitch of its own, so that neighbours meet different banks.
 */
#if TALLY_OF_COLUMNS
#define TALLY_LOCAL_BYTES TALLY_SHORT_COLUMNS_BYTES
#else
#define TALLY_LOCAL_BYTES TALLY_SHORT_ROWS_BYTES
#endif
#define TALLY_PACKS (TALLY_LOCAL_BYTES / 16)

/* Packs of a unit that a work-item brings: all are under way before the first is needed. */
#define TALLY_BRINGS ((TALLY_PACKS + TALLY_GROUP - 1) / TALLY_GROUP)

#if TALLY_LEAF_ELEMENTS > 1
/* The 16 bytes that begin lead bytes behind the first of two aligned packs. */
static uint4 TALLY_FN(shifted)(const uint4 low, const uint4 high, uint lead) {
    const uint shift = lead % 4 * 8;
    uint4 words = lead >= 8 ? (uint4)(low.zw, high.xy) : low;
    uint2 behind = lead >= 8 ? high.zw : high.xy;
    if (lead % 8 >= 4) {
        words = (uint4)(words.yzw, behind.x);
        behind.x = behind.y;
    }
    return shift == 0 ? words : words >> shift | (uint4)(words.yzw, behind.x) << (32 - shift);
}

/* This work-item's packs of the rows, which begin lead bytes after from. */
static void TALLY_FN(bring)(__global const TALLY_STORAGE *in, __global const uint4 *from,
                            uint packs, uint lead, tally_pack *pack) {
    const uint item = get_local_id(0);
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs) {
            const uint p = item + b * TALLY_GROUP;
            if (lead == 0) {
                pack[b].bits = from[p];
            } else if (p > 0 && p + 1 < packs) {
                pack[b].bits = TALLY_FN(shifted)(from[p], from[p + 1], lead);
            } else { /* around the rows may be what is nobody's */
                pack[b].bits = (uint4)(0);
#pragma unroll
                for (uint e = 0; e < TALLY_PACK; e++)
                    tally_put_in_pack(&pack[b], e, in + p * TALLY_PACK + e);
            }
        }
}

/*
 * Bring n elements, of rows that begin stride elements from one to the next; in the image they are
 * pitch packs from each other, so that neighbours meet different banks.
 */
static uint TALLY_FN(fill)(__global const TALLY_STORAGE *in, __local uint4 *image, uint n,
                           uint stride, uint pitch) {
    const uint item = get_local_id(0);
    const uint width = stride / TALLY_PACK;
    const uint packs = n / TALLY_PACK;
    /* Of 1024 packs at most, p / width is p times this shifted back: 20 bits are enough. */
    const uint per_width = ((1 << 20) - 1 + width) / width;
    const uint lead = (uint)((size_t)in % sizeof(uint4)); /* bytes */
    __global const uint4 *from = (__global const uint4 *)(in - lead / TALLY_BYTES);
    tally_pack pack[TALLY_BRINGS];
    /* Narrow elements are loaded without conditions. Wider ones took longer that way. */
    if (TALLY_BYTES < 4 && lead == 0) {
#pragma unroll
        for (uint b = 0; b < TALLY_BRINGS; b++)
            pack[b].bits = from[min(item + b * TALLY_GROUP, packs - 1)];
        tally_hold(pack, TALLY_BRINGS); /* of columns; those of rows are no power of two */
    } else {
        TALLY_FN(bring)(in, from, packs, lead, pack);
    }
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs) {
            const uint p = item + b * TALLY_GROUP;
            image[p + (p * per_width >> 20) * (pitch - width)] = pack[b].bits;
        }
    return 0;
}
#else
/* Bring n elements as they lie; returns how many before the first the image begins. */
static uint TALLY_FN(fill)(__global const TALLY_STORAGE *in, __local uint4 *image, uint n,
                           uint stride, uint pitch) {
    const uint item = get_local_id(0);
    const uint lead = (uint)((size_t)in % sizeof(uint4) / TALLY_BYTES);
    const uint head = lead == 0 ? 0 : min(n, TALLY_PACK - lead);
    const uint packs = (n - head) / TALLY_PACK;
    const uint rest = n - packs * TALLY_PACK; /* before the first pack and behind the last */
    const uint first = lead == 0 ? 0 : 1;     /* position of the first pack */
    tally_pack pack[TALLY_BRINGS];
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs)
            pack[b].bits = tally_load_pack(in + head + (item + b * TALLY_GROUP) * TALLY_PACK);
    if (item < rest) {
        const uint at = item < head ? item : item + packs * TALLY_PACK;
        ((__local tally_raw *)image)[lead + at] = ((__global const tally_raw *)in)[at];
    }
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs)
            image[first + item + b * TALLY_GROUP] = pack[b].bits;
    return lead;
}
#endif
