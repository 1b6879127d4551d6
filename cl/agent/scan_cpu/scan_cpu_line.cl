/*
 * A walk along a line on a CPU: a contiguous row, TALLY_MERGED columns so few that they lie as one,
 * or, if TALLY_IS_STRIDED, a row whose elements lie apart in the input or the output. It goes by
 * batches, a vector of runs of all columns. Descending, batches and the vectors in them are visited
 * from the other end. Positions in a line count elements from the first to visit on.
 */
#define TALLY_BATCH (TALLY_RUN * TALLY_WIDTH)
#define TALLY_SOON (4096 / TALLY_BYTES) /* elements to what comes nearer meanwhile */
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

/* A line from its first term to visit on, walked backwards if back. */
typedef struct {
    __global const TALLY_STORAGE *in;
    __global TALLY_STORAGE *out;
    __global const TALLY_STORAGE *next; /* where a line behind this one begins: a hint */
    __global const TALLY_STORAGE *low, *high; /* what is between may be read */
    tally_index step_in, step_out; /* 1 unless elements lie apart */
    __global tally_term *tiles; /* where each tile's total is told, or 0 */
    bool back, streams;
} TALLY_FN(line);

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
        for (uint v = 0; v < TALLY_RUN; v++)
            row[v] = tally_load_all(in + v * TALLY_WIDTH);
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

/* The same from the i-th element of a line on. */
TALLY_INLINE void TALLY_FN(read_line)(const TALLY_FN(line) *line, tally_index i, uint count,
                                      const bool back, tally_terms *x) {
    __global const TALLY_STORAGE *in =
        back ? line->in - (i + (TALLY_BATCH - TALLY_MERGED)) * line->step_in
             : line->in + i * line->step_in;
    TALLY_FN(read)(in, line->step_in, count, in >= line->low && in + TALLY_BATCH <= line->high,
                   back, x);
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

/* A batch of whole lines. */
TALLY_INLINE void TALLY_FN(put_lines)(__global tally_stored *out, const tally_stored *from,
                                      bool streams, __global const TALLY_STORAGE *soon) {
    const uint n = TALLY_BATCH;
    uint i = 0;
    TALLY_PUT_CACHE_LINES(streams, TALLY_PREFETCH(soon + i))
}

/* What comes nearer with the elements of a batch at i: those that are visited a little later. */
TALLY_INLINE __global const TALLY_STORAGE *TALLY_FN(soon)(const TALLY_FN(line) *line, tally_index i,
                                                          tally_index end) {
    const tally_index ahead = i + TALLY_SOON;
    const bool stays = ahead < end;
    const tally_index at = stays ? ahead : end < TALLY_SOON ? i : ahead - end;
    __global const TALLY_STORAGE *from = stays ? line->in : line->next;
    return line->back ? from - at * line->step_in : from + at * line->step_in;
}

/* Results to where they lie apart. */
TALLY_INLINE void TALLY_FN(spread)(__global tally_stored *out, const tally_stored *from, uint n,
                                   tally_index step) {
    for (uint i = 0; i < n; i++)
        out[i * step] = from[i];
}

/*
 * Scan the elements from begin, where a batch does, to end. Results are staged as cache lines have
 * them, and leave by whole lines after each batch, so that memory never waits. What a batch has of
 * a line of which the next one has the rest stays, and is moved to where that one meets it.
 */
TALLY_INLINE void TALLY_FN(walk_to)(const TALLY_FN(line) *line, tally_index begin, tally_index end,
                                    const bool back, TALLY_FN(levels) *before) {
    tally_stored stage[TALLY_BATCH + TALLY_CACHE_LINE_ELEMENTS];
    const uint start =
        back ? TALLY_BATCH - TALLY_MERGED : 0; /* of a batch, the term to visit first */
    const tally_index step = line->step_out;
    const bool spreads = TALLY_IS_STRIDED && step != 1;
    __global tally_stored *out =
        (__global tally_stored *)(back ? line->out - begin * step : line->out + begin * step) -
        start * step;
    const uint skew =
        spreads ? 0 : (uint)((size_t)out / TALLY_BYTES % TALLY_CACHE_LINE_ELEMENTS);
    const uint whole =
        back && skew > 0 ? TALLY_CACHE_LINE_ELEMENTS : 0; /* where whole lines begin */
    const uint kept = back ? 0 : TALLY_BATCH,
               moved = back ? TALLY_BATCH : 0; /* the line that stays */
    for (tally_index i = begin; i < end; i += TALLY_BATCH) {
        const uint n = (uint)min((tally_index)TALLY_BATCH, end - i);
        tally_terms x[TALLY_RUN];
        TALLY_FN(read_line)(line, i, n, back, x);
        TALLY_FN(scan)(x, back, before, stage + skew);
        TALLY_FN(pass)(before, (i + TALLY_BATCH) / TALLY_MERGED, line->tiles);
        if (TALLY_BEGINS && i == 0)
            for (uint c = 0; c < TALLY_MERGED; c++)
                stage[skew + start + c] = tally_stored_of(TALLY_EMPTY);
        const bool first = i == begin, last = i + n == end;
        __global tally_stored *to =
            (back ? out - (i - begin) * step : out + (i - begin) * step) - skew;
        __global const TALLY_STORAGE *soon =
            TALLY_FN(soon)(line, i, end) - (back ? n - TALLY_MERGED : 0);
        if (spreads) {
            const uint own = back ? TALLY_BATCH - n : 0;
            TALLY_FN(spread)(to + own * step, stage + own, n, step);
        } else if (first || last) {
            const uint own = skew + (back ? TALLY_BATCH - n : 0); /* where the batch's begin */
            const uint low = (back ? last : first) ? own : whole;
            const uint high = (back ? first : last) ? own + n : whole + TALLY_BATCH;
            tally_flush(to + low, stage + low, high - low, line->streams, soon);
        } else {
            TALLY_FN(put_lines)(to + whole, stage + whole, line->streams, soon);
        }
        if (skew > 0)
#pragma unroll
            for (uint k = 0; k < TALLY_CACHE_LINE_ELEMENTS; k += TALLY_WIDTH)
                TALLY_STAGE(TALLY_STAGED(stage + kept + k), stage + moved + k);
    }
}

static void TALLY_FN(walk)(const TALLY_FN(line) *line, tally_index begin, tally_index end,
                           TALLY_FN(levels) *before) {
    if (line->back)
        TALLY_FN(walk_to)(line, begin, end, true, before);
    else
        TALLY_FN(walk_to)(line, begin, end, false, before);
}

/* Which row of columns that is, before which no term has been visited. */
#define TALLY_LINE_OF(a, row, told)                                                                \
    {in + TALLY_START_IN(a, (row) * TALLY_MERGED), out + TALLY_START_OUT(a, (row) * TALLY_MERGED), \
     in + TALLY_START_IN(a, min(((row) + TALLY_LINES_AHEAD(a)) * TALLY_MERGED,                     \
                                (tally_index)(a).rows - 1)),                                       \
     in, in + TALLY_REACH(a), TALLY_STEP((a).axis_in), TALLY_STEP((a).axis_out), told,             \
     TALLY_IS_STRIDED ? ((a).axis_in >> 63) != 0 : (a).axis_in != TALLY_MERGED, TALLY_STREAMS(a)}
#define TALLY_STEP(axis) (TALLY_IS_STRIDED ? TALLY_FN(size_of)(axis) : 1)
#define TALLY_LINES_AHEAD(a) (1 + TALLY_SOON / ((tally_index)(a).terms * TALLY_MERGED))
#define TALLY_NO_LEVELS {TALLY_NO_LEVEL, TALLY_NO_LEVEL, TALLY_NO_LEVEL, TALLY_NO_LEVEL}
