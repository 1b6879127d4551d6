/*
 * A walk along a line on a CPU: a contiguous row, TALLY_MERGED columns so few that they lie as one,
 * or, if TALLY_IS_STRIDED, a row whose elements lie apart in the input or the output. It goes by
 * batches, a vector of runs of all columns. Descending, batches and the vectors in them are visited
 * from the other end. Positions in a line count elements from the first to visit on.
 */
#define TALLY_SOON (4096 / TALLY_BYTES) /* elements to what comes nearer meanwhile */

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

/* A batch, as it is read, from the i-th element of a line on. */
TALLY_INLINE void TALLY_FN(read_line)(const TALLY_FN(line) *line, tally_index i, uint count,
                                      const bool back, tally_terms *x) {
    __global const TALLY_STORAGE *in =
        back ? line->in - (i + (TALLY_BATCH - TALLY_MERGED)) * line->step_in
             : line->in + i * line->step_in;
    TALLY_FN(read)(in, line->step_in, count, in >= line->low && in + TALLY_BATCH <= line->high,
                   back, x);
}

/*
 * A batch of whole lines. Backwards, what comes nearer is asked for from its upper end on, as
 * processors foresee streams that go one way only.
 */
TALLY_INLINE void TALLY_FN(put_lines)(__global tally_stored *out, const tally_stored *from,
                                      const bool back, bool streams,
                                      __global const TALLY_STORAGE *soon) {
    const uint n = TALLY_BATCH, last = n - TALLY_CACHE_LINE_ELEMENTS;
    uint i = 0;
    TALLY_PUT_CACHE_LINES(streams, TALLY_PREFETCH(soon + (back ? last - i : i)))
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
            TALLY_FN(put_lines)(to + whole, stage + whole, back, line->streams, soon);
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
