/*
 * Numbers: how elements are loaded, computed with, ordered and stored. Written for the one input
 * type of its program, which the host names before it:
 *
 *   TALLY_STORAGE     element type in memory          TALLY_COMPUTE   type of arithmetic
 *   TALLY_KEY         integer type that orders alike  TALLY_KEY_LOWEST, TALLY_LOWEST, TALLY_HIGHEST
 *   TALLY_FLOATING, TALLY_SIGNED   1 or 0             TALLY_BYTES     of an element
 *   TALLY_IS_f16 and one for each other type   1 or 0
 *   TALLY_INDEX       uint, or ulong where 32 bits could overflow
 */
/* A build option for tools that interpret or watch kernels: do without what they may not know. */
#ifndef TALLY_PLAIN
#define TALLY_PLAIN 0
#endif

/* A function whose arrays are to stay in registers. */
#if !TALLY_PLAIN
#define TALLY_INLINE static inline __attribute__((always_inline))
#else
#define TALLY_INLINE static
#endif

/* A long function that several call: one text, as it costs a compiler more than a call costs. */
#if defined(__clang__) && !TALLY_PLAIN
#define TALLY_NO_INLINE static __attribute__((noinline))
#else
#define TALLY_NO_INLINE static
#endif

/* Bring a cache line nearer to a CPU: a hint, for any address. */
#if defined(__clang__) && !TALLY_PLAIN
#define TALLY_PREFETCH(at) __builtin_prefetch((const void *)(size_t)(at))
#define TALLY_PREFETCH_WRITE(at) __builtin_prefetch((const void *)(size_t)(at), 1)
#else
#define TALLY_PREFETCH(at)
#define TALLY_PREFETCH_WRITE(at)
#endif

typedef TALLY_COMPUTE tally_compute;
typedef TALLY_KEY tally_key;
typedef TALLY_INDEX tally_index;

/*
 * The formats of floats: the bits of infinity, and those of a NaN that is a result. A format that
 * is narrower than its arithmetic also has its way here to load and store an element, and in
 * number_vector.cl a vector of them.
 */
#if TALLY_IS_f16
#define TALLY_INFINITY_BITS 0x7C00
#define TALLY_NAN_BITS 0x7E00
#elif TALLY_IS_f32
#define TALLY_INFINITY_BITS 0x7F800000u
#define TALLY_NAN_BITS 0x7FC00000u
#elif TALLY_IS_f64
#define TALLY_INFINITY_BITS 0x7FF0000000000000ul
#define TALLY_NAN_BITS 0x7FF8000000000000ul
#elif TALLY_FLOATING
#error "number.cl and number_vector.cl do not have this format of floats"
#endif

/* The constants that the table of functions names. */
#define ZERO ((tally_compute)0)
#define ONE ((tally_compute)1)
#define LOWEST ((tally_compute)TALLY_LOWEST)
#define HIGHEST ((tally_compute)TALLY_HIGHEST)
#define KEY_LOWEST ((tally_key)TALLY_KEY_LOWEST)
#define KEY_HIGHEST ((tally_key)~KEY_LOWEST)
#if TALLY_FLOATING
#define SUM_IDENTITY ((tally_compute)-0.0f)
#define QUIET_NAN ((tally_compute)NAN)
#else
#define SUM_IDENTITY ZERO
#define QUIET_NAN ZERO
#endif

/*
 * Narrow integers that are only compared stand at the high end of their key: whatever is below them
 * decides nothing that would be seen, so that they need not be cut out of the dwords they come in.
 * Between launches they are what they are, and vectors have them so all the time.
 */
#define TALLY_HIGH_KEYS                                                                            \
    (TALLY_STATE_IS_KEY && !TALLY_FLOATING && TALLY_BYTES < 4 && !TALLY_VECTORS)
#define TALLY_BITS_ABOVE (32 - 8 * TALLY_BYTES)

#if TALLY_IS_f16
#define tally_load(in, i) vload_half((i), (in))
#elif TALLY_HIGH_KEYS
#define tally_load(in, i) ((tally_compute)((uint)(in)[i] << TALLY_BITS_ABOVE))
#else
#define tally_load(in, i) ((tally_compute)(in)[i])
#endif

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
#if TALLY_BYTES == 8
typedef ulong tally_stored; /* an element's bits */
#elif TALLY_BYTES == 4
typedef uint tally_stored;
#elif TALLY_BYTES == 2
typedef ushort tally_stored;
#else
typedef uchar tally_stored;
#endif
/* An element's bits times this are as many of them as 64 bits hold. */
#define TALLY_REPEAT (~0ul / (~0ul >> (64 - 8 * TALLY_BYTES)))
#define tally_load_pack(in) (*(__global const tally_pack_bits *)(in))
#if TALLY_BYTES >= 4
typedef union {
    tally_pack_bits bits;
    TALLY_STORAGE element[TALLY_PACK];
    tally_stored stored[TALLY_PACK];
} tally_pack;
typedef TALLY_STORAGE tally_raw;
#define tally_of_raw(raw) ((tally_compute)(raw))
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
typedef tally_stored tally_raw;

static tally_compute tally_of_raw(tally_raw raw) {
#if TALLY_IS_f16
    return vload_half(0, (const half *)&raw);
#elif TALLY_HIGH_KEYS
    return (tally_compute)((uint)raw << TALLY_BITS_ABOVE);
#else
    return (TALLY_STORAGE)raw;
#endif
}
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
 * NVIDIA's compiler else puts loads off until each is needed, so that one waits for the other
 * (on an H200 a kernel took three times as long); an instruction that is none keeps it from that.
 */
#ifdef __NV_CL_C_VERSION
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
static void tally_hold(tally_pack *pack, uint count) {
    if (count == 2)
        asm volatile("" : TALLY_HOLD_2(pack));
    else if (count == 4)
        asm volatile("" : TALLY_HOLD_4(pack));
    else if (count == 8)
        asm volatile("" : TALLY_HOLD_8(pack));
    else if (count == 16)
        asm volatile("" : TALLY_HOLD_16(pack));
}
#else
#define tally_hold(pack, count)
#endif

#if TALLY_HIGH_KEYS
#define tally_unpack(pack, p)                                                                      \
    ((tally_compute)((pack)->dword[TALLY_DWORD_OF(p)] << (TALLY_BITS_ABOVE - TALLY_SHIFT(p))))
#else
#define tally_unpack(pack, p) tally_of_raw(tally_raw_of(pack, p))
#endif

/* Bits to key and back: a negative float's bits count up as it goes down. */
#if TALLY_FLOATING && TALLY_BYTES == 8
#define TALLY_AS_KEY(x) as_long(x)
#define TALLY_AS_COMPUTE(bits) as_double(bits)
#define TALLY_KEY_FOLD(bits) ((bits) ^ (((bits) >> 63) & LONG_MAX))
#elif TALLY_FLOATING
#define TALLY_AS_KEY(x) as_int(x)
#define TALLY_AS_COMPUTE(bits) as_float(bits)
#define TALLY_KEY_FOLD(bits) ((bits) ^ (((bits) >> 31) & INT_MAX))
#endif

/*
 * The key of x: integers that order as IEEE 754-2019 minimum and maximum do, -0 below +0. NaN gets
 * the key nan, one of the two extremes, which no number has.
 */
static tally_key tally_key_of(tally_compute x, tally_key nan) {
#if TALLY_FLOATING
    const tally_key bits = TALLY_AS_KEY(x);
    return isnan(x) ? nan : TALLY_KEY_FOLD(bits);
#else
    return (tally_key)x;
#endif
}

/* The number with that key; NaN for the two extremes of a float's keys. */
static tally_compute tally_key_value(tally_key key) {
#if TALLY_FLOATING
    return TALLY_AS_COMPUTE(TALLY_KEY_FOLD(key));
#elif TALLY_HIGH_KEYS
    return (tally_compute)(key >> TALLY_BITS_ABOVE);
#else
    return (tally_compute)key;
#endif
}

/* Equal numbers have equal keys: -0, whose key is the one below that of +0, becomes +0. */
static tally_key tally_key_tied(tally_key key) {
#if TALLY_FLOATING
    return key == -1 ? 0 : key;
#else
    return key;
#endif
}

#if TALLY_FLOATING
#define tally_abs(x) fabs(x)
#elif TALLY_SIGNED
#define tally_abs(x) ((tally_key)(x) < 0 ? (tally_compute)(0 - (x)) : (x))
#else
#define tally_abs(x) (x)
#endif

/*
 * A value as it is stored in the input's type: rounded once if narrower, NaN in its canonical bits.
 */
static tally_stored tally_stored_of(tally_compute value) {
#if TALLY_IS_f16
    tally_stored bits;
    vstore_half_rte(value, 0, (half *)&bits);
    /* As an integer: converting a NaN would leave its bits to the device. */
    return isnan(value) ? (tally_stored)TALLY_NAN_BITS : bits;
#elif TALLY_IS_f32
    return isnan(value) ? TALLY_NAN_BITS : as_uint(value);
#elif TALLY_IS_f64
    return isnan(value) ? TALLY_NAN_BITS : as_ulong(value);
#else
    return (tally_stored)value;
#endif
}
#define tally_store(out, i, value) (((__global tally_stored *)(out))[i] = tally_stored_of(value))

/*
 * The offset of element i, row-major, of the axes size[rank] with those strides. Indices are
 * constants and no address is taken, so that an argument struct stays where it is.
 */
#define TALLY_OFFSET(rank, size, stride, i) TALLY_OFFSET_OF(rank, size, stride, i)
#define TALLY_OFFSET_OF(rank, size, stride, i) TALLY_OFFSET_##rank(size, stride, i)
#define TALLY_OFFSET_1(size, stride, i) ((i) * (tally_index)(stride)[0])
#define TALLY_OFFSET_2(size, stride, i)                                                            \
    tally_offset_2(i, (tally_index)(size)[1], (tally_index)(stride)[0], (tally_index)(stride)[1])
#define TALLY_OFFSET_4(size, stride, i)                                                            \
    tally_offset_4(i, (tally_index)(size)[1], (tally_index)(size)[2], (tally_index)(size)[3],      \
                   (tally_index)(stride)[0], (tally_index)(stride)[1], (tally_index)(stride)[2],   \
                   (tally_index)(stride)[3])
#define TALLY_OFFSET_8(size, stride, i)                                                            \
    tally_offset_8(i, (tally_index)(size)[1], (tally_index)(size)[2], (tally_index)(size)[3],      \
                   (tally_index)(size)[4], (tally_index)(size)[5], (tally_index)(size)[6],         \
                   (tally_index)(size)[7], (tally_index)(stride)[0], (tally_index)(stride)[1],     \
                   (tally_index)(stride)[2], (tally_index)(stride)[3], (tally_index)(stride)[4],   \
                   (tally_index)(stride)[5], (tally_index)(stride)[6], (tally_index)(stride)[7])

static tally_index tally_offset_2(tally_index i, tally_index n1, tally_index s0, tally_index s1) {
    const tally_index outer = i / n1;
    return outer * s0 + (i - outer * n1) * s1;
}

static tally_index tally_offset_4(tally_index i, tally_index n1, tally_index n2, tally_index n3,
                                  tally_index s0, tally_index s1, tally_index s2, tally_index s3) {
    const tally_index j = i / n3, k = j / n2;
    return tally_offset_2(k, n1, s0, s1) + (j - k * n2) * s2 + (i - j * n3) * s3;
}

static tally_index tally_offset_8(tally_index i, tally_index n1, tally_index n2, tally_index n3,
                                  tally_index n4, tally_index n5, tally_index n6, tally_index n7,
                                  tally_index s0, tally_index s1, tally_index s2, tally_index s3,
                                  tally_index s4, tally_index s5, tally_index s6, tally_index s7) {
    const tally_index j = i / n7, k = j / n6, l = k / n5, m = l / n4;
    return tally_offset_4(m, n1, n2, n3, s0, s1, s2, s3) + (l - m * n4) * s4 + (k - l * n5) * s5 +
           (j - k * n6) * s6 + (i - j * n7) * s7;
}
