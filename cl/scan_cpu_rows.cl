/*
 * A scan along contiguous rows on a CPU: a work-item walks a row, a vector of runs at a time, which
 * is a batch. Descending, batches and the vectors in them are visited from the other end. A unit is
 * a row; a work-item takes a.slices of them in one go.
 */
#define TALLY_BATCH (TALLY_RUN * TALLY_WIDTH)
#define TALLY_CHUNK 1024

/* What is finished at each level before the terms of a batch. */
typedef struct {
    tally_term stretches, tiles, spans, runs;
} TALLY_FN(levels);

/* After the terms before the i-th. */
static void TALLY_FN(pass)(TALLY_FN(levels) *before, tally_index i) {
    if (i % TALLY_SPAN != 0)
        return;
    before->spans = tally_join_terms(before->spans, before->runs);
    before->runs = TALLY_NEUTRAL;
    if (i % TALLY_TILE != 0)
        return;
    before->tiles = tally_join_terms(before->tiles, before->spans);
    before->spans = TALLY_NEUTRAL;
    if (i % TALLY_STRETCH != 0)
        return;
    before->stretches = tally_join_terms(before->stretches, before->tiles);
    before->tiles = TALLY_NEUTRAL;
}

/*
 * A batch's place in memory holds TALLY_RUN vectors from in on, of which the first count elements
 * are there, or the last if it is walked backwards.
 */
TALLY_INLINE void TALLY_FN(read)(__global const TALLY_STORAGE *in, uint count, bool back,
                                 tally_terms *x) {
    const uint mirror = back ? TALLY_RUN - 1 : 0, flip = back ? TALLY_WIDTH - 1 : 0;
    tally_computes row[TALLY_RUN];
    if (count == TALLY_BATCH) {
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
#pragma unroll
    for (uint part = 0; part < TALLY_PARTS_OF_RUN; part++) {
        tally_terms t[TALLY_WIDTH];
#pragma unroll
        for (uint r = 0; r < TALLY_WIDTH; r++)
            t[r] = tally_map_all(row[(r * TALLY_PARTS_OF_RUN + part) ^ mirror]);
        tally_transpose(t);
#pragma unroll
        for (uint k = 0; k < TALLY_WIDTH; k++)
            x[part * TALLY_WIDTH + (k ^ flip)] = t[k];
    }
}

/* Scan a batch and stage its results, a place for each that it has in memory. */
TALLY_INLINE void TALLY_FN(scan)(__global const TALLY_STORAGE *in, uint count, bool back,
                                 TALLY_FN(levels) *before, tally_stored *stage) {
    const uint mirror = back ? TALLY_RUN - 1 : 0, flip = back ? TALLY_WIDTH - 1 : 0;
    tally_terms x[TALLY_RUN];
    tally_term total[TALLY_WIDTH], runs[TALLY_WIDTH];
    TALLY_FN(read)(in, count, back, x);
    TALLY_VSTORE(TALLY_FN(fold_runs)(x), 0, total);
#pragma unroll
    for (uint r = 0; r < TALLY_WIDTH; r++) {
        runs[r] = before->runs;
        before->runs = tally_join_terms(before->runs, total[r]);
    }
#if TALLY_EXACT
    const tally_term outer = tally_join_terms(before->stretches,
                                              tally_join_terms(before->tiles, before->spans));
#endif
#pragma unroll
    for (uint part = 0; part < TALLY_PARTS_OF_RUN; part++) {
        tally_terms t[TALLY_WIDTH];
#pragma unroll
        for (uint k = 0; k < TALLY_WIDTH; k++)
            t[k] = x[part * TALLY_WIDTH + (k ^ flip)];
        tally_transpose(t);
#pragma unroll
        for (uint r = 0; r < TALLY_WIDTH; r++) {
#if TALLY_EXACT
            const tally_terms sum = tally_join_all_terms(
                (tally_terms)(tally_join_terms(outer, runs[r])), t[r]);
#else
            tally_terms sum = tally_join_all_terms((tally_terms)(runs[r]), t[r]);
            sum = tally_join_all_terms((tally_terms)(before->spans), sum);
            sum = tally_join_all_terms((tally_terms)(before->tiles), sum);
            sum = tally_join_all_terms((tally_terms)(before->stretches), sum);
#endif
            TALLY_STAGE(TALLY_RESULTS(sum),
                        stage + ((r * TALLY_PARTS_OF_RUN + part) ^ mirror) * TALLY_WIDTH);
        }
    }
}

/* Scan the terms from begin to end of a row, whose first one to visit is at in. */
TALLY_INLINE void TALLY_FN(walk)(__global const TALLY_STORAGE *in, tally_index from,
                                 __global TALLY_STORAGE *out, tally_index to, tally_index begin,
                                 tally_index end, const bool back, bool streams,
                                 TALLY_FN(levels) *before) {
    tally_stored stage[TALLY_CHUNK];
    /* A batch of whole lines leaves at once, so that memory never waits; edges would cost. */
    const uint chunk = TALLY_IS_LINE(out + (back ? to + 1 : to)) ? TALLY_BATCH : TALLY_CHUNK;
    for (tally_index i = begin; i < end; i += chunk) {
        const uint n = (uint)min((tally_index)chunk, end - i);
        for (uint b = 0; b < n; b += TALLY_BATCH) {
            const tally_index at = i + b;
            __global const TALLY_STORAGE *batch =
                back ? in + (from - at) - (TALLY_BATCH - 1) : in + (from + at);
            TALLY_FN(scan)(batch, min((uint)TALLY_BATCH, n - b), back, before,
                           stage + (back ? TALLY_CHUNK - TALLY_BATCH - b : b));
            TALLY_FN(pass)(before, at + TALLY_BATCH);
        }
        if (TALLY_EXCLUSIVE && i == 0)
            stage[back ? TALLY_CHUNK - 1 : 0] = tally_stored_of(TALLY_EMPTY);
        tally_flush(out + (back ? to - i - (n - 1) : to + i),
                    stage + (back ? TALLY_CHUNK - n : 0), n, streams,
                    back ? in + (from - i) - TALLY_CHUNK - n : in + (from + i + TALLY_CHUNK));
    }
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_args a) {
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.slices;
    const tally_index terms = (tally_index)a.terms;
    const bool back = a.axis_in != 1, streams = TALLY_STREAMS(a);
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index row = first; row < min(first + turn, units); row++) {
            const tally_index from = TALLY_START_IN(a, row), to = TALLY_START_OUT(a, row);
            TALLY_FN(levels) before = {TALLY_NEUTRAL, TALLY_NEUTRAL, TALLY_NEUTRAL, TALLY_NEUTRAL};
            if (back)
                TALLY_FN(walk)(in, from, out, to, 0, terms, true, streams, &before);
            else
                TALLY_FN(walk)(in, from, out, to, 0, terms, false, streams, &before);
        }
}
#undef TALLY_BATCH
#undef TALLY_CHUNK
#undef TALLY_PARTS_OF_RUN
