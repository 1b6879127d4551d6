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

/*
 * Bring a cache line nearer to a CPU: a hint, for any address. FAR: into the second cache, for what
 * is not read at once. On the processors that were measured that leaves the first cache, and its
 * few misses that may be under way, to what is read now.
 */
#if defined(__clang__) && !TALLY_PLAIN
#define TALLY_PREFETCH(at) __builtin_prefetch((const void *)(size_t)(at))
#define TALLY_PREFETCH_FAR(at) __builtin_prefetch((const void *)(size_t)(at), 0, 2)
#define TALLY_PREFETCH_WRITE(at) __builtin_prefetch((const void *)(size_t)(at), 1)
#else
#define TALLY_PREFETCH(at)
#define TALLY_PREFETCH_FAR(at)
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

/* An element as it is kept in a pack, and the number that it is. */
#if TALLY_BYTES >= 4
typedef TALLY_STORAGE tally_raw;
#define tally_of_raw(raw) ((tally_compute)(raw))
#else
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
#endif

/* The number that an element's bits are. */
#if TALLY_FLOATING && TALLY_BYTES == 8
#define tally_of_stored(bits) tally_of_raw(as_double(bits))
#elif TALLY_FLOATING && TALLY_BYTES == 4
#define tally_of_stored(bits) tally_of_raw(as_float(bits))
#else
#define tally_of_stored(bits) tally_of_raw((tally_raw)(bits))
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
