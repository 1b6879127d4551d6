/*
 * MAX and MIN of elements as they lie in memory, TALLY_RAWS at a time, for kernels of CPUs that
 * take several terms in one go. Integers are compared in their own type. Of floats the bits are
 * compared: as signed integers for the largest, as unsigned ones for the least and the largest.
 * These tell the largest and the least number, -0 below +0, and whether there was a NaN of either
 * sign, as its bits lie behind those of infinity. So three operations do for a vector; NaN that is
 * ignored takes three more.
 */
#if TALLY_STATE_IS_KEY
#if TALLY_BYTES <= 2
#define TALLY_RAWS 16
#define TALLY_RAW_VLOAD(in) vload16(0, in)
#else
#define TALLY_RAWS TALLY_WIDTH
#define TALLY_RAW_VLOAD(in) TALLY_VLOAD(0, in)
#endif
#if !TALLY_FLOATING
typedef TALLY_STORAGE tally_raw_one;
#elif TALLY_BYTES == 2
typedef short tally_raw_one;
typedef short16 tally_raws;
typedef ushort16 tally_raw_bits;
#define TALLY_RAW_BITS(x) as_ushort16(x)
#define TALLY_RAW_SIGN 0x8000
#define TALLY_RAW_INFINITY 0x7C00
#define TALLY_RAW_NAN 0x7E00
#elif TALLY_BYTES == 4
typedef int tally_raw_one;
typedef int8 tally_raws;
typedef uint8 tally_raw_bits;
#define TALLY_RAW_BITS(x) as_uint8(x)
#define TALLY_RAW_SIGN 0x80000000u
#define TALLY_RAW_INFINITY 0x7F800000u
#define TALLY_RAW_NAN 0x7FC00000u
#else
typedef long tally_raw_one;
typedef long4 tally_raws;
typedef ulong4 tally_raw_bits;
#define TALLY_RAW_BITS(x) as_ulong4(x)
#define TALLY_RAW_SIGN 0x8000000000000000ul
#define TALLY_RAW_INFINITY 0x7FF0000000000000ul
#define TALLY_RAW_NAN 0x7FF8000000000000ul
#endif
#if !TALLY_FLOATING
#define TALLY_RAW_VECTOR(type, n) TALLY_RAW_VECTOR_OF(type, n)
#define TALLY_RAW_VECTOR_OF(type, n) type##n
typedef TALLY_RAW_VECTOR(TALLY_STORAGE, TALLY_RAWS) tally_raws;
#endif
#ifdef __clang__
typedef tally_raws tally_raws_at __attribute__((aligned(TALLY_BYTES)));
#define tally_load_raws(in) (*(__global const tally_raws_at *)(in))
#else
#define tally_load_raws(in) TALLY_RAW_VLOAD((__global const tally_raw_one *)(in))
#endif
#define TALLY_IS_MAX (TALLY_NEUTRAL == KEY_LOWEST)

typedef struct {
    tally_raws top; /* as signed integers; of integers that is the best one */
#if TALLY_FLOATING
    tally_raw_bits least, most;
#endif
} tally_extremes;

TALLY_INLINE tally_extremes tally_extremes_at(__global const TALLY_STORAGE *in) {
#if TALLY_FLOATING
    tally_raws x = tally_load_raws(in);
#if TALLY_NAN_IS_IGNORED
    /* That NaN which none of those that matter takes for better than a number. */
    const tally_raws none = (tally_raws)(TALLY_IS_MAX ? -1 : ~(tally_raw_one)TALLY_RAW_SIGN);
    const tally_raws magnitude = x & (tally_raws)(~(tally_raw_one)TALLY_RAW_SIGN);
    x = magnitude > (tally_raws)(TALLY_RAW_INFINITY) ? none : x;
#endif
    const tally_extremes extremes = {x, TALLY_RAW_BITS(x), TALLY_RAW_BITS(x)};
#else
    const tally_extremes extremes = {tally_load_raws(in)};
#endif
    return extremes;
}

TALLY_INLINE tally_extremes tally_join_extremes(tally_extremes a, tally_extremes b) {
#if TALLY_FLOATING
    const tally_extremes joined = {a.top > b.top ? a.top : b.top,
                                   a.least < b.least ? a.least : b.least,
                                   a.most > b.most ? a.most : b.most};
#else
    const tally_raws best = TALLY_IS_MAX ? (a.top > b.top ? a.top : b.top)
                                         : (a.top < b.top ? a.top : b.top);
    const tally_extremes joined = {best};
#endif
    return joined;
}

#if TALLY_FLOATING && TALLY_BYTES == 2
TALLY_INLINE tally_computes tally_raw_values(ushort8 bits) {
#if TALLY_HALVES
    return __builtin_convertvector(__builtin_astype(bits, tally_elements), tally_computes);
#else
    return vload_half8(0, (const half *)&bits);
#endif
}
#elif TALLY_FLOATING
#define tally_raw_values(bits) TALLY_AS_FLOATS(bits)
#else
#define tally_raw_values(x) TALLY_CONVERT(TALLY_VECTOR_OF(TALLY_COMPUTE))(x)
#endif

/* Their terms: of the first TALLY_WIDTH elements, then of the others if there are more. */
TALLY_INLINE void tally_extremes_terms(tally_extremes e, tally_terms *terms) {
#if TALLY_FLOATING
    tally_raw_bits best = e.least;
    if (TALLY_IS_MAX)
        best = e.top >= (tally_raws)(0) ? TALLY_RAW_BITS(e.top) : best;
    else
        best = e.most >= (tally_raw_bits)(TALLY_RAW_SIGN) ? e.most : best;
#if !TALLY_NAN_IS_IGNORED
    best = e.top > (tally_raws)(TALLY_RAW_INFINITY) ? (tally_raw_bits)(TALLY_RAW_NAN) : best;
    best = e.most > (tally_raw_bits)(TALLY_RAW_SIGN | TALLY_RAW_INFINITY)
               ? (tally_raw_bits)(TALLY_RAW_NAN)
               : best;
#endif
#else
    const tally_raws best = e.top;
#endif
#if TALLY_BYTES <= 2
    terms[0] = tally_map_all(tally_raw_values(best.lo));
    terms[1] = tally_map_all(tally_raw_values(best.hi));
#else
    terms[0] = tally_map_all(tally_raw_values(best));
#endif
}
#endif
