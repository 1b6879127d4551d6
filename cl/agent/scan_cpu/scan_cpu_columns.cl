/*
 * A scan down columns on a CPU: rows that are neighbours have terms that are neighbours. A unit is
 * a strip of a.strip_columns of a.columns columns; the last strip has the rest too, and so less
 * than twice as many. As many terms are visited together as results fit the stage, a run at most, a
 * vector of columns after the other; wide strips go by the row (scan_cpu_wide.cl). Of columns fewer
 * than a vector, which are packed, vectors reach over into what follows: that is read, if it is of
 * the strip, and never written.
 */
#if TALLY_PHASE == TALLY_TOTALS
/* A strip from begin to end, which are whole tiles: what each of them comes to. */
static void TALLY_FN(skim)(__global const TALLY_STORAGE *in, TALLY_FN(position) *at,
                           const TALLY_FN(piece) * piece, TALLY_FN(strip) *strip) {
    const uint width = at->width, whole = width < TALLY_WIDTH ? 0 : width - TALLY_WIDTH;
    for (tally_index i = piece->begin; i < piece->end; i += TALLY_RUN) {
        for (uint v = 0; v * TALLY_WIDTH < width; v++) {
            const uint column = min(v * TALLY_WIDTH, whole);
            tally_index from = at->from + column;
            tally_terms run = tally_identity_all();
#pragma unroll
            for (uint k = 0; k < TALLY_RUN; k++, from += at->step_in)
                run = tally_combine_all_terms(
                    run, tally_map_all(from + TALLY_WIDTH <= at->high
                                           ? tally_load_all(in + from)
                                           : tally_load_part(in + from, 0, width)));
            TALLY_FN(add_run)(piece, column, i + TALLY_RUN, run, &strip->runs[v], &strip->spans[v]);
        }
        at->from += TALLY_RUN * at->step_in;
    }
}
#else
/* The next count terms of one slot, of one run; rows of results are staged pitch apart. */
#define TALLY_SCAN(name, hint, whole)                                                              \
TALLY_INLINE void TALLY_FN(name)(__global const TALLY_STORAGE *in, const TALLY_FN(position) *at,   \
                                 const uint count, uint column, uint v, int pitch,                 \
                                 tally_stored *stage, TALLY_FN(strip) *strip) {                    \
    const tally_terms stretches = strip->stretches[v], tiles = strip->tiles[v];                    \
    const tally_terms spans = strip->spans[v], runs = strip->runs[v];                              \
    tally_terms sum = strip->terms[v];                                                             \
    tally_index from = at->from + column;                                                          \
    stage += column;                                                                               \
    _Pragma(hint)                                                                                  \
    for (uint k = 0; k < count; k++) {                                                             \
        const tally_terms x = tally_map_all(whole || from + TALLY_WIDTH <= at->high                \
                                                ? tally_load_all(in + from)                        \
                                                : tally_load_part(in + from, 0, at->width));       \
        const tally_terms combined = tally_combine_all_terms(sum, x);                              \
        tally_terms total = TALLY_EXCLUSIVE ? sum : combined;                                      \
        if (!TALLY_EXACT) {                                                                        \
            total = tally_combine_all_terms(spans, tally_combine_all_terms(runs, total));          \
            total = tally_combine_all_terms(stretches, tally_combine_all_terms(tiles, total));     \
        }                                                                                          \
        TALLY_STAGE(TALLY_RESULTS(total), stage);                                                  \
        sum = combined;                                                                            \
        from += at->step_in;                                                                       \
        stage += pitch;                                                                            \
    }                                                                                              \
    strip->terms[v] = sum;                                                                         \
}
TALLY_SCAN(scan_run, "unroll", true)
TALLY_SCAN(scan_few, "unroll 1", true)
TALLY_SCAN(scan_narrow, "unroll 1", false)
#undef TALLY_SCAN

/* A run of terms of a strip whose results are whole lines: a line of each leaves at once. */
static void TALLY_FN(run_lines)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                                const TALLY_FN(position) * at, bool streams,
                                TALLY_FN(strip) * strip) {
    const uint slots = TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH;
    const uint ahead = 2 * TALLY_RUN;
    tally_stored *stage = strip->stage;
    for (uint c = 0; c < at->width; c += TALLY_CACHE_LINE_ELEMENTS) {
        tally_index to = at->to + c, next = at->from + c + ahead * at->step_in;
#pragma unroll 1
        for (uint v = 0; v < slots; v++)
            TALLY_FN(scan_run)(in + c, at, TALLY_RUN, v * TALLY_WIDTH, c / TALLY_WIDTH + v,
                               TALLY_CACHE_LINE_ELEMENTS, stage, strip);
        for (uint k = 0; k < TALLY_RUN; k++, to += at->step_out, next += at->step_in) {
            TALLY_PREFETCH(in + next);
            tally_put_staged(stage + k * TALLY_CACHE_LINE_ELEMENTS,
                             (__global tally_stored *)(out + to),
                             streams);
        }
    }
}

/* The next count terms of a strip, of which there are left, by way of the stage. */
static void TALLY_FN(run_rows)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                               const TALLY_FN(position) *at, bool first, uint count,
                               tally_index left, bool streams, TALLY_FN(strip) *strip) {
    const uint width = at->width, slots = (width + TALLY_WIDTH - 1) / TALLY_WIDTH;
    const bool narrow = width < TALLY_WIDTH;
    const bool packed = at->step_out == width, back = at->step_out == 0 - (tally_index)width;
    const uint row = narrow ? TALLY_WIDTH : width;
    tally_stored *stage = strip->stage;
    tally_stored *begin = stage + (back ? (count - 1) * row : 0);
    const int pitch = back ? 0 - (int)row : (int)row;
    for (uint v = 0; v < slots; v++) {
        const uint column = narrow ? 0 : min(v * TALLY_WIDTH, width - TALLY_WIDTH);
        if (narrow)
            TALLY_FN(scan_narrow)(in, at, count, column, v, pitch, begin, strip);
        else if (count < TALLY_RUN)
            TALLY_FN(scan_few)(in, at, count, column, v, pitch, begin, strip);
        else
            TALLY_FN(scan_run)(in, at, TALLY_RUN, column, v, pitch, begin, strip);
    }
    if (TALLY_EXCLUSIVE && first)
        for (uint c = 0; c < width; c++)
            begin[c] = tally_stored_of(TALLY_EMPTY);
    if (narrow) { /* each row over the rest of the one before */
        stage = strip->rows;
        for (uint k = 0; k < count; k++)
            TALLY_STAGE(TALLY_STAGED(strip->stage + k * row), stage + k * width);
    }
    const uint ahead = max(count, TALLY_AHEAD / width);
    if (packed || back)
        tally_flush(out + (back ? at->to - (count - 1) * width : at->to), stage, count * width,
                    streams, in + TALLY_FN(soon)(at, back ? ahead + count - 1 : ahead, left));
    else
        for (uint k = 0; k < count; k++)
            tally_flush(out + (at->to + k * at->step_out), stage + k * width, width, streams,
                        in + TALLY_FN(soon)(at, k + ahead, left));
}

#if TALLY_PHASE == TALLY_APPLY
/* What is complete before a piece of a strip, so narrow that its rows go by the slot. */
static void TALLY_FN(begin)(const TALLY_FN(piece) * piece, uint width, TALLY_FN(strip) *strip) {
    const uint whole = width < TALLY_WIDTH ? 0 : width - TALLY_WIDTH;
    for (uint v = 0; v * TALLY_WIDTH < width; v++) {
        TALLY_FN(fold_tiles)(piece, min(v * TALLY_WIDTH, whole), &strip->stretches[v],
                             &strip->tiles[v]);
        if (TALLY_EXACT)
            strip->terms[v] = tally_combine_all_terms(strip->stretches[v], strip->tiles[v]);
    }
}
#endif

/*
 * A strip from one end of a piece to the other: as many terms at a time as the stage has room for, a
 * run at most; or wide rows, by twos where they are whole lines.
 */
static void TALLY_FN(walk)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                           TALLY_FN(position) *at, const TALLY_FN(piece) * piece, bool streams,
                           TALLY_FN(strip) *strip) {
    const uint width = at->width, slots = (width + TALLY_WIDTH - 1) / TALLY_WIDTH;
    const bool aligned = width % TALLY_CACHE_LINE_ELEMENTS == 0 &&
                         at->step_out % TALLY_CACHE_LINE_ELEMENTS == 0 &&
                         TALLY_IS_CACHE_LINE(out + at->to);
    const bool lines = aligned && width <= TALLY_SCAN_LINES;
    uint most = TALLY_RUN;
    while (most > 1 && most * max(width, (uint)TALLY_WIDTH) > TALLY_STAGED_ELEMENTS)
        most /= 2;
    uint count = 0;
    for (tally_index i = piece->begin; i < piece->end; i += count) {
        const tally_index left = piece->end - i;
        const bool pair = aligned && !lines && i % 2 == 0 && i >= TALLY_EXCLUSIVE && left > 1;
        count = pair ? 2 : (uint)min((tally_index)most, left);
        if (i > piece->begin && i % TALLY_RUN == 0)
            TALLY_FN(end_run)(slots, i, strip);
        if (pair)
            TALLY_FN(rows_wide)(in, out, at, left, streams, strip);
        else if (most == 1)
            TALLY_FN(row_wide)(in, out, at, i, left, streams, strip);
        else if (lines && count == TALLY_RUN && i >= TALLY_EXCLUSIVE)
            TALLY_FN(run_lines)(in, out, at, streams, strip);
        else
            TALLY_FN(run_rows)(in, out, at, i == 0, count, left, streams, strip);
        at->from += count * at->step_in;
        at->to += count * at->step_out;
    }
}
#endif

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_cpu_columns_args a TALLY_WORDS_PARAMETER) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index columns = (tally_index)a.columns, step_in = (tally_index)a.axis_in;
    const tally_index step_out = (tally_index)a.axis_out;
    const tally_index strips = max(columns / (tally_index)a.strip_columns, (tally_index)1);
    const bool streams = TALLY_STREAMS(a);
    TALLY_FN(strip) strip;
    in += a.head.in_offset;
    out += a.head.out_offset;
    TALLY_FOR_UNITS(number, first, units, grain) {
        const TALLY_FN(piece) piece = TALLY_PIECE_OF(a, number);
        const tally_index strip_start = piece.unit % strips * (tally_index)a.strip_columns;
        const tally_index row = piece.unit / strips * columns + strip_start;
        const uint width =
            (uint)(piece.unit % strips + 1 < strips ? (tally_index)a.strip_columns
                                                    : columns - strip_start);
        const tally_index from = TALLY_START_IN(a, row) + piece.begin * step_in;
        const tally_index last = (piece.end - piece.begin - 1) * step_in;
        TALLY_FN(position) at = {width, from, TALLY_START_OUT(a, row) + piece.begin * step_out,
                              step_in, step_out, TALLY_START_IN(a, row + width), 0};
        at.high = (a.start_in != 0 ? from : from + last) + width;
        for (uint v = 0; v * TALLY_WIDTH < width; v++)
            strip.stretches[v] = strip.tiles[v] = strip.spans[v] = strip.runs[v] =
                strip.terms[v] = tally_identity_all();
#if TALLY_PHASE == TALLY_TOTALS
        TALLY_FN(skim)(in, &at, &piece, &strip);
#else
#if TALLY_PHASE == TALLY_APPLY
        TALLY_FN(begin)(&piece, width, &strip);
#endif
        TALLY_FN(walk)(in, out, &at, &piece, streams, &strip);
#endif
    }
}
