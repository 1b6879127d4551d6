/*
 * What the scans for CPUs need besides numbers and states by the vector: results that are staged in
 * private memory and leave it in whole lines, and vectors of rows that become vectors of columns.
 */
#define TALLY_LINE_ELEMENTS (TALLY_LINE / TALLY_BYTES)

/* Vectors at any place, as one load or store where the compiler heeds a type's alignment. */
#if defined(__clang__) && !TALLY_PLAIN
typedef tally_storeds tally_storeds_anywhere __attribute__((aligned(TALLY_BYTES)));
#define TALLY_STAGED(at) (*(const tally_storeds_anywhere *)(at))
#define TALLY_STAGE(x, at) (*(tally_storeds_anywhere *)(at) = (x))
#define TALLY_WRITE(x, at) (*(__global tally_storeds_anywhere *)(at) = (x))
typedef tally_terms tally_terms_anywhere __attribute__((aligned(32 / TALLY_WIDTH)));
#define TALLY_TERMS(at) (*(const tally_terms_anywhere *)(at))
#define TALLY_KEEP(x, at) (*(tally_terms_anywhere *)(at) = (x))
#else
#define TALLY_STAGED(at) TALLY_VLOAD(0, at)
#define TALLY_STAGE(x, at) TALLY_VSTORE(x, 0, at)
#define TALLY_WRITE(x, at) TALLY_VSTORE(x, 0, at)
#define TALLY_TERMS(at) TALLY_VLOAD(0, at)
#define TALLY_KEEP(x, at) TALLY_VSTORE(x, 0, at)
#endif

#define TALLY_IS_LINE(at) ((size_t)(at) % TALLY_LINE == 0)

/* What is staged as an element of the output: the result of a total. */
#define TALLY_RESULTS(total) tally_storeds_of(tally_finish_all(total, ONE, (tally_computes)(ZERO)))

/*
 * Write n results that are staged from there on; to the caches, or past them by the line. Meanwhile
 * as many elements come nearer that are read next, so that memory is not read and written in turns.
 */
static void tally_flush(__global TALLY_STORAGE *to, const tally_stored *from, uint n, bool streams,
                        __global const TALLY_STORAGE *next) {
    __global tally_stored *out = (__global tally_stored *)to;
    const uint skew = (uint)((size_t)out / TALLY_BYTES % TALLY_LINE_ELEMENTS);
    const uint head = min((TALLY_LINE_ELEMENTS - skew) % TALLY_LINE_ELEMENTS, n);
    uint i = 0;
    if (streams) {
        for (; i < head; i++)
            out[i] = from[i];
        for (; i + TALLY_LINE_ELEMENTS <= n; i += TALLY_LINE_ELEMENTS) {
            TALLY_PREFETCH(next + i);
#pragma unroll
            for (uint v = 0; v < TALLY_LINE_ELEMENTS; v += TALLY_WIDTH) {
                const tally_storeds x = TALLY_STAGED(from + i + v);
                TALLY_STREAM(x, out + i + v);
            }
        }
    }
    for (; i + TALLY_WIDTH <= n; i += TALLY_WIDTH)
        TALLY_WRITE(TALLY_STAGED(from + i), out + i);
    for (; i < n; i++)
        out[i] = from[i];
}

/* Of a vector at in the elements from begin to end; nothing else is read. */
TALLY_INLINE tally_computes tally_load_part(__global const TALLY_STORAGE *in, uint begin,
                                            uint end) {
    tally_compute x[TALLY_WIDTH];
    for (uint i = 0; i < TALLY_WIDTH; i++)
        x[i] = i >= begin && i < end ? tally_load(in, i) : ZERO;
    return TALLY_VLOAD(0, x);
}

/* Rows to columns: lane k of vector r becomes lane r of vector k. */
#define TALLY_ZIP_LOW(a, b) (tally_terms)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5)
#define TALLY_ZIP_HIGH(a, b) (tally_terms)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7)
#define TALLY_PAIR_LOW(a, b) (tally_terms)(a.s01, b.s01, a.s45, b.s45)
#define TALLY_PAIR_HIGH(a, b) (tally_terms)(a.s23, b.s23, a.s67, b.s67)
TALLY_INLINE void tally_transpose(tally_terms *t) {
#if TALLY_WIDTH == 8
    const tally_terms a0 = TALLY_ZIP_LOW(t[0], t[1]), a1 = TALLY_ZIP_HIGH(t[0], t[1]);
    const tally_terms a2 = TALLY_ZIP_LOW(t[2], t[3]), a3 = TALLY_ZIP_HIGH(t[2], t[3]);
    const tally_terms a4 = TALLY_ZIP_LOW(t[4], t[5]), a5 = TALLY_ZIP_HIGH(t[4], t[5]);
    const tally_terms a6 = TALLY_ZIP_LOW(t[6], t[7]), a7 = TALLY_ZIP_HIGH(t[6], t[7]);
    const tally_terms b0 = TALLY_PAIR_LOW(a0, a2), b1 = TALLY_PAIR_HIGH(a0, a2);
    const tally_terms b2 = TALLY_PAIR_LOW(a1, a3), b3 = TALLY_PAIR_HIGH(a1, a3);
    const tally_terms b4 = TALLY_PAIR_LOW(a4, a6), b5 = TALLY_PAIR_HIGH(a4, a6);
    const tally_terms b6 = TALLY_PAIR_LOW(a5, a7), b7 = TALLY_PAIR_HIGH(a5, a7);
    t[0] = (tally_terms)(b0.lo, b4.lo);
    t[1] = (tally_terms)(b1.lo, b5.lo);
    t[2] = (tally_terms)(b2.lo, b6.lo);
    t[3] = (tally_terms)(b3.lo, b7.lo);
    t[4] = (tally_terms)(b0.hi, b4.hi);
    t[5] = (tally_terms)(b1.hi, b5.hi);
    t[6] = (tally_terms)(b2.hi, b6.hi);
    t[7] = (tally_terms)(b3.hi, b7.hi);
#else
    const tally_terms a0 = (tally_terms)(t[0].s0, t[1].s0, t[0].s2, t[1].s2);
    const tally_terms a1 = (tally_terms)(t[0].s1, t[1].s1, t[0].s3, t[1].s3);
    const tally_terms a2 = (tally_terms)(t[2].s0, t[3].s0, t[2].s2, t[3].s2);
    const tally_terms a3 = (tally_terms)(t[2].s1, t[3].s1, t[2].s3, t[3].s3);
    t[0] = (tally_terms)(a0.lo, a2.lo);
    t[1] = (tally_terms)(a1.lo, a3.lo);
    t[2] = (tally_terms)(a0.hi, a2.hi);
    t[3] = (tally_terms)(a1.hi, a3.hi);
#endif
}

/* Outputs so large that the caches would keep little of them. */
#define TALLY_STREAMS(a) ((a).rows * (a).terms >= TALLY_STREAM_BYTES / TALLY_BYTES)
