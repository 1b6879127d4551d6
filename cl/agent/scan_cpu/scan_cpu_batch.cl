/*
 * A batch of a line on a CPU (scan_cpu_line.cl): a vector of runs of all columns, how it is read and
 * scanned, and what is complete at each level before it. Knows nothing of what comes before or
 * after it in memory.
 */
#define TALLY_BATCH (TALLY_RUN * TALLY_WIDTH)
#define TALLY_RUNS (TALLY_WIDTH / TALLY_MERGED) /* of a column in a batch; its terms in a vector */
#define TALLY_PARTS_OF_LINE (TALLY_RUN / TALLY_RUNS)   /* vectors of a run in memory */

/* What a level comes to: of several columns a vector, theirs over and over. */
#if TALLY_MERGED == 1
typedef tally_term TALLY_FN(level);
#define TALLY_COMBINE_LEVELS(a, b) tally_combine_terms(a, b)
#else
typedef tally_terms TALLY_FN(level);
#define TALLY_COMBINE_LEVELS(a, b) tally_combine_all_terms(a, b)
#endif
#define TALLY_NO_LEVEL ((TALLY_FN(level))(TALLY_IDENTITY))

/* What is complete at each level before the terms of a batch. */
typedef struct {
    TALLY_FN(level) stretches, tiles, spans, runs;
} TALLY_FN(levels);

/* Of all columns as many terms of the scratch. */
TALLY_INLINE void TALLY_FN(publish)(TALLY_FN(level) total, __global tally_term *to) {
#if TALLY_MERGED == 1
    *to = total;
#else
    tally_term each[TALLY_WIDTH];
    TALLY_VSTORE(total, 0, each);
    for (uint c = 0; c < TALLY_MERGED; c++)
        to[c] = each[c];
#endif
}

/* After a tile, the last of its stretch or not. */
TALLY_INLINE void TALLY_FN(pass_tile)(TALLY_FN(levels) *before, TALLY_FN(level) tile,
                                      bool is_last) {
    before->tiles = TALLY_COMBINE_LEVELS(before->tiles, tile);
    if (!is_last)
        return;
    before->stretches = TALLY_COMBINE_LEVELS(before->stretches, before->tiles);
    before->tiles = TALLY_NO_LEVEL;
}

/* After the terms before the i-th. */
static void TALLY_FN(pass)(TALLY_FN(levels) *before, tally_index i, __global tally_term *tiles) {
    if (i % TALLY_SPAN != 0)
        return;
    before->spans = TALLY_COMBINE_LEVELS(before->spans, before->runs);
    before->runs = TALLY_NO_LEVEL;
    if (i % TALLY_TILE != 0)
        return;
    if (tiles != 0)
        TALLY_FN(publish)(before->spans, tiles + (i / TALLY_TILE - 1) * TALLY_MERGED);
    TALLY_FN(pass_tile)(before, before->spans, i % TALLY_STRETCH == 0);
    before->spans = TALLY_NO_LEVEL;
}

/* Rows to columns of TALLY_RUNS vectors, in which the terms of all columns go as one. */
TALLY_INLINE void TALLY_FN(transpose)(tally_terms *t) {
#if TALLY_RUNS == TALLY_WIDTH
    tally_transpose(t);
#elif TALLY_RUNS == 4
    const tally_terms a0 = TALLY_PAIR_LOW(tally_terms, t[0], t[1]);
    const tally_terms a1 = TALLY_PAIR_HIGH(tally_terms, t[0], t[1]);
    const tally_terms a2 = TALLY_PAIR_LOW(tally_terms, t[2], t[3]);
    const tally_terms a3 = TALLY_PAIR_HIGH(tally_terms, t[2], t[3]);
    t[0] = (tally_terms)(a0.lo, a2.lo);
    t[1] = (tally_terms)(a1.lo, a3.lo);
    t[2] = (tally_terms)(a0.hi, a2.hi);
    t[3] = (tally_terms)(a1.hi, a3.hi);
#elif TALLY_RUNS == 2
    const tally_terms low = (tally_terms)(t[0].lo, t[1].lo);
    t[1] = (tally_terms)(t[0].hi, t[1].hi);
    t[0] = low;
#endif
}

/* The totals of each run of a batch. */
TALLY_INLINE void TALLY_FN(split)(tally_terms totals, TALLY_FN(level) *each) {
#if TALLY_MERGED == 1
    TALLY_VSTORE(totals, 0, each);
#elif TALLY_RUNS == 4
    each[0] = (tally_terms)(totals.s01, totals.s01, totals.s01, totals.s01);
    each[1] = (tally_terms)(totals.s23, totals.s23, totals.s23, totals.s23);
    each[2] = (tally_terms)(totals.s45, totals.s45, totals.s45, totals.s45);
    each[3] = (tally_terms)(totals.s67, totals.s67, totals.s67, totals.s67);
#elif TALLY_RUNS == 2
    each[0] = (tally_terms)(totals.lo, totals.lo);
    each[1] = (tally_terms)(totals.hi, totals.hi);
#else
    each[0] = totals;
#endif
}

#if TALLY_IS_STRIDED
/* A vector of a batch that lies apart: of n elements of a batch those from begin to end. */
TALLY_INLINE tally_computes TALLY_FN(load_strided)(__global const TALLY_STORAGE *in,
                                                   tally_index step, uint at, uint begin,
                                                   uint end) {
    if (at >= begin && at + TALLY_WIDTH <= end)
        return tally_load_strided(in + at * step, step);
    tally_compute x[TALLY_WIDTH];
    for (uint k = 0; k < TALLY_WIDTH; k++)
        x[k] = at + k >= begin && at + k < end ? tally_load(in, (at + k) * step) : ZERO;
    return TALLY_VLOAD(0, x);
}
#endif

/*
 * A batch's position in memory holds TALLY_RUN vectors from in on, of which the first count
 * elements are there, or the last if it is walked backwards; whole: all of it may be read.
 */
TALLY_INLINE void TALLY_FN(read)(__global const TALLY_STORAGE *in, tally_index step, uint count,
                                 bool whole, bool back, tally_terms *x) {
    const uint mirror = back ? TALLY_RUN - 1 : 0, flip = back ? TALLY_RUNS - 1 : 0;
    tally_computes row[TALLY_RUN];
#if TALLY_IS_STRIDED
    const uint first = back ? TALLY_BATCH - count : 0;
#pragma unroll 1
    for (uint v = 0; v < TALLY_RUN; v++)
        row[v] = TALLY_FN(load_strided)(in, step, v * TALLY_WIDTH, first, first + count);
#else
    if (whole) {
#pragma unroll
        for (uint v = 0; v < TALLY_RUN; v++) /* backwards from the upper end on */
            row[v ^ mirror] = tally_load_all(in + (v ^ mirror) * TALLY_WIDTH);
    } else {
        const uint begin = back ? TALLY_BATCH - count : 0, end = begin + count;
#pragma unroll 1
        for (uint v = 0; v < TALLY_RUN; v++) {
            const uint at = v * TALLY_WIDTH;
            row[v] = (tally_computes)(ZERO);
            if (at >= begin && at + TALLY_WIDTH <= end)
                row[v] = tally_load_all(in + at);
            else if (at < end && at + TALLY_WIDTH > begin)
                row[v] = tally_load_part(in + at, begin > at ? begin - at : 0, end - at);
        }
    }
#endif
#pragma unroll
    for (uint part = 0; part < TALLY_PARTS_OF_LINE; part++) {
        tally_terms t[TALLY_RUNS];
#pragma unroll
        for (uint r = 0; r < TALLY_RUNS; r++)
            t[r] = tally_map_all(row[(r * TALLY_PARTS_OF_LINE + part) ^ mirror]);
        TALLY_FN(transpose)(t);
#pragma unroll
        for (uint k = 0; k < TALLY_RUNS; k++)
            x[part * TALLY_RUNS + (k ^ flip)] = t[k];
    }
}

/* Scan a batch and stage its results, a position for each that it has in memory. */
TALLY_INLINE void TALLY_FN(scan)(tally_terms *x, const bool back, TALLY_FN(levels) *before,
                                 tally_stored *stage) {
    const uint mirror = back ? TALLY_RUN - 1 : 0, flip = back ? TALLY_RUNS - 1 : 0;
    TALLY_FN(level) total[TALLY_RUNS], runs[TALLY_RUNS];
    TALLY_FN(split)(TALLY_FN(fold_runs)(x), total);
#pragma unroll
    for (uint r = 0; r < TALLY_RUNS; r++) {
        runs[r] = before->runs;
        before->runs = TALLY_COMBINE_LEVELS(before->runs, total[r]);
    }
#if TALLY_EXACT
    const TALLY_FN(level) outer = TALLY_COMBINE_LEVELS(
        before->stretches, TALLY_COMBINE_LEVELS(before->tiles, before->spans));
#endif
#pragma unroll
    for (uint part = 0; part < TALLY_PARTS_OF_LINE; part++) {
        tally_terms t[TALLY_RUNS];
#pragma unroll
        for (uint k = 0; k < TALLY_RUNS; k++)
            t[k] = x[part * TALLY_RUNS + (k ^ flip)];
        TALLY_FN(transpose)(t);
#pragma unroll
        for (uint r = 0; r < TALLY_RUNS; r++) {
#if TALLY_EXACT
            const tally_terms sum =
                tally_combine_all_terms((tally_terms)(TALLY_COMBINE_LEVELS(outer, runs[r])), t[r]);
#else
            tally_terms sum = tally_combine_all_terms((tally_terms)(runs[r]), t[r]);
            sum = tally_combine_all_terms((tally_terms)(before->spans), sum);
            sum = tally_combine_all_terms((tally_terms)(before->tiles), sum);
            sum = tally_combine_all_terms((tally_terms)(before->stretches), sum);
#endif
            TALLY_STAGE(TALLY_RESULTS(sum),
                        stage + ((r * TALLY_PARTS_OF_LINE + part) ^ mirror) * TALLY_WIDTH);
        }
    }
}
