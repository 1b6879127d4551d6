/*
 * MAX and MIN of elements as they lie in memory, TALLY_RAWS at a time, for kernels of CPUs that
 * take several terms in one go. Integers are compared in their own type. Of floats the bits are
 * compared: as signed integers for the largest, as unsigned ones for the least and the largest.
 * These tell the largest and the least number, -0 below +0, and whether there was a NaN of either
 * sign, as its bits lie behind those of infinity. So three operations do for a vector; NaN that is
 * ignored takes three more. For ARGMAX and ARGMIN these find the best key of elements side by side,
 * and then its position is looked for.
 */
#if TALLY_STATE_IS_KEY || TALLY_STATE_IS_INDEXED
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
#elif TALLY_BYTES == 4
typedef int tally_raw_one;
typedef int8 tally_raws;
typedef uint8 tally_raw_bits;
#define TALLY_RAW_BITS(x) as_uint8(x)
#define TALLY_RAW_SIGN 0x80000000u
#else
typedef long tally_raw_one;
typedef long4 tally_raws;
typedef ulong4 tally_raw_bits;
#define TALLY_RAW_BITS(x) as_ulong4(x)
#define TALLY_RAW_SIGN 0x8000000000000000ul
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
#define TALLY_IS_MAX (TALLY_IDENTITY == KEY_LOWEST)
#define TALLY_RAWS_ABREAST 4

/* Lanes of a comparison, signed, and whether any of them is not 0. */
#if TALLY_BYTES == 1
typedef char16 tally_raw_hits;
#define TALLY_ANY_HIT(hits) ((as_ulong2(hits).x | as_ulong2(hits).y) != 0)
#else
#if TALLY_BYTES == 2
typedef short16 tally_raw_hits;
#elif TALLY_BYTES == 4
typedef int8 tally_raw_hits;
#else
typedef long4 tally_raw_hits;
#endif
#define TALLY_ANY_HIT(hits)                                                                        \
    (((as_ulong4(hits).lo | as_ulong4(hits).hi).x |                                                \
      (as_ulong4(hits).lo | as_ulong4(hits).hi).y) != 0)
#endif

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
    x = magnitude > (tally_raws)(TALLY_INFINITY_BITS) ? none : x;
#endif
    const tally_extremes extremes = {x, TALLY_RAW_BITS(x), TALLY_RAW_BITS(x)};
#else
    const tally_extremes extremes = {tally_load_raws(in)};
#endif
    return extremes;
}

TALLY_INLINE tally_extremes tally_combine_extremes(tally_extremes a, tally_extremes b) {
#if TALLY_FLOATING
    const tally_extremes combined = {a.top > b.top ? a.top : b.top,
                                   a.least < b.least ? a.least : b.least,
                                   a.most > b.most ? a.most : b.most};
#else
    const tally_raws best =
        TALLY_IS_MAX ? (a.top > b.top ? a.top : b.top) : (a.top < b.top ? a.top : b.top);
    const tally_extremes combined = {best};
#endif
    return combined;
}

#if TALLY_FLOATING && TALLY_BYTES == 2
#define tally_raw_values(bits) tally_computes_of(bits)
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
    best = e.top > (tally_raws)(TALLY_INFINITY_BITS) ? (tally_raw_bits)(TALLY_NAN_BITS) : best;
    best = e.most > (tally_raw_bits)(TALLY_RAW_SIGN | TALLY_INFINITY_BITS)
               ? (tally_raw_bits)(TALLY_NAN_BITS)
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

/* The best key of n elements side by side, at least TALLY_RAWS; some are looked at twice. */
static tally_key tally_best_of(__global const TALLY_STORAGE *in, uint n) {
    tally_extremes e[TALLY_RAWS_ABREAST];
    tally_terms terms[2];
    tally_key each[TALLY_WIDTH];
#pragma unroll
    for (uint v = 0; v < TALLY_RAWS_ABREAST; v++)
        e[v] = tally_extremes_at(in + (n - TALLY_RAWS));
    uint i = 0;
    for (; i + TALLY_RAWS_ABREAST * TALLY_RAWS <= n; i += TALLY_RAWS_ABREAST * TALLY_RAWS) {
        tally_foresee(in + i, TALLY_RAWS_ABREAST * TALLY_RAWS);
#pragma unroll
        for (uint v = 0; v < TALLY_RAWS_ABREAST; v++)
            e[v] = tally_combine_extremes(e[v], tally_extremes_at(in + i + v * TALLY_RAWS));
    }
    for (; i + TALLY_RAWS <= n; i += TALLY_RAWS)
        e[0] = tally_combine_extremes(e[0], tally_extremes_at(in + i));
#pragma unroll
    for (uint v = 1; v < TALLY_RAWS_ABREAST; v++)
        e[0] = tally_combine_extremes(e[0], e[v]);
    tally_extremes_terms(e[0], terms);
#if TALLY_RAWS > TALLY_WIDTH
    terms[0] = tally_combine_all_terms(terms[0], terms[1]);
#endif
    TALLY_VSTORE(terms[0], 0, each);
    for (uint lane = 1; lane < TALLY_WIDTH; lane++)
        each[0] = tally_combine_terms(each[0], each[lane]);
    return each[0];
}

#if TALLY_STATE_IS_INDEXED
/*
 * What elements are compared with: bits or, where several have the same key, both zeros and all
 * NaN, the least magnitude and how much more theirs may be.
 */
typedef struct {
    tally_raw_one bits;
    bool is_range;
    tally_stored from, span;
} tally_sought;

static tally_sought tally_seek(tally_key key) {
    tally_sought sought = {(tally_raw_one)tally_stored_of(tally_key_value(key)), false, 0, 0};
#if TALLY_FLOATING
    const tally_stored magnitude = (tally_stored)sought.bits & (tally_stored)~TALLY_RAW_SIGN;
    sought.is_range = magnitude == 0 || magnitude > TALLY_INFINITY_BITS;
    sought.from = magnitude == 0 ? 0 : TALLY_INFINITY_BITS + 1;
    sought.span = magnitude == 0 ? 0 : TALLY_RAW_SIGN - TALLY_INFINITY_BITS - 2;
#endif
    return sought;
}

/* Not 0 in the lanes of those that have it. */
TALLY_INLINE tally_raw_hits tally_hits(__global const TALLY_STORAGE *in, tally_sought sought,
                                       const bool is_range) {
    const tally_raws x = tally_load_raws(in);
#if TALLY_FLOATING
    if (is_range)
        return TALLY_RAW_BITS((x & (tally_raws)(~(tally_raw_one)TALLY_RAW_SIGN)) -
                              (tally_raws)(sought.from)) <= (tally_raw_bits)(sought.span);
#endif
    return x == (tally_raws)(sought.bits);
}

TALLY_INLINE bool tally_is_hit(__global const TALLY_STORAGE *in, tally_sought sought) {
    const tally_raw_one x = *(__global const tally_raw_one *)in;
#if TALLY_FLOATING
    if (sought.is_range)
        return (tally_stored)(((tally_stored)x & (tally_stored)~TALLY_RAW_SIGN) - sought.from) <=
               sought.span;
#endif
    return x == sought.bits;
}

/* Whether any of TALLY_RAWS_ABREAST vectors has it. */
TALLY_INLINE bool tally_has_hit(__global const TALLY_STORAGE *in, uint n, tally_sought sought,
                                const bool is_range) {
    for (uint i = 0; i < TALLY_RAWS_ABREAST * TALLY_RAWS; i += TALLY_CACHE_LINE / TALLY_BYTES)
        TALLY_PREFETCH(in + n + i);
    tally_raw_hits hits = tally_hits(in, sought, is_range);
#pragma unroll
    for (uint v = 1; v < TALLY_RAWS_ABREAST; v++)
        hits |= tally_hits(in + v * TALLY_RAWS, sought, is_range);
    return TALLY_ANY_HIT(hits);
}

/* The first element with that key, or the last one; one of the n has it. */
static uint tally_position_of(__global const TALLY_STORAGE *in, uint n, tally_key key) {
    const uint step = TALLY_RAWS_ABREAST * TALLY_RAWS;
    const tally_sought sought = tally_seek(key);
#if TALLY_TIE_IS_LAST
    uint i = n;
    if (TALLY_FLOATING && sought.is_range)
        while (i >= step && !tally_has_hit(in + (i - step), n, sought, true))
            i -= step;
    else
        while (i >= step && !tally_has_hit(in + (i - step), n, sought, false))
            i -= step;
    do
        i--;
    while (!tally_is_hit(in + i, sought));
#else
    uint i = 0;
    if (TALLY_FLOATING && sought.is_range)
        while (i + step <= n && !tally_has_hit(in + i, n, sought, true))
            i += step;
    else
        while (i + step <= n && !tally_has_hit(in + i, n, sought, false))
            i += step;
    while (!tally_is_hit(in + i, sought))
        i++;
#endif
    return i;
}
#endif
#endif
