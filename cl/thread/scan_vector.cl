/*
 * What the scans for CPUs need besides numbers and states by the vector: results that are staged in
 * private memory and leave it in whole lines, and vectors of rows that become vectors of columns.
 */

/* Vectors at any position, as one load or store where the compiler heeds a type's alignment. */
#if defined(__clang__) && !TALLY_PLAIN
typedef tally_terms tally_terms_anywhere __attribute__((aligned(32 / TALLY_WIDTH)));
#define TALLY_TERMS(at) (*(const tally_terms_anywhere *)(at))
#define TALLY_KEEP(x, at) (*(tally_terms_anywhere *)(at) = (x))
#else
#define TALLY_TERMS(at) TALLY_VLOAD(0, at)
#define TALLY_KEEP(x, at) TALLY_VSTORE(x, 0, at)
#endif

#define TALLY_IS_CACHE_LINE(at) ((size_t)(at) % TALLY_CACHE_LINE == 0)

/* What is staged as an element of the output: the result of a total. */
#define TALLY_RESULTS(total) tally_storeds_of(tally_finalize_all(total, ONE, (tally_computes)(ZERO)))

/* Elements of a cache line that is written in part: no other one is touched. */
TALLY_INLINE void tally_put_part(__global tally_stored *out, const tally_stored *from, uint n) {
    if (n < TALLY_WIDTH) {
        for (uint i = 0; i < n; i++)
            out[i] = from[i];
        return;
    }
    for (uint i = 0; i < n - TALLY_WIDTH; i += TALLY_WIDTH)
        TALLY_WRITE(TALLY_STAGED(from + i), out + i);
    TALLY_WRITE(TALLY_STAGED(from + (n - TALLY_WIDTH)), out + (n - TALLY_WIDTH));
}

/*
 * A line that is staged: by the vector, as it was stored, since stores may still be on their way.
 */
TALLY_INLINE void tally_put_staged(const tally_stored *from, __global tally_stored *out,
                                   const bool streams) {
    tally_storeds x[TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH];
#pragma unroll
    for (uint v = 0; v < TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH; v++)
        x[v] = TALLY_STAGED(from + v * TALLY_WIDTH);
    tally_put_cache_line(x, out, streams);
}

#define TALLY_PUT_CACHE_LINES_BY(streams, near)                                                    \
    for (; i + TALLY_CACHE_LINE_ELEMENTS <= n; i += TALLY_CACHE_LINE_ELEMENTS) {                   \
        near;                                                                                      \
        tally_put_staged(from + i, out + i, streams);                                              \
    }

/* A loop of its own for each kind of store: of both in one, compilers make an ordinary store. */
#define TALLY_PUT_CACHE_LINES(streams, near)                                                       \
    if (streams) {                                                                                 \
        TALLY_PUT_CACHE_LINES_BY(true, near)                                                       \
    } else {                                                                                       \
        TALLY_PUT_CACHE_LINES_BY(false, near)                                                      \
    }

/*
 * A function that writes n results that are staged from there on; to the caches, or past them by
 * the line. Meanwhile near brings what is read next, so that memory is not read and written in
 * turns.
 */
#define TALLY_MAKE_PUT(name, soon_type, near)                                                      \
    static void name(__global void *to, const tally_stored *from, uint n, bool streams,            \
                     soon_type soon) {                                                             \
        __global tally_stored *out = (__global tally_stored *)to;                                  \
        const uint skew = (uint)((size_t)out / TALLY_BYTES % TALLY_CACHE_LINE_ELEMENTS);           \
        const uint head = min((TALLY_CACHE_LINE_ELEMENTS - skew) % TALLY_CACHE_LINE_ELEMENTS, n);  \
        uint i = head;                                                                             \
        if (head > 0)                                                                              \
            tally_put_part(out, from, head);                                                       \
        TALLY_PUT_CACHE_LINES(streams, near)                                                       \
        if (i < n) {                                                                               \
            near;                                                                                  \
            tally_put_part(out + i, from + i, n - i);                                              \
        }                                                                                          \
    }

/* As many elements come nearer from soon on. */
TALLY_MAKE_PUT(tally_flush, __global const TALLY_STORAGE *, TALLY_PREFETCH(soon + i))

/* Of a vector at in the elements from begin to end; nothing else is read. */
TALLY_INLINE tally_computes tally_load_part(__global const TALLY_STORAGE *in, uint begin,
                                            uint end) {
    tally_compute x[TALLY_WIDTH];
    for (uint i = 0; i < TALLY_WIDTH; i++)
        x[i] = i >= begin && i < end ? tally_load(in, i) : ZERO;
    return TALLY_VLOAD(0, x);
}

/* Rows to columns: lane k of vector r becomes lane r of vector k. */
TALLY_INLINE void tally_transpose(tally_terms *t) {
    TALLY_TRANSPOSE(tally_terms, t)
}

/* Outputs so large that the caches would keep little of them. */
#define TALLY_STREAMS(a) ((a).rows * (a).terms >= TALLY_STREAM_BYTES / TALLY_BYTES)
