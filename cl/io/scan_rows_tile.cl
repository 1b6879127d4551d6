/*
 * The tile of a scan along long contiguous rows, or of TALLY_MERGED columns so few that they lie as
 * one: a unit of TALLY_UNIT terms of each. A group brings it into local memory, 16 bytes per
 * work-item at a time, and writes it from there. A work-item owns a chunk: TALLY_RUNS_PER_ITEM runs
 * of each column. Chunks lie an odd number of packs apart, so that neighbours meet different banks;
 * or, which takes less memory (the planner counts the same) but more instructions, each has its
 * packs in an order of its own. What is computed of a tile is not known here.
 */
#define TALLY_UNIT (TALLY_GROUP * TALLY_RUNS_PER_ITEM * TALLY_RUN)
#define TALLY_SPANS (TALLY_UNIT / TALLY_SPAN)
#define TALLY_CHAINS(a) ((a).rows) /* whose units look back at each other */
#define TALLY_CHUNK (TALLY_RUN * TALLY_RUNS_PER_ITEM * TALLY_MERGED)
#define TALLY_CHUNK_PACKS (TALLY_CHUNK / TALLY_PACK)
#define TALLY_OWN_ORDER                                                                            \
    (TALLY_MERGED > 1 && TALLY_BYTES >= 4 && TALLY_CHUNK_PACKS % 8 == 0 &&                         \
     (TALLY_CHUNK_PACKS & (TALLY_CHUNK_PACKS - 1)) == 0)
#define TALLY_PITCH (TALLY_OWN_ORDER ? TALLY_CHUNK_PACKS : TALLY_CHUNK_PACKS | 1)
#define TALLY_UNIT_RUNS (TALLY_GROUP * TALLY_RUNS_PER_ITEM)
#define TALLY_UNIT_ELEMENTS (TALLY_UNIT * TALLY_MERGED)

/* Where the k-th pack of a chunk lies in the tile; a pack and an element, as the walk goes. */
#define TALLY_CHUNK_AT(chunk, k)                                                                   \
    ((chunk) * TALLY_PITCH + (TALLY_OWN_ORDER ? (k) ^ ((chunk) % TALLY_CHUNK_PACKS) : (k)))
#define TALLY_PACK_AT(p) TALLY_CHUNK_AT((p) / TALLY_CHUNK_PACKS, (p) % TALLY_CHUNK_PACKS)
#define TALLY_ELEMENT_AT(e) (TALLY_PACK_AT((e) / TALLY_PACK) * TALLY_PACK + (e) % TALLY_PACK)

/* A pack's terms from the last to the first. */
static tally_pack TALLY_FN(reverse)(tally_pack pack) {
#if TALLY_PACK % TALLY_MERGED == 0
    tally_pack reversed;
#pragma unroll
    for (uint p = 0; p < TALLY_PACK; p++)
        reversed.stored[p] = pack.stored[TALLY_PACK - TALLY_MERGED -
                                         p / TALLY_MERGED * TALLY_MERGED + p % TALLY_MERGED];
    return reversed;
#else
    return pack; /* never asked for: terms lie across packs */
#endif
}

/* Where the element is in the walk that is the e-th of count in memory, and the other way round. */
static uint TALLY_FN(walk)(uint e, uint count, bool reversed) {
    return reversed ? count - TALLY_MERGED - e / TALLY_MERGED * TALLY_MERGED + e % TALLY_MERGED : e;
}

/* Whether count elements from there on can be moved by packs. */
#define TALLY_BY_PACKS(at, count, reversed)                                                        \
    ((count) == TALLY_UNIT_ELEMENTS && (size_t)(at) % sizeof(uint4) == 0 &&                        \
     (!(reversed) || TALLY_PACK % TALLY_MERGED == 0))

/* A work-item's packs of a whole unit that is moved by packs: all are under way at once. */
static void TALLY_FN(fetch)(__global const TALLY_STORAGE *in, tally_pack *pack) {
#pragma unroll
    for (uint b = 0; b < TALLY_CHUNK_PACKS; b++)
        pack[b].bits = tally_load_pack(in + (get_local_id(0) + b * TALLY_GROUP) * TALLY_PACK);
}

/* Into the tile with them. */
static void TALLY_FN(stage)(const tally_pack *pack, __local uint4 *image, bool reversed) {
#pragma unroll
    for (uint b = 0; b < TALLY_CHUNK_PACKS; b++) {
        const uint p = get_local_id(0) + b * TALLY_GROUP;
        const uint at = reversed ? TALLY_CHUNK_PACKS * TALLY_GROUP - 1 - p : p;
        image[TALLY_PACK_AT(at)] = reversed ? TALLY_FN(reverse)(pack[b]).bits : pack[b].bits;
    }
}

/*
 * Memory that no pack of the tile is aligned with: the packs of memory are moved whole, and in the
 * tile cell by cell. A cell is a dword, or an element if that is wider. Eight work-items' packs
 * fill the banks of local memory, so the next eight begin with another cell.
 */
#define TALLY_CELL (TALLY_BYTES < 4 ? 4 / TALLY_BYTES : 1)
#define TALLY_CELLS (TALLY_PACK / TALLY_CELL)
#define TALLY_FIRST_CELL(item) ((item) / 8 % TALLY_CELLS)
#define TALLY_CELL_AT(k, first)                                                                    \
    (((k) / TALLY_CELL + (first)) % TALLY_CELLS * TALLY_CELL + (k) % TALLY_CELL)

/*
 * Packs that a work-item has under way there: all of its own would fill the registers. In a chain
 * each register counts, as groups wait for one another.
 */
#define TALLY_SKEWED_PACKS (TALLY_WORD_BYTES == 0 && TALLY_BYTES == 4 ? 8 : 4)

#if TALLY_BYTES >= 4
#define TALLY_STORED_OF(pack, p) ((pack)->stored[p])
#else
#define TALLY_STORED_OF(pack, p) tally_raw_of(pack, p)
#endif

/* The pack with so many of its cells moved from the front to the back. */
static uint4 TALLY_FN(rotated)(uint4 bits, uint cells) {
#if TALLY_BYTES == 8
    return cells & 1 ? bits.zwxy : bits;
#else
    const uint4 by_one = cells & 1 ? bits.yzwx : bits;
    return cells & 2 ? by_one.zwxy : by_one;
#endif
}

/* Where the element of memory is in the tile that is the e-th of count. */
#define TALLY_IMAGE_AT(e, count, reversed) TALLY_ELEMENT_AT(TALLY_FN(walk)(e, count, reversed))

/* How count elements lie: x of them before the first whole pack, then y packs, z around these. */
static uint3 TALLY_FN(parts)(__global const TALLY_STORAGE *memory, uint count) {
    const uint skew = (uint)((size_t)memory % sizeof(uint4) / TALLY_BYTES);
    const uint head = min(count, (TALLY_PACK - skew) % TALLY_PACK);
    const uint packs = (count - head) / TALLY_PACK;
    return (uint3)(head, packs, count - packs * TALLY_PACK);
}

/* The e-th of the elements around the packs. */
#define TALLY_AROUND(parts, e) ((e) < (parts).x ? (e) : (e) + (parts).y * TALLY_PACK)

static void TALLY_FN(fill_skewed)(__global const TALLY_STORAGE *in, __local tally_stored *image,
                                  uint count, bool reversed) {
    const uint item = get_local_id(0), first = TALLY_FIRST_CELL(item);
    const uint3 parts = TALLY_FN(parts)(in, count);
    for (uint e = item; e < parts.z; e += TALLY_GROUP) {
        const uint at = TALLY_AROUND(parts, e);
        image[TALLY_IMAGE_AT(at, count, reversed)] = ((__global const tally_stored *)in)[at];
    }
    for (uint e = count + item; e < TALLY_UNIT_ELEMENTS; e += TALLY_GROUP)
        image[TALLY_ELEMENT_AT(e)] = 0;
#pragma unroll 1
    for (uint begin = item; begin < parts.y; begin += TALLY_SKEWED_PACKS * TALLY_GROUP) {
        tally_pack pack[TALLY_SKEWED_PACKS];
#pragma unroll
        for (uint b = 0; b < TALLY_SKEWED_PACKS; b++) {
            const uint p = min(begin + b * TALLY_GROUP, parts.y - 1);
            pack[b].bits =
                TALLY_FN(rotated)(tally_load_pack(in + parts.x + p * TALLY_PACK), first);
        }
#pragma unroll
        for (uint b = 0; b < TALLY_SKEWED_PACKS; b++) {
            const uint p = begin + b * TALLY_GROUP;
#pragma unroll
            for (uint k = 0; k < TALLY_PACK && p < parts.y; k++)
                image[TALLY_IMAGE_AT(parts.x + p * TALLY_PACK + TALLY_CELL_AT(k, first), count,
                                   reversed)] = (tally_stored)TALLY_STORED_OF(&pack[b], k);
        }
    }
}
#undef TALLY_STORED_OF

static void TALLY_FN(drain_skewed)(__global TALLY_STORAGE *out, __local const tally_stored *image,
                                   uint count, bool reversed) {
    const uint item = get_local_id(0), first = TALLY_FIRST_CELL(item);
    const uint3 parts = TALLY_FN(parts)(out, count);
#pragma unroll 1
    for (uint p = item; p < parts.y; p += TALLY_GROUP) {
        tally_pack cells;
        cells.bits = (uint4)(0);
#pragma unroll
        for (uint k = 0; k < TALLY_PACK; k++)
            tally_set_in_pack(&cells, k,
                              image[TALLY_IMAGE_AT(parts.x + p * TALLY_PACK + TALLY_CELL_AT(k,
                                                                                            first),
                                                 count, reversed)]);
        *(__global uint4 *)(out + parts.x + p * TALLY_PACK) =
            TALLY_FN(rotated)(cells.bits, TALLY_CELLS - first);
    }
    for (uint e = item; e < parts.z; e += TALLY_GROUP) {
        const uint at = TALLY_AROUND(parts, e);
        ((__global tally_stored *)out)[at] = image[TALLY_IMAGE_AT(at, count, reversed)];
    }
}

/* Bring count elements; behind them the tile is zero. */
static void TALLY_FN(fill)(__global const TALLY_STORAGE *in, __local uint4 *image, uint count,
                           bool reversed) {
    if (count == 0)
        return;
    if (TALLY_BY_PACKS(in, count, reversed)) {
        tally_pack pack[TALLY_CHUNK_PACKS];
        TALLY_FN(fetch)(in, pack);
        TALLY_FN(stage)(pack, image, reversed);
        return;
    }
    TALLY_FN(fill_skewed)(in, (__local tally_stored *)image, count, reversed);
}

/*
 * fill() in two: first the unit's loads are under way, if by packs, then they are needed, after
 * what is done between. PoCL 3.1 loses large arrays that a work-item keeps so long, so it asks for
 * nothing first.
 */
static bool TALLY_FN(ask)(__global const TALLY_STORAGE *in, tally_pack *own, uint count,
                          bool reversed) {
#ifdef POCL_DEVICE_ADDRESS_BITS
    const bool early = false;
#else
    const bool early = TALLY_BY_PACKS(in, count, reversed);
#endif
    if (early)
        TALLY_FN(fetch)(in, own);
    return early;
}

static void TALLY_FN(settle)(bool early, __global const TALLY_STORAGE *in, const tally_pack *own,
                             __local uint4 *image, uint count, bool reversed) {
    if (early)
        TALLY_FN(stage)(own, image, reversed);
    else
        TALLY_FN(fill)(in, image, count, reversed);
}

/* Write count elements of the tile. */
static void TALLY_FN(drain)(__global TALLY_STORAGE *out, __local const uint4 *image, uint count,
                            bool reversed) {
    if (!TALLY_BY_PACKS(out, count, reversed)) {
        TALLY_FN(drain_skewed)(out, (__local const tally_stored *)image, count, reversed);
        return;
    }
#pragma unroll
    for (uint b = 0; b < TALLY_CHUNK_PACKS; b++) {
        const uint p = get_local_id(0) + b * TALLY_GROUP;
        const uint at = reversed ? TALLY_CHUNK_PACKS * TALLY_GROUP - 1 - p : p;
        tally_pack pack;
        pack.bits = image[TALLY_PACK_AT(at)];
        *(__global tally_pack_bits *)(out + p * TALLY_PACK) =
            reversed ? TALLY_FN(reverse)(pack).bits : pack.bits;
    }
}
