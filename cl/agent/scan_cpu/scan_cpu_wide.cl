/*
 * A wide strip of a scan down columns on a CPU (scan_cpu_strip.cl) by the row, its sums in the
 * first cache: results leave in whole lines.
 */
/*
 * What sums at column c come to with the levels above them, of which depth have something. Levels
 * of all columns are side by side, and a vector of them may begin at any column.
 */
TALLY_INLINE tally_storeds TALLY_FN(above)(tally_terms total, uint c, uint depth,
                                           TALLY_FN(strip) *strip) {
    if (depth > 0)
        total = tally_combine_all_terms(TALLY_TERMS((tally_term *)strip->runs + c), total);
    if (depth > 1)
        total = tally_combine_all_terms(TALLY_TERMS((tally_term *)strip->spans + c), total);
    if (depth > 2) {
        total = tally_combine_all_terms(TALLY_TERMS((tally_term *)strip->tiles + c), total);
        total = tally_combine_all_terms(TALLY_TERMS((tally_term *)strip->stretches + c), total);
    }
    return TALLY_RESULTS(total);
}

/* A vector of the next row at column c: of all of its columns, or of those that are there now. */
TALLY_INLINE tally_storeds TALLY_FN(step)(__global const TALLY_STORAGE *in, uint c, uint depth,
                                          bool first, tally_masks now, const bool all,
                                          TALLY_FN(strip) *strip) {
    tally_term *terms = (tally_term *)strip->terms + c;
    const tally_terms sum = TALLY_TERMS(terms);
    const tally_terms combined = tally_combine_all_terms(sum,
                                                         tally_map_all(tally_load_all(in + c)));
    TALLY_KEEP(all ? combined : tally_either(now, combined, sum), terms);
    if (TALLY_EXCLUSIVE && first)
        return TALLY_RESULTS(tally_map_all((tally_computes)(TALLY_EMPTY)));
    return TALLY_FN(above)(TALLY_EXCLUSIVE ? sum : combined, c, depth, strip);
}

/* Levels above the terms that have something before the i-th. */
TALLY_INLINE uint TALLY_FN(depth)(tally_index i) {
    return TALLY_EXACT || i < TALLY_RUN ? 0 : i < TALLY_SPAN ? 1 : i < TALLY_TILE ? 2 : 3;
}

/* Columns of a row from c on, fewer than a vector: what else there is of it is left as it is. */
static void TALLY_FN(step_some)(__global const TALLY_STORAGE *in, __global tally_stored *out,
                                uint width, uint c, uint n, uint depth, bool first,
                                TALLY_FN(strip) *strip) {
    const uint at = min(c, width - TALLY_WIDTH);
    const tally_masks now = TALLY_IOTA - (tally_positions)(c - at) < (tally_positions)(n);
    tally_stored x[TALLY_WIDTH];
    TALLY_STAGE(TALLY_FN(step)(in, at, depth, first, now, false, strip), x);
    for (uint i = 0; i < n; i++)
        out[c + i] = x[c - at + i];
}

/*
 * The next row of a wide strip, from one end to the other, so that memory is read and written in
 * long stretches; its results leave in whole lines, while the row behind it comes nearer.
 */
static void TALLY_FN(row_wide)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *to,
                               const TALLY_FN(position) *at, tally_index i, tally_index left,
                               bool streams, TALLY_FN(strip) *strip) {
    const uint width = at->width;
    const bool first = i == 0;
    const uint depth = TALLY_FN(depth)(i);
    __global const TALLY_STORAGE *next = in + TALLY_FN(soon)(at, 1, left);
    __global tally_stored *out = (__global tally_stored *)(to + at->to);
    const uint skew = (uint)((size_t)out / TALLY_BYTES % TALLY_CACHE_LINE_ELEMENTS);
    const uint head = (TALLY_CACHE_LINE_ELEMENTS - skew) % TALLY_CACHE_LINE_ELEMENTS;
    const tally_masks none = (tally_masks)(0);
    in += at->from;
    uint c = 0;
    for (; c + TALLY_WIDTH <= head; c += TALLY_WIDTH)
        TALLY_WRITE(TALLY_FN(step)(in, c, depth, first, none, true, strip), out + c);
    if (c < head)
        TALLY_FN(step_some)(in, out, width, c, head - c, depth, first, strip);
    for (c = head; c + TALLY_CACHE_LINE_ELEMENTS <= width; c += TALLY_CACHE_LINE_ELEMENTS) {
        tally_storeds x[TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH];
        TALLY_PREFETCH(next + c);
#pragma unroll
        for (uint v = 0; v < TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH; v++)
            x[v] = TALLY_FN(step)(in, c + v * TALLY_WIDTH, depth, first, none, true, strip);
        tally_put_cache_line(x, out + c, streams);
    }
    for (; c + TALLY_WIDTH <= width; c += TALLY_WIDTH)
        TALLY_WRITE(TALLY_FN(step)(in, c, depth, first, none, true, strip), out + c);
    if (c < width)
        TALLY_FN(step_some)(in, out, width, c, width - c, depth, first, strip);
}

/*
 * The next two rows of a wide strip, of one run, where results of all rows begin with a line: the
 * levels are looked at once for both.
 */
static void TALLY_FN(rows_wide)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                                const TALLY_FN(position) *at, tally_index left, bool streams,
                                TALLY_FN(strip) *strip) {
    const uint depth = TALLY_EXACT ? 0 : 3;
    __global const TALLY_STORAGE *first = in + at->from;
    __global const TALLY_STORAGE *second = in + (at->from + at->step_in); /* backwards, too */
    __global const TALLY_STORAGE *third = in + TALLY_FN(soon)(at, 2, left);
    __global const TALLY_STORAGE *fourth = in + TALLY_FN(soon)(at, 3, left);
    __global tally_stored *to = (__global tally_stored *)(out + at->to);
    __global tally_stored *then = (__global tally_stored *)(out + (at->to + at->step_out));
    const uint width = at->width;
    for (uint c = 0; c < width; c += TALLY_CACHE_LINE_ELEMENTS) {
        tally_storeds p[TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH],
            q[TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH];
        TALLY_PREFETCH(third + c);
        TALLY_PREFETCH(fourth + c);
#pragma unroll
        for (uint v = 0; v < TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH; v++) {
            const uint i = c + v * TALLY_WIDTH;
            tally_term *terms = (tally_term *)strip->terms + i;
            const tally_terms before = TALLY_TERMS(terms);
            const tally_terms x = tally_map_all(tally_load_all(first + i));
            const tally_terms y = tally_map_all(tally_load_all(second + i));
            const tally_terms one = tally_combine_all_terms(before, x);
            const tally_terms both = tally_combine_all_terms(one, y);
            p[v] = TALLY_FN(above)(TALLY_EXCLUSIVE ? before : one, i, depth, strip);
            q[v] = TALLY_FN(above)(TALLY_EXCLUSIVE ? one : both, i, depth, strip);
            TALLY_KEEP(both, terms);
        }
        tally_put_cache_line(p, to + c, streams);
        tally_put_cache_line(q, then + c, streams);
    }
}
