/*
 * Packs: several elements that are loaded, kept and stored at once. What an element is, number.cl
 * says; which of them a work-item has, its agent.
 */

/*
 * A pack: TALLY_PACK_BYTES, 16, 8, 4 or one element, of elements, loaded at once from an aligned
 * position or one by one from elsewhere, and kept as they are until each is computed with. Narrow
 * elements lie in 32-bit dwords.
 */
#define TALLY_PACK (TALLY_PACK_BYTES / TALLY_BYTES)
#if TALLY_PACK_BYTES == 16
typedef uint4 tally_pack_bits;
#elif TALLY_PACK_BYTES == 8
typedef uint2 tally_pack_bits;
#elif TALLY_PACK_BYTES == 4
typedef uint tally_pack_bits;
#elif TALLY_PACK_BYTES == 2
typedef ushort tally_pack_bits;
#else
typedef uchar tally_pack_bits;
#endif
#define tally_load_pack(in) (*(__global const tally_pack_bits *)(in))
#if TALLY_BYTES >= 4
typedef union {
    tally_pack_bits bits;
    TALLY_STORAGE element[TALLY_PACK];
    tally_stored stored[TALLY_PACK];
} tally_pack;
#define tally_raw_of(pack, p) ((pack)->element[p])
#define tally_clear_pack(pack)
#define tally_put_in_pack(pack, p, in) ((pack)->element[p] = *(in))
#define tally_set_in_pack(pack, p, value) ((pack)->stored[p] = (value))
#else
#define TALLY_PACK_DWORDS ((TALLY_PACK_BYTES + 3) / 4)
typedef union {
    tally_pack_bits bits;
    uint dword[TALLY_PACK_DWORDS];
    tally_stored stored[TALLY_PACK];
} tally_pack;
#define TALLY_DWORD_OF(p) ((p)*TALLY_BYTES / 4)
#define TALLY_SHIFT(p) (8 * TALLY_BYTES * ((p) % (4 / TALLY_BYTES)))

#define tally_raw_of(pack, p) ((tally_raw)((pack)->dword[TALLY_DWORD_OF(p)] >> TALLY_SHIFT(p)))

/* The dwords' bits must still be zero where elements are put. */
static void tally_clear_pack(tally_pack *pack) {
#pragma unroll
    for (uint w = 0; w < TALLY_PACK_DWORDS; w++)
        pack->dword[w] = 0;
}
#define tally_put_in_pack(pack, p, in)                                                             \
    ((pack)->dword[TALLY_DWORD_OF(p)] |= (uint) * (__global const tally_raw *)(in)                 \
                                         << TALLY_SHIFT(p))
#define tally_set_in_pack(pack, p, value)                                                          \
    ((pack)->dword[TALLY_DWORD_OF(p)] |= (uint)(value) << TALLY_SHIFT(p))
#endif

/* As many bits as there are elements of a pack, from the n-th one on none. */
#define TALLY_BELOW(n) ((1u << (uint)(n)) - 1)

/*
 * Store the elements of a pack that have a bit in wanted, where the pack would be aligned: narrow
 * ones by dwords as far as all of a dword are wanted. The pack's first position, at, may be before
 * out: it wraps.
 */
#define TALLY_PER_DWORD (4 / TALLY_BYTES)
static void tally_store_part(__global tally_stored *out, tally_index at, const tally_pack *pack,
                             uint wanted) {
#if TALLY_BYTES < 4
#pragma unroll
    for (uint w = 0; w < TALLY_PACK_DWORDS; w++) {
        const uint first = w * TALLY_PER_DWORD, all = TALLY_BELOW(TALLY_PER_DWORD);
        if ((wanted >> first & all) == all)
            *(__global uint *)(out + (tally_index)(at + first)) = pack->dword[w];
        else
#pragma unroll
            for (uint i = first; i < first + TALLY_PER_DWORD; i++)
                if ((wanted >> i & 1) != 0)
                    out[(tally_index)(at + i)] = tally_raw_of(pack, i);
    }
#else
#pragma unroll
    for (uint i = 0; i < TALLY_PACK; i++)
        if ((wanted >> i & 1) != 0)
            out[(tally_index)(at + i)] = pack->stored[i];
#endif
}

/*
 * Packs, up to 16, that were loaded, are all in registers before the first of them is used.
 * NVIDIA's compilers else put loads off until each is needed, so that one waits for the other (on
 * an H200 a kernel took three times as long). The compiler of OpenCL C is kept from that by an
 * instruction that has all of them as operands. The next one, which chooses the registers, moves
 * loads behind it to need fewer: where that has been found to take longer, the instruction is a
 * fence (tally_hold_all).
 */
#ifdef __NV_CL_C_VERSION
#define TALLY_FENCE "membar.cta;"
#if TALLY_BYTES == 8
#define TALLY_REGISTER(pack) "+l"((pack).stored[0])
#elif TALLY_BYTES == 4
#define TALLY_REGISTER(pack) "+r"((pack).stored[0])
#else
#define TALLY_REGISTER(pack) "+r"((pack).dword[0])
#endif
#define TALLY_HOLD_2(pack) TALLY_REGISTER((pack)[0]), TALLY_REGISTER((pack)[1])
#define TALLY_HOLD_4(pack) TALLY_HOLD_2(pack), TALLY_HOLD_2((pack) + 2)
#define TALLY_HOLD_8(pack) TALLY_HOLD_4(pack), TALLY_HOLD_4((pack) + 4)
#define TALLY_HOLD_16(pack) TALLY_HOLD_8(pack), TALLY_HOLD_8((pack) + 8)
#define TALLY_DEFINE_HOLD(name, instruction)                                                       \
    static void name(tally_pack *pack, uint count) {                                               \
        if (count == 2)                                                                            \
            asm volatile(instruction : TALLY_HOLD_2(pack));                                        \
        else if (count == 4)                                                                       \
            asm volatile(instruction : TALLY_HOLD_4(pack));                                        \
        else if (count == 8)                                                                       \
            asm volatile(instruction : TALLY_HOLD_8(pack));                                        \
        else if (count == 16)                                                                      \
            asm volatile(instruction : TALLY_HOLD_16(pack));                                       \
    }
TALLY_DEFINE_HOLD(tally_hold, "")
TALLY_DEFINE_HOLD(tally_hold_all, TALLY_FENCE)
#else
#define tally_hold(pack, count)
#define tally_hold_all(pack, count)
#endif

/*
 * Narrow elements that are loaded one by one: so many are under way together, as to put one into
 * its pack is to wait for it.
 */
#if TALLY_BYTES < 4
#define TALLY_SINGLES 16
#define TALLY_SINGLES_PACKS (TALLY_SINGLES / TALLY_PACK)
#ifdef __NV_CL_C_VERSION
#define TALLY_SINGLES_4(x) "+r"((x)[0]), "+r"((x)[1]), "+r"((x)[2]), "+r"((x)[3])
#define TALLY_SINGLES_8(x) TALLY_SINGLES_4(x), TALLY_SINGLES_4((x) + 4)
static void tally_hold_singles(uint *x) {
    asm volatile(TALLY_FENCE : TALLY_SINGLES_8(x), TALLY_SINGLES_8(x + TALLY_SINGLES / 2));
}
#else
#define tally_hold_singles(x)
#endif

/* Put them into packs, of which so many are wanted. */
static void tally_pack_singles(uint *x, tally_pack *pack, uint wanted) {
    tally_hold_singles(x);
#pragma unroll
    for (uint i = 0; i < TALLY_SINGLES; i++) {
        const uint k = i / TALLY_PACK, v = i % TALLY_PACK;
        if (k < wanted && v == 0)
            tally_clear_pack(pack + k);
        if (k < wanted)
            tally_set_in_pack(pack + k, v, x[i]);
    }
}

/*
 * Load so many packs, a constant: of the k-th one the v-th element if it is there, else zero. Both
 * expressions are of k and v.
 */
#define TALLY_LOAD_SINGLES(pack, packs, is_there, element)                                         \
    _Pragma("unroll") for (uint first = 0; first < (packs); first += TALLY_SINGLES_PACKS) {        \
        uint x[TALLY_SINGLES];                                                                     \
        _Pragma("unroll") for (uint i = 0; i < TALLY_SINGLES; i++) {                               \
            const uint k = first + i / TALLY_PACK, v = i % TALLY_PACK;                             \
            x[i] = 0;                                                                              \
            if (is_there)                                                                          \
                x[i] = (element);                                                                  \
        }                                                                                          \
        tally_pack_singles(x, (pack) + first, (packs)-first);                                      \
    }
#endif

#if TALLY_HIGH_KEYS
#define tally_unpack(pack, p)                                                                      \
    ((tally_compute)((pack)->dword[TALLY_DWORD_OF(p)] << (TALLY_BITS_ABOVE - TALLY_SHIFT(p))))
#else
#define tally_unpack(pack, p) tally_of_raw(tally_raw_of(pack, p))
#endif
