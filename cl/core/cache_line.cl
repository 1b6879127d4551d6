/*
 * Cache lines of CPUs: bringing them nearer before they are read, and storing them whole. Knows of
 * elements only how long they are.
 */

/* Bytes of a cache line. */
#define TALLY_CACHE_LINE TALLY_CPU_CACHE_LINE

/*
 * Bring nearer what is read soon after count elements by who reads on from one end of memory to the
 * other: processors foresee too little of that by themselves.
 */
#define TALLY_AHEAD_BYTES 4096
TALLY_INLINE void tally_foresee(__global const TALLY_STORAGE *in, const uint count) {
    for (uint i = 0; i < count; i += TALLY_CACHE_LINE / TALLY_BYTES)
        TALLY_PREFETCH(in + TALLY_AHEAD_BYTES / TALLY_BYTES + i);
}

/* Elements of a cache line. */
#define TALLY_CACHE_LINE_ELEMENTS (TALLY_CACHE_LINE / TALLY_BYTES)

/*
 * Half a cache line, to the caches or past them: there stores of less would wait for one
 * another (docs/performance-notes.md, fills on CPUs). Clang takes the store's alignment from the
 * type of the value: of one that was loaded from anywhere it would store by 8 bytes.
 */
#if TALLY_PLAIN || !defined(__clang__) || !defined(__has_builtin)
#define TALLY_HALVES_GO 0
#elif __has_builtin(__builtin_nontemporal_store)
#define TALLY_HALVES_GO 1
#else
#define TALLY_HALVES_GO 0
#endif
#define TALLY_HALF_VECTORS (TALLY_CACHE_LINE / 2 / (TALLY_WIDTH * TALLY_BYTES))
#if TALLY_BYTES >= 4
#define TALLY_HALF_OF(x) as_uint8((x)[0])
#elif TALLY_BYTES == 2
#define TALLY_HALF_OF(x) as_uint8((ushort16)((x)[0], (x)[1]))
#else
#define TALLY_HALF_OF(x)                                                                           \
    as_uint8((ulong4)(as_ulong((x)[0]), as_ulong((x)[1]), as_ulong((x)[2]), as_ulong((x)[3])))
#endif

#if TALLY_HALVES_GO
/*
 * Not of its alignment: of stores that are alike but for the caches compilers make ordinary ones.
 */
typedef uint8 tally_half_anywhere __attribute__((aligned(TALLY_BYTES)));
#define TALLY_WRITE_HALF(x, at) (*(__global tally_half_anywhere *)(at) = (x))
#define TALLY_STREAM_HALF(x, at) __builtin_nontemporal_store(x, (__global uint8 *)(at))
#else
#define TALLY_WRITE_HALF(x, at) vstore8(x, 0, (__global uint *)(at))
#define TALLY_STREAM_HALF(x, at) TALLY_WRITE_HALF(x, at)
#endif

/* A whole line of vectors. */
TALLY_INLINE void tally_put_cache_line(const tally_storeds *x, __global tally_stored *out,
                                 bool streams) {
    const uint8 low = TALLY_HALF_OF(x), high = TALLY_HALF_OF(x + TALLY_HALF_VECTORS);
    if (streams) {
        TALLY_STREAM_HALF(low, out);
        TALLY_STREAM_HALF(high, out + TALLY_CACHE_LINE_ELEMENTS / 2);
    } else {
        TALLY_WRITE_HALF(low, out);
        TALLY_WRITE_HALF(high, out + TALLY_CACHE_LINE_ELEMENTS / 2);
    }
}
