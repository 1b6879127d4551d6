/*
 * How a box of a scan goes between memory and its image in local memory, by the ways that
 * scan_staged_box.cl finds: by packs, and the elements around them, or element by element.
 */
/* A pack's bits in dwords, the first element at the low end. */
#define TALLY_BITS_1 uchar
#define TALLY_BITS_2 ushort
#define TALLY_BITS_4 uint
#define TALLY_BITS_8 uint2
#define TALLY_BITS_16 uint4
#define TALLY_BITS_OF(bytes) TALLY_BITS_##bytes
#define TALLY_BITS(bytes) TALLY_BITS_OF(bytes)
typedef union {
    TALLY_BITS(TALLY_READ_BYTES) bits;
    uint dword[(TALLY_READ_BYTES + 3) / 4];
} TALLY_FN(read_bits);
typedef union {
    TALLY_BITS(TALLY_WRITE_BYTES) bits;
    uint dword[(TALLY_WRITE_BYTES + 3) / 4];
} TALLY_FN(write_bits);
#if TALLY_BYTES == 8
#define TALLY_ELEMENT_OF(dword, j)                                                                 \
    ((tally_stored)(dword)[2 * (j)] | (tally_stored)(dword)[2 * (j) + 1] << 32)
#define TALLY_PUT_IN(dword, j, stored)                                                             \
    ((dword)[2 * (j)] = (uint)(stored), (dword)[2 * (j) + 1] = (uint)((stored) >> 32))
#else
#define TALLY_LOW_BIT(j) (8 * ((j)*TALLY_BYTES % 4))
#define TALLY_ELEMENT_OF(dword, j) ((tally_stored)((dword)[(j)*TALLY_BYTES / 4] >> TALLY_LOW_BIT(j)))
#define TALLY_PUT_IN(dword, j, stored)                                                             \
    ((dword)[(j)*TALLY_BYTES / 4] |= (uint)(stored) << TALLY_LOW_BIT(j))
#endif

/*
 * Bytes of a pack go between it and the image by whole dwords, TALLY_ROOM at a time, where they lie
 * side by side there too, and begin with a dword. Wider elements gain nothing by it.
 */
#if TALLY_BYTES == 1
#define TALLY_BY_DWORDS(way, position) ((way)->local_stride == 1 && (position) % TALLY_ROOM == 0)
#else
#define TALLY_BY_DWORDS(way, position) false
#endif

/* A pack's elements to their positions in the image. */
static void TALLY_FN(spread_pack)(const TALLY_FN(read_bits) *pack, const TALLY_FN(way) *way,
                                  uint position, __local tally_stored *image) {
#if TALLY_WHOLE_READS
    if (way->whole) {
        *(__local TALLY_BITS(TALLY_READ_BYTES) *)(image + position) = pack->bits;
        return;
    }
#endif
    if (TALLY_BY_DWORDS(way, position)) {
#pragma unroll
        for (uint w = 0; w < (TALLY_READ_BYTES + 3) / 4; w++)
            *(__local uint *)(image + TALLY_POSITION(position + w * TALLY_ROOM)) = pack->dword[w];
        return;
    }
#pragma unroll
    for (uint j = 0; j < TALLY_READ_PACK; j++)
        image[TALLY_POSITION(position + j * way->local_stride)] = TALLY_ELEMENT_OF(pack->dword, j);
}

/* A pack of the elements at these positions. */
static TALLY_FN(write_bits) TALLY_FN(collect_pack)(const TALLY_FN(way) *way, uint position,
                                                   __local const tally_stored *image) {
    TALLY_FN(write_bits) pack;
#if TALLY_WHOLE_WRITES
    if (way->whole) {
        pack.bits = *(__local const TALLY_BITS(TALLY_WRITE_BYTES) *)(image + position);
        return pack;
    }
#endif
    if (TALLY_BY_DWORDS(way, position)) {
#pragma unroll
        for (uint w = 0; w < (TALLY_WRITE_BYTES + 3) / 4; w++)
            pack.dword[w] =
                *(__local const uint *)(image + TALLY_POSITION(position + w * TALLY_ROOM));
        return pack;
    }
#pragma unroll
    for (uint w = 0; w < (TALLY_WRITE_BYTES + 3) / 4; w++)
        pack.dword[w] = 0;
#pragma unroll
    for (uint j = 0; j < TALLY_WRITE_PACK; j++)
        TALLY_PUT_IN(pack.dword, j, image[TALLY_POSITION(position + j * way->local_stride)]);
    return pack;
}

/*
 * Bring a box: whole packs, and the elements around them, which are all of a way that has packs of
 * one element. Both are under way together.
 */
static void TALLY_FN(fill)(__global const TALLY_STORAGE *in, uint skew,
                           const TALLY_FN(way) *way, __local tally_stored *image) {
    const uint loose = way->segments * way->around;
    uint begin_loose = get_local_id(0);
#if TALLY_READ_PACK > 1
    const uint packs = way->segments * way->packs;
    for (uint begin = get_local_id(0); begin < packs; begin += TALLY_MOVES * TALLY_GROUP) {
        TALLY_FN(read_bits) moved[TALLY_MOVES];
        tally_stored element = 0;
        uint position[TALLY_MOVES], store_loose = 0;
#pragma unroll
        for (uint b = 0; b < TALLY_MOVES; b++) {
            const uint s = min(begin + b * TALLY_GROUP, packs - 1);
            tally_index at;
            TALLY_FN(find_pack)(way, TALLY_READ_AXES, TALLY_READ_PACK, skew, s, &at, &position[b]);
            moved[b].bits = *(__global const TALLY_BITS(TALLY_READ_BYTES) *)(in + at);
        }
        const bool more = begin_loose < loose;
        if (more) {
            tally_index at;
            TALLY_FN(find_around)(way, TALLY_READ_AXES, TALLY_READ_PACK, skew, begin_loose, &at,
                                  &store_loose);
            element = ((__global const tally_stored *)in)[at];
        }
#pragma unroll
        for (uint b = 0; b < TALLY_MOVES; b++)
            if (begin + b * TALLY_GROUP < packs)
                TALLY_FN(spread_pack)(&moved[b], way, position[b], image);
        if (more)
            image[TALLY_POSITION(store_loose)] = element;
        begin_loose += TALLY_GROUP;
    }
#endif
    for (; begin_loose < loose; begin_loose += TALLY_LOOSE * TALLY_GROUP) {
        tally_stored moved[TALLY_LOOSE];
        uint position[TALLY_LOOSE];
#pragma unroll
        for (uint b = 0; b < TALLY_LOOSE; b++) {
            const uint e = min(begin_loose + b * TALLY_GROUP, loose - 1);
            tally_index at;
            TALLY_FN(find_around)(way, TALLY_READ_AXES, TALLY_READ_PACK, skew, e, &at,
                                  &position[b]);
            moved[b] = ((__global const tally_stored *)in)[at];
        }
#pragma unroll
        for (uint b = 0; b < TALLY_LOOSE; b++)
            if (begin_loose + b * TALLY_GROUP < loose)
                image[TALLY_POSITION(position[b])] = moved[b];
    }
}

/* Write the whole packs of a box. */
static void TALLY_FN(drain_packs)(__global TALLY_STORAGE *out, uint skew,
                                  const TALLY_FN(way) *way, __local const tally_stored *image) {
    const uint count = way->segments * way->packs;
#pragma unroll TALLY_LEAVES
    for (uint s = get_local_id(0); s < count; s += TALLY_GROUP) {
        tally_index at;
        uint position;
        TALLY_FN(find_pack)(way, TALLY_WRITE_AXES, TALLY_WRITE_PACK, skew, s, &at, &position);
        *(__global TALLY_BITS(TALLY_WRITE_BYTES) *)(out + at) =
            TALLY_FN(collect_pack)(way, position, image).bits;
    }
}

/* Write the elements around them. */
static void TALLY_FN(drain_around)(__global TALLY_STORAGE *out, uint skew,
                                   const TALLY_FN(way) *way, __local const tally_stored *image) {
    const uint count = way->segments * way->around;
#pragma unroll TALLY_LEAVES
    for (uint e = get_local_id(0); e < count; e += TALLY_GROUP) {
        tally_index at;
        uint position;
        TALLY_FN(find_around)(way, TALLY_WRITE_AXES, TALLY_WRITE_PACK, skew, e, &at, &position);
        ((__global tally_stored *)out)[at] = image[TALLY_POSITION(position)];
    }
}
