/*
 * Elements that get the value, or are kept, as a pattern of their diagonals says: those have the
 * value that lie in a band of some width from base on. Knows nothing of where the pattern is from.
 */

/* Elements from at on to the next line. */
#define TALLY_TO_CACHE_LINE(at) ((TALLY_CACHE_LINE - (uint)((at) % TALLY_CACHE_LINE)) % TALLY_CACHE_LINE)

#define TALLY_STORE_CACHE_LINE(x, at) *(at) = (x)

/* A loop of its own for each kind of store: compilers make one ordinary store of both kinds. */
#define TALLY_CHOOSE_LINES(store)                                                                  \
    for (; i + TALLY_CACHE_LINE <= n; i += TALLY_CACHE_LINE) {                                     \
        const uint8 x = TALLY_KEPT_VECTOR(i), y = TALLY_KEPT_VECTOR(i + middle);                   \
        const uint8 p = TALLY_MASK_AT(pattern + i), q = TALLY_MASK_AT(pattern + i + middle);       \
        store((x & ~p) | (values & p), (__global uint8 *)(out + i));                               \
        store((y & ~q) | (values & q), (__global uint8 *)(out + i + middle));                      \
    }

/*
 * What is kept, and the value where the pattern has one of width diagonals from base on. Explicit
 * vectors: compilers would read only what is needed, by masks, which waits for memory.
 */
static void TALLY_FN(choose)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out, uint n,
                             const TALLY_FN(step) *pattern, TALLY_FN(step) base,
                             TALLY_FN(step) width, tally_stored value, bool stream) {
    uint i = 0;
#if TALLY_HAS_INPUT
#define TALLY_KEPT(i) in[i]
#define TALLY_KEPT_VECTOR(i) (*(__global const TALLY_FN(v32) *)(in + (i)))
#else
#define TALLY_KEPT(i) 0
#define TALLY_KEPT_VECTOR(i) (uint8)(0)
#endif
#define TALLY_CHOOSE_ONE                                                                           \
    out[i] = (TALLY_FN(step))(pattern[i] - base) < width ? (TALLY_STORAGE)value : TALLY_KEPT(i);
#if TALLY_WIDE
    const uint lead = min(TALLY_TO_CACHE_LINE((size_t)out / TALLY_BYTES),
                          n), middle = TALLY_CACHE_LINE / 2;
    const uint2 pair = as_uint2((ulong)value * TALLY_REPEAT);
    const uint8 values = (uint8)(pair, pair, pair, pair);
    for (; i < lead; i++)
        TALLY_CHOOSE_ONE
    if (stream)
        TALLY_CHOOSE_LINES(__builtin_nontemporal_store)
    else
        TALLY_CHOOSE_LINES(TALLY_STORE_CACHE_LINE)
#endif
    for (; i < n; i++)
        TALLY_CHOOSE_ONE
#undef TALLY_KEPT
#undef TALLY_KEPT_VECTOR
#undef TALLY_CHOOSE_ONE
}

#if TALLY_WIDE
/* The value where the band has it in a vector, of which nothing is kept or something. */
#define TALLY_COVER_VECTOR(i)                                                                      \
    {                                                                                              \
        __global TALLY_FN(v32) *at = (__global TALLY_FN(v32) *)(out + (i));                        \
        const uint8 p = TALLY_MASK_AT(pattern + (i));                                              \
        if (any(p != (uint8)(0)))                                                                  \
            *at = (*at & ~p) | (values & p);                                                       \
    }

/* Fewer elements than a line has: by two vectors, which may have elements in common. */
static void TALLY_FN(cover_few)(__global TALLY_STORAGE *out, uint n,
                                const TALLY_FN(step) *pattern, TALLY_FN(step) base,
                                TALLY_FN(step) width, tally_stored value, uint8 values) {
    const uint vector = TALLY_CACHE_LINE / 2;
    if (n >= vector) {
        TALLY_COVER_VECTOR(0)
        TALLY_COVER_VECTOR(n - vector)
    } else {
        for (uint i = 0; i < n; i++)
            if ((TALLY_FN(step))(pattern[i] - base) < width)
                out[i] = (TALLY_STORAGE)value;
    }
}
#endif

/*
 * The value alone. Lines that the band has a part of are read and written whole: what is kept is
 * nobody else's, and stays as it is.
 */
static void TALLY_FN(cover)(__global TALLY_STORAGE *out, uint n, const TALLY_FN(step) *pattern,
                            TALLY_FN(step) base, TALLY_FN(step) width, tally_stored value,
                            bool stream) {
#if TALLY_WIDE
    const uint lead = min(TALLY_TO_CACHE_LINE((size_t)out / TALLY_BYTES),
                          n), middle = TALLY_CACHE_LINE / 2;
    const uint end = lead + (n - lead) / TALLY_CACHE_LINE * TALLY_CACHE_LINE;
    const uint2 pair = as_uint2((ulong)value * TALLY_REPEAT);
    const uint8 values = (uint8)(pair, pair, pair, pair);
    TALLY_PREFETCH_WRITE(out);
    TALLY_PREFETCH_WRITE(out + n - 1);
    /* Of much memory lines that have a part are on their way before the first of them is needed. */
#define TALLY_EACH_CACHE_LINE(whole, part)                                                         \
    for (uint k = lead; k < end; k += TALLY_CACHE_LINE) {                                          \
        const uint8 p = TALLY_MASK_AT(pattern + k), q = TALLY_MASK_AT(pattern + k + middle);       \
        if (all((p & q) == (uint8)(~0u))) {                                                        \
            whole;                                                                                 \
        } else if (any((p | q) != (uint8)(0))) {                                                   \
            part;                                                                                  \
        }                                                                                          \
    }
    if (stream)
        TALLY_EACH_CACHE_LINE(continue, TALLY_PREFETCH_WRITE(out + k))
    TALLY_FN(cover_few)(out, lead, pattern, base, width, value, values);
    TALLY_EACH_CACHE_LINE(TALLY_FN(fill)(out + k, TALLY_CACHE_LINE, value, stream),
                    TALLY_COVER_VECTOR(k) TALLY_COVER_VECTOR(k + middle))
    TALLY_FN(cover_few)(out + end, n - end, pattern + end, base, width, value, values);
#undef TALLY_EACH_CACHE_LINE
#else
    for (uint i = 0; i < n; i++)
        if ((TALLY_FN(step))(pattern[i] - base) < width)
            out[i] = (TALLY_STORAGE)value;
#endif
}
