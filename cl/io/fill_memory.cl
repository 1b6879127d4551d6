/*
 * Stretches of memory for fills on CPUs: copied, filled, or put from private memory. Whole lines of
 * the output may go past the caches: a large output would only drive out of them what is still
 * needed, and its lines would be read before they are written. Elements beside whole lines are
 * moved by a vector of each size, not one by one.
 */

/* A diagonal of a pattern, as wide as an element so that vectors of both go together. */
#if TALLY_BYTES == 8
typedef ulong TALLY_FN(step);
#elif TALLY_BYTES == 4
typedef uint TALLY_FN(step);
#else
typedef ushort TALLY_FN(step);
#endif

/*
 * A position in a loop over elements that are apart. As long it cannot wrap around, so that
 * compilers know that the elements are evenly spaced and make shuffles of loads, 2.5 times as fast
 * as gathers of 4-byte elements. Narrower ones, which have no gathers, gained nothing.
 */
#if TALLY_BYTES >= 4
typedef long TALLY_FN(loop_index);
#else
typedef tally_index TALLY_FN(loop_index);
#endif

/* Elements of a cache line, and whether whole ones are moved by vectors. */
#define TALLY_CACHE_LINE (TALLY_CPU_CACHE_LINE / TALLY_BYTES)
/* Elements between what is copied and what comes nearer meanwhile, at most. */
#define TALLY_SOON (4096 / TALLY_BYTES)
#if TALLY_PLAIN || !defined(__clang__) || !defined(__has_builtin)
#define TALLY_WIDE 0
#elif __has_builtin(__builtin_nontemporal_store)
#define TALLY_WIDE 1
#else
#define TALLY_WIDE 0
#endif

#if TALLY_WIDE
/* Vectors at any element. */
typedef uint8 TALLY_FN(v32) __attribute__((aligned(TALLY_BYTES)));
typedef uint4 TALLY_FN(v16) __attribute__((aligned(TALLY_BYTES)));
typedef uint2 TALLY_FN(v8) __attribute__((aligned(TALLY_BYTES)));
#if TALLY_BYTES == 1
typedef uchar4 TALLY_FN(v4) __attribute__((aligned(1)));
typedef uchar2 TALLY_FN(v2) __attribute__((aligned(1)));
#elif TALLY_BYTES == 2
typedef ushort2 TALLY_FN(v4) __attribute__((aligned(2)));
#endif
#if TALLY_BYTES == 1
#define TALLY_EACH_PART(take) take(32, v32) take(16, v16) take(8, v8) take(4, v4) take(2, v2)
#elif TALLY_BYTES == 2
#define TALLY_EACH_PART(take) take(32, v32) take(16, v16) take(8, v8) take(4, v4)
#elif TALLY_BYTES == 4
#define TALLY_EACH_PART(take) take(32, v32) take(16, v16) take(8, v8)
#else
#define TALLY_EACH_PART(take) take(32, v32) take(16, v16)
#endif
#define TALLY_COPY_PART(bytes, type)                                                               \
    if (n & (bytes / TALLY_BYTES)) {                                                               \
        *(__global TALLY_FN(type) *)out = *(TALLY_FROM const TALLY_FN(type) *)in;                  \
        in += bytes / TALLY_BYTES;                                                                 \
        out += bytes / TALLY_BYTES;                                                                \
    }

/*
 * Fewer elements than a line has, and any number of them; near: with each line that goes past the
 * caches, by what the function takes besides.
 */
#define TALLY_MAKE_COPY(few, copy, also, near)                                                     \
    static void TALLY_FN(few)(TALLY_FROM const TALLY_STORAGE *in, __global TALLY_STORAGE *out,     \
                              uint n) {                                                            \
        TALLY_EACH_PART(TALLY_COPY_PART)                                                           \
        if (n & 1)                                                                                 \
            *out = *in;                                                                            \
    }                                                                                              \
    static void TALLY_FN(copy)(TALLY_FROM const TALLY_STORAGE *in, __global TALLY_STORAGE *out,    \
                               tally_index n, bool stream also) {                                  \
        const tally_index lead =                                                                   \
            min((tally_index)((0 - (size_t)out) / TALLY_BYTES % TALLY_CACHE_LINE), n);             \
        const tally_index lines = (n - lead) / TALLY_CACHE_LINE * TALLY_CACHE_LINE;                \
        TALLY_FN(few)(in, out, (uint)lead);                                                        \
        in += lead;                                                                                \
        out += lead;                                                                               \
        if (stream)                                                                                \
            for (tally_index i = 0; i < lines; i += TALLY_CACHE_LINE) {                            \
                near;                                                                              \
                const uint8 x = *(TALLY_FROM const TALLY_FN(v32) *)(in + i);                       \
                const uint8 y = *(TALLY_FROM const TALLY_FN(v32) *)(in + i + TALLY_CACHE_LINE / 2); \
                __builtin_nontemporal_store(x, (__global uint8 *)(out + i));                       \
                __builtin_nontemporal_store(y, (__global uint8 *)(out + i + TALLY_CACHE_LINE / 2)); \
            }                                                                                      \
        else                                                                                       \
            for (tally_index i = 0; i < lines; i += TALLY_CACHE_LINE / 2)                          \
                *(__global uint8 *)(out + i) = *(TALLY_FROM const TALLY_FN(v32) *)(in + i);        \
        TALLY_FN(few)(in + lines, out + lines, (uint)(n - lead - lines));                          \
    }
#else
#define TALLY_MAKE_COPY(few, copy, also, near)                                                     \
    static void TALLY_FN(copy)(TALLY_FROM const TALLY_STORAGE *in, __global TALLY_STORAGE *out,    \
                               tally_index n, bool stream also) {                                  \
        for (tally_index i = 0; i < n; i++)                                                        \
            out[i] = in[i];                                                                        \
    }
#endif
#define TALLY_FROM __private
TALLY_MAKE_COPY(put_few, put, , )
#undef TALLY_FROM
#if TALLY_HAS_INPUT
#define TALLY_FROM __global
#define TALLY_AND_SOON , __global const TALLY_STORAGE *soon
TALLY_MAKE_COPY(copy_few, copy, TALLY_AND_SOON, TALLY_PREFETCH(soon + i))
#undef TALLY_FROM
#endif

#if TALLY_WIDE
/* Fewer elements than a line has, by two vectors that may overlap. */
static void TALLY_FN(fill_few)(__global TALLY_STORAGE *out, uint n, uint8 values) {
    const uint bytes = n * TALLY_BYTES;
    if (bytes == 0)
        return;
#define TALLY_FILL_ENDS(bytes, type, value)                                                        \
    {                                                                                              \
        *(__global TALLY_FN(type) *)out = value;                                                   \
        *(__global TALLY_FN(type) *)(out + n - (bytes) / TALLY_BYTES) = value;                     \
    }
    if (bytes >= 32)
        TALLY_FILL_ENDS(32, v32, values)
    else if (bytes >= 16)
        TALLY_FILL_ENDS(16, v16, values.lo)
    else if (bytes >= 8)
        TALLY_FILL_ENDS(8, v8, values.lo.lo)
#if TALLY_BYTES == 1
    else if (bytes >= 4)
        TALLY_FILL_ENDS(4, v4, as_uchar4(values.s0))
    else
        for (uint i = 0; i < n; i++)
            out[i] = (uchar)values.s0;
#elif TALLY_BYTES == 2
    else if (bytes >= 4)
        TALLY_FILL_ENDS(4, v4, as_ushort2(values.s0))
    else
        *out = (ushort)values.s0;
#elif TALLY_BYTES == 4
    else
        *out = values.s0;
#endif
#undef TALLY_FILL_ENDS
}
#endif

static void TALLY_FN(fill)(__global TALLY_STORAGE *out, tally_index n, tally_stored value,
                           bool stream) {
#if TALLY_WIDE
    const uint2 pair = as_uint2((ulong)value * TALLY_REPEAT);
    const uint8 values = (uint8)(pair, pair, pair, pair);
    if (n < TALLY_CACHE_LINE) {
        TALLY_FN(fill_few)(out, (uint)n, values);
        return;
    }
    const uint lead = (uint)((0 - (size_t)out) / TALLY_BYTES % TALLY_CACHE_LINE);
    const tally_index lines = (n - lead) / TALLY_CACHE_LINE * TALLY_CACHE_LINE;
    TALLY_FN(fill_few)(out, lead, values);
    out += lead;
    if (stream)
        for (tally_index i = 0; i < lines; i += TALLY_CACHE_LINE) {
            if (i % TALLY_SOON == 0 && lines >= TALLY_SOON / 2) /* look up the page after it */
                TALLY_PREFETCH_WRITE(out + i + TALLY_SOON + TALLY_SOON / 2);
            __builtin_nontemporal_store(values, (__global uint8 *)(out + i));
            __builtin_nontemporal_store(values, (__global uint8 *)(out + i + TALLY_CACHE_LINE / 2));
        }
    else
        for (tally_index i = 0; i < lines; i += TALLY_CACHE_LINE / 2)
            *(__global uint8 *)(out + i) = values;
    TALLY_FN(fill_few)(out + lines, (uint)(n - lead - lines), values);
#else
    for (tally_index i = 0; i < n; i++)
        out[i] = (TALLY_STORAGE)value;
#endif
}

#if TALLY_WIDE
/* Half a line of a pattern as a mask. */
#if TALLY_BYTES == 8
#define TALLY_MASK_AT(t) as_uint8((as_ulong4(TALLY_PATTERN_AT(t)) - (ulong4)base) < (ulong4)width)
#elif TALLY_BYTES == 4
#define TALLY_MASK_AT(t) as_uint8((TALLY_PATTERN_AT(t) - (uint8)base) < (uint8)width)
#elif TALLY_BYTES == 2
#define TALLY_MASK_AT(t)                                                                           \
    as_uint8((as_ushort16(TALLY_PATTERN_AT(t)) - (ushort16)base) < (ushort16)width)
#else
#define TALLY_MASK_OF(t)                                                                           \
    as_uint4(convert_char16((as_ushort16(TALLY_PATTERN_AT(t)) - (ushort16)base) < (ushort16)width))
#define TALLY_MASK_AT(t) (uint8)(TALLY_MASK_OF(t), TALLY_MASK_OF((t) + 16))
#endif
typedef uint8 TALLY_FN(steps) __attribute__((aligned(sizeof(TALLY_FN(step)))));
#define TALLY_PATTERN_AT(t) (*(const TALLY_FN(steps) *)(t))
#endif

/* Private memory gets the value where the pattern has one of width diagonals from base on. */
static void TALLY_FN(mark)(TALLY_STORAGE *row, uint n, const TALLY_FN(step) *pattern,
                           TALLY_FN(step) base, TALLY_FN(step) width, tally_stored value) {
    uint i = 0;
#if TALLY_WIDE
    const uint2 pair = as_uint2((ulong)value * TALLY_REPEAT);
    const uint8 values = (uint8)(pair, pair, pair, pair);
    while (n >= TALLY_CACHE_LINE / 2 && i < n) {
        const uint at = min(i, n - TALLY_CACHE_LINE / 2);
        const uint8 mask = TALLY_MASK_AT(pattern + at);
        const uint8 kept = *(const TALLY_FN(v32) *)(row + at);
        *(TALLY_FN(v32) *)(row + at) = (kept & ~mask) | (values & mask);
        i += TALLY_CACHE_LINE / 2;
    }
#endif
    for (; i < n; i++)
        row[i] = (TALLY_FN(step))(pattern[i] - base) < width ? (TALLY_STORAGE)value : row[i];
}
