/*
 * An image of memory: what a group brings into local memory of elements that lie one after the
 * other, 16 bytes per work-item at a time, and takes back the same way. Element x of it is lead
 * elements behind a 16-byte boundary if it is behind one in memory, so that packs are packs; or the
 * image is mirrored. It holds TALLY_HELD runs of the order for each work-item; behind every 16
 * elements there is room that makes the work-items of neighbouring runs meet different banks.
 */
#if TALLY_ROW_TERMS > 0
#define TALLY_ONE_RUN 1
#else
#define TALLY_ONE_RUN 0
#endif

#if TALLY_ONE_RUN
#define TALLY_HELD                                                                                 \
    (TALLY_ONE_RUN_BYTES > TALLY_RUN * TALLY_BYTES                                                 \
         ? TALLY_ONE_RUN_BYTES / (TALLY_RUN * TALLY_BYTES)                                         \
         : 1)
#else
#define TALLY_HELD TALLY_RUNS_PER_ITEM
#endif
#define TALLY_SLOTS (TALLY_GROUP * TALLY_HELD)
#define TALLY_RUN_PACKS (TALLY_RUN / TALLY_PACK)

/* Packs of a unit that a work-item brings: all are under way before the first is needed. */
#define TALLY_BRINGS (TALLY_HELD * TALLY_RUN_PACKS)

/* Single elements that it brings at a time, of a view that is not aligned as its image is. */
#define TALLY_BRINGS_LOOSE 8

/* What local memory is read and written by where rows are not whole packs: dwords, or elements. */
#if TALLY_BYTES == 8
typedef ulong TALLY_FN(unit);
#define TALLY_UNITS 2
#define TALLY_UNIT(pack, u) (pack).stored[u]
#else
typedef uint TALLY_FN(unit);
#define TALLY_UNITS 4
#if TALLY_BYTES == 4
#define TALLY_UNIT(pack, u) (pack).stored[u]
#else
#define TALLY_UNIT(pack, u) (pack).dword[u]
#endif
#endif

/*
 * Elements of the room behind a run: with it runs are an odd number of packs or units apart. Rows
 * of one run that are not whole packs are better off without it.
 */
#if TALLY_PACK_ELEMENTS > 1
#define TALLY_ROOM (TALLY_RUN_PACKS > 1 ? TALLY_PACK : 0)
#elif TALLY_ONE_RUN
#define TALLY_ROOM 0
#else
#define TALLY_ROOM (TALLY_PACK / TALLY_UNITS)
#endif
#define TALLY_AT(x) ((x) + (x) / TALLY_RUN * TALLY_ROOM)

/* Where a pack of the image lies: counted in packs, where the room is whole packs, or in units. */
#define TALLY_BY_PACKS (TALLY_ROOM % TALLY_PACK == 0)
#define TALLY_PACK_UNITS (TALLY_BY_PACKS ? 1 : TALLY_UNITS)
#define TALLY_ROOM_UNITS (TALLY_ROOM * TALLY_PACK_UNITS / TALLY_PACK)
#define TALLY_PACK_AT(q) ((q)*TALLY_PACK_UNITS + (q) / TALLY_RUN_PACKS * TALLY_ROOM_UNITS)

/* One run more than the slots: what is before the rows' first pack and behind their last. */
#define TALLY_IMAGE_ELEMENTS ((TALLY_SLOTS + 1) * (TALLY_RUN + TALLY_ROOM))
#define TALLY_IMAGE_PACKS ((TALLY_IMAGE_ELEMENTS * TALLY_BYTES + 15) / 16)

/* A pack's elements the other way round. */
#if TALLY_BYTES == 8
#define TALLY_REVERSED(bits) (bits).zwxy
#elif TALLY_BYTES == 4
#define TALLY_REVERSED(bits) (bits).wzyx
#elif TALLY_BYTES == 2
#define TALLY_REVERSED(bits) rotate((bits).wzyx, (uint4)(16))
#else
#define TALLY_REVERSED(bits)                                                                       \
    ((rotate((bits).wzyx, (uint4)(8)) & (uint4)(0x00FF00FF)) |                                     \
     (rotate((bits).wzyx, (uint4)(24)) & (uint4)(0xFF00FF00)))
#endif

/* ---- Between memory and the image ----------------------------------------------------------- */

/* Elements from the 16-byte boundary before it. */
#define TALLY_SKEW(memory) ((uint)((size_t)(memory) % sizeof(uint4) / TALLY_BYTES))

/*
 * How n elements are moved: s0 of them before the first pack, s1 packs, s2 elements around the
 * packs. All are around them where memory is not skewed as the image is.
 */
static uint3 TALLY_FN(parts)(uint n, uint lead, uint skew) {
    const uint head = skew != lead ? n : lead == 0 ? 0 : min(n, TALLY_PACK - lead);
    const uint packs = (n - head) / TALLY_PACK;
    return (uint3)(head, packs, n - packs * TALLY_PACK);
}

/* Packs that the image touches. */
static uint TALLY_FN(width)(uint n, uint lead) {
    return (lead + n + TALLY_PACK - 1) / TALLY_PACK;
}

static void TALLY_FN(fill_rest)(__global const tally_stored *in, __local tally_stored *image,
                                uint3 parts, uint lead, uint last, bool reversed) {
    for (uint base = get_local_id(0); base < parts.s2; base += TALLY_GROUP * TALLY_BRINGS_LOOSE) {
        tally_stored bits[TALLY_BRINGS_LOOSE];
#pragma unroll
        for (uint b = 0; b < TALLY_BRINGS_LOOSE; b++) {
            const uint e = base + b * TALLY_GROUP;
            if (e < parts.s2)
                bits[b] = in[e < parts.s0 ? e : e + parts.s1 * TALLY_PACK];
        }
#pragma unroll
        for (uint b = 0; b < TALLY_BRINGS_LOOSE; b++) {
            const uint e = base + b * TALLY_GROUP;
            const uint x = lead + (e < parts.s0 ? e : e + parts.s1 * TALLY_PACK);
            if (e < parts.s2)
                image[TALLY_AT(reversed ? last - x : x)] = bits[b];
        }
    }
}

/*
 * A work-item's packs are a group's work-items apart, which is whole runs, so that they lie equally
 * far apart in the image, to either side.
 */
#define TALLY_PACKS_STRIDE TALLY_PACK_AT(TALLY_GROUP)

static void TALLY_FN(fill)(__global const TALLY_STORAGE *in, __local uint4 *image, uint n,
                           uint lead,
                           bool reversed) {
    const uint item = get_local_id(0), width = TALLY_FN(width)(n, lead);
    const uint3 parts = TALLY_FN(parts)(n, lead, TALLY_SKEW(in));
    const uint q = item + (lead == 0 ? 0 : 1);
    const uint at = TALLY_PACK_AT(reversed ? width - 1 - q : q);
    __global const TALLY_STORAGE *from = in + parts.s0 + item * TALLY_PACK;
    tally_pack pack[TALLY_BRINGS];
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < parts.s1)
            pack[b].bits = tally_load_pack(from + b * TALLY_GROUP * TALLY_PACK);
#pragma unroll
    for (int b = 0; b < TALLY_BRINGS; b++) {
        const int stride = (reversed ? -b : b) * (int)TALLY_PACKS_STRIDE;
        if (item + b * TALLY_GROUP >= parts.s1)
            continue;
        if (reversed)
            pack[b].bits = TALLY_REVERSED(pack[b].bits);
#if TALLY_BY_PACKS
        (image + at)[stride] = pack[b].bits;
#else
#pragma unroll
        for (int u = 0; u < TALLY_UNITS; u++)
            ((__local TALLY_FN(unit) *)image + at)[stride + u] = TALLY_UNIT(pack[b], u);
#endif
    }
    TALLY_FN(fill_rest)((__global const tally_stored *)in, (__local tally_stored *)image, parts,
                        lead, width * TALLY_PACK - 1, reversed);
}

static void TALLY_FN(drain)(__global TALLY_STORAGE *out, __local const uint4 *image, uint n,
                            uint lead, bool reversed) {
    const uint item = get_local_id(0), width = TALLY_FN(width)(n, lead);
    const uint3 parts = TALLY_FN(parts)(n, lead, TALLY_SKEW(out));
    const uint q = item + (lead == 0 ? 0 : 1), last = width * TALLY_PACK - 1;
    const uint at = TALLY_PACK_AT(reversed ? width - 1 - q : q);
    __global TALLY_STORAGE *to = out + parts.s0 + item * TALLY_PACK;
#pragma unroll
    for (int b = 0; b < TALLY_BRINGS; b++) {
        const int stride = (reversed ? -b : b) * (int)TALLY_PACKS_STRIDE;
        tally_pack pack;
        if (item + b * TALLY_GROUP >= parts.s1)
            continue;
#if TALLY_BY_PACKS
        pack.bits = (image + at)[stride];
#else
#pragma unroll
        for (int u = 0; u < TALLY_UNITS; u++)
            TALLY_UNIT(pack, u) = ((__local const TALLY_FN(unit) *)image + at)[stride + u];
#endif
        if (reversed)
            pack.bits = TALLY_REVERSED(pack.bits);
        *(__global uint4 *)(to + b * TALLY_GROUP * TALLY_PACK) = pack.bits;
    }
    for (uint e = item; e < parts.s2; e += TALLY_GROUP) {
        const uint i = e < parts.s0 ? e : e + parts.s1 * TALLY_PACK, x = lead + i;
        ((__global tally_stored *)out)[i] =
            ((__local const tally_stored *)image)[TALLY_AT(reversed ? last - x : x)];
    }
}
