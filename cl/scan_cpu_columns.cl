/*
 * A scan down columns on a CPU: rows that are neighbours have terms that are neighbours. A unit is
 * a strip of a.across of a.columns columns; the last strip has the rest too, and so less than twice
 * as many. A run of terms is visited at a time, a vector of columns after the other; the levels
 * above are at rest meanwhile. Of columns fewer than a vector, which are packed, vectors reach over
 * into what follows: that is read, if it is of the strip, and never written. TALLY_STACK: the
 * results are rows, contiguous along the axis.
 */
#if TALLY_STACK
#define TALLY_SLOTS (TALLY_SCAN_ACROSS * 2 / TALLY_WIDTH)
#define TALLY_STAGED_ROWS TALLY_ACROSS
#else
#define TALLY_SLOTS (TALLY_SCAN_CPU_STRIP_BYTES * 2 / 32)
#define TALLY_STAGED_ROWS TALLY_RUN
#endif
#define TALLY_ACROSS 64

/* Slot v has the vector at column v * TALLY_WIDTH, the last one ends with them. */
typedef struct {
    tally_terms stretches[TALLY_SLOTS], tiles[TALLY_SLOTS], spans[TALLY_SLOTS], runs[TALLY_SLOTS];
    tally_terms terms[TALLY_SLOTS];
    tally_stored stage[TALLY_STAGED_ROWS * TALLY_SLOTS * TALLY_WIDTH];
    tally_stored rows[(TALLY_RUN + 1) * TALLY_WIDTH]; /* of fewer columns than a vector */
} TALLY_FN(strip);

/* The levels of one slot after i terms. */
TALLY_INLINE void TALLY_FN(pass)(TALLY_FN(strip) *strip, uint v, tally_index i) {
    if (i % TALLY_SPAN != 0)
        return;
    strip->spans[v] = tally_join_all_terms(strip->spans[v], strip->runs[v]);
    strip->runs[v] = tally_neutral_all();
    if (i % TALLY_TILE != 0)
        return;
    strip->tiles[v] = tally_join_all_terms(strip->tiles[v], strip->spans[v]);
    strip->spans[v] = tally_neutral_all();
    if (i % TALLY_STRETCH != 0)
        return;
    strip->stretches[v] = tally_join_all_terms(strip->stretches[v], strip->tiles[v]);
    strip->tiles[v] = tally_neutral_all();
}

/* A strip's place: its columns, and where its next term lies. */
typedef struct {
    uint width;
    tally_index from, to, step_in, step_out;
    tally_index high; /* elements before this one may be read */
} TALLY_FN(place);

#if TALLY_STACK
/* The next count terms of one slot, a run at most: a row of the stage for each column. */
TALLY_INLINE void TALLY_FN(scan_across)(__global const TALLY_STORAGE *in,
                                        const TALLY_FN(place) *at, uint count, uint v, bool back,
                                        tally_stored *stage, TALLY_FN(strip) *strip) {
    const uint flip = back ? TALLY_WIDTH - 1 : 0;
    tally_terms x[TALLY_RUN];
#pragma unroll
    for (uint k = 0; k < TALLY_RUN; k++)
        x[k] = tally_neutral_all();
    for (uint k = 0; k < count; k++)
        x[k] = tally_map_all(tally_load_all(in + (at->from + k * at->step_in)));
    const tally_terms run = TALLY_FN(fold_runs)(x);
#pragma unroll
    for (uint part = 0; part < TALLY_PARTS_OF_RUN; part++) {
        const uint place = part * TALLY_WIDTH;
        tally_terms t[TALLY_WIDTH];
#pragma unroll
        for (uint k = 0; k < TALLY_WIDTH; k++) {
            t[k] = tally_join_all_terms(strip->runs[v], x[place + (k ^ flip)]);
            t[k] = tally_join_all_terms(strip->spans[v], t[k]);
            t[k] = tally_join_all_terms(strip->tiles[v], t[k]);
            t[k] = tally_join_all_terms(strip->stretches[v], t[k]);
        }
        tally_transpose(t);
#pragma unroll
        for (uint r = 0; r < TALLY_WIDTH; r++)
            TALLY_STAGE(TALLY_RESULTS(t[r]),
                        stage + r * TALLY_ACROSS +
                            (back ? TALLY_RUN - TALLY_WIDTH - place : place));
    }
    strip->runs[v] = tally_join_all_terms(strip->runs[v], run);
}

/*
 * The next n terms of a strip, TALLY_ACROSS at most, whose results are rows: a few runs of each
 * column are staged, so that a row of results is several lines. With each row that leaves comes one
 * nearer that is read next: those lie far apart, where no cache guesses them.
 */
static void TALLY_FN(run_across)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                                 TALLY_FN(place) *at, tally_index row_out, tally_index i, uint n,
                                 bool streams, TALLY_FN(strip) *strip) {
    const bool back = at->step_out != 1;
    for (uint j = 0; j < n; j += TALLY_RUN) {
        const uint count = min((uint)TALLY_RUN, n - j);
        for (uint v = 0; v * TALLY_WIDTH < at->width; v++) {
            const uint column = min(v * TALLY_WIDTH, at->width - TALLY_WIDTH);
            if ((i + j) % TALLY_SPAN == 0)
                TALLY_FN(pass)(strip, v, i + j);
            TALLY_FN(scan_across)(in + column, at, count, v, back,
                                  strip->stage + column * TALLY_ACROSS +
                                      (back ? TALLY_ACROSS - TALLY_RUN - j : j), strip);
        }
        at->from += count * at->step_in;
    }
    for (uint c = 0; c < at->width; c++) {
        tally_stored *row = strip->stage + c * TALLY_ACROSS;
        if (TALLY_EXCLUSIVE && i == 0)
            row[back ? TALLY_ACROSS - 1 : 0] = tally_stored_of(TALLY_EMPTY);
        tally_flush(out + (at->to + c * row_out - (back ? n - 1 : 0)),
                    row + (back ? TALLY_ACROSS - n : 0), n, streams,
                    in + (at->from + c % TALLY_ACROSS * at->step_in + c / TALLY_ACROSS *
                                                                          TALLY_ACROSS));
    }
    at->to += n * at->step_out;
}
#else
/* The next count terms of one slot; rows of results are staged pitch apart. */
#define TALLY_SCAN(name, hint, whole)                                                              \
TALLY_INLINE void TALLY_FN(name)(__global const TALLY_STORAGE *in, const TALLY_FN(place) *at,      \
                                 const uint count, uint column, uint v, int pitch,                 \
                                 tally_stored *stage, TALLY_FN(strip) *strip) {                    \
    const tally_terms stretches = strip->stretches[v], tiles = strip->tiles[v];                    \
    const tally_terms spans = strip->spans[v], runs = strip->runs[v];                              \
    tally_terms sum = tally_neutral_all();                                                         \
    tally_index from = at->from + column;                                                          \
    stage += column;                                                                               \
    _Pragma(hint)                                                                                  \
    for (uint k = 0; k < count; k++) {                                                             \
        const tally_terms x = tally_map_all(whole || from + TALLY_WIDTH <= at->high                \
                                                ? tally_load_all(in + from)                        \
                                                : tally_load_part(in + from, 0, at->width));       \
        const tally_terms joined = tally_join_all_terms(sum, x);                                   \
        tally_terms total = tally_join_all_terms(runs, TALLY_EXCLUSIVE ? sum : joined);            \
        total = tally_join_all_terms(tiles, tally_join_all_terms(spans, total));                   \
        total = tally_join_all_terms(stretches, total);                                            \
        TALLY_STAGE(TALLY_RESULTS(total), stage);                                                  \
        sum = joined;                                                                              \
        from += at->step_in;                                                                       \
        stage += pitch;                                                                            \
    }                                                                                              \
    strip->runs[v] = tally_join_all_terms(runs, sum);                                              \
}
TALLY_SCAN(scan_run, "unroll", true)
TALLY_SCAN(scan_few, "unroll 1", false)
#undef TALLY_SCAN

/* A run of terms of a strip whose results are whole lines: a line of each leaves at once. */
static void TALLY_FN(run_lines)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                                const TALLY_FN(place) *at, bool streams, TALLY_FN(strip) *strip) {
    const uint slots = TALLY_LINE_ELEMENTS / TALLY_WIDTH;
    const uint ahead = 2 * TALLY_RUN;
    tally_stored *stage = strip->stage;
    for (uint c = 0; c < at->width; c += TALLY_LINE_ELEMENTS) {
        tally_index to = at->to + c, next = at->from + c + ahead * at->step_in;
#pragma unroll 1
        for (uint v = 0; v < slots; v++)
            TALLY_FN(scan_run)(in + c, at, TALLY_RUN, v * TALLY_WIDTH, c / TALLY_WIDTH + v,
                               TALLY_LINE_ELEMENTS, stage, strip);
        for (uint k = 0; k < TALLY_RUN; k++, to += at->step_out, next += at->step_in) {
            TALLY_PREFETCH(in + next);
#pragma unroll
            for (uint v = 0; v < slots; v++) {
                const tally_storeds x =
                    TALLY_STAGED(stage + k * TALLY_LINE_ELEMENTS + v * TALLY_WIDTH);
                __global tally_stored *line = (__global tally_stored *)(out + to);
                if (streams)
                    TALLY_STREAM(x, line + v * TALLY_WIDTH);
                else
                    TALLY_WRITE(x, line + v * TALLY_WIDTH);
            }
        }
    }
}

/*
 * A run of terms of a wide strip: two rows at a time, from one end to the other, so
 * that memory is read and written in long stretches. Lines leave at once.
 */
#define TALLY_ROW(x, sum, to)                                                                      \
    {                                                                                              \
        const tally_terms joined = tally_join_all_terms(sum, x);                                   \
        tally_terms total = tally_join_all_terms(strip->runs[v], TALLY_EXCLUSIVE ? sum : joined);  \
        total = tally_join_all_terms(strip->spans[v], total);                                      \
        total = tally_join_all_terms(strip->tiles[v], total);                                      \
        const tally_storeds result =                                                               \
            TALLY_RESULTS(tally_join_all_terms(strip->stretches[v], total));                       \
        if (streams)                                                                               \
            TALLY_STREAM(result, to);                                                              \
        else                                                                                       \
            TALLY_WRITE(result, to);                                                               \
        sum = joined;                                                                              \
    }
static void TALLY_FN(run_wide)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                               const TALLY_FN(place) *at, bool streams, TALLY_FN(strip) *strip) {
    const uint slots = at->width / TALLY_WIDTH;
    for (uint k = 0; k < TALLY_RUN; k += 2) {
        __global const TALLY_STORAGE *first = in + (at->from + k * at->step_in);
        __global const TALLY_STORAGE *second = in + (at->from + (k + 1) * at->step_in);
        __global tally_stored *to = (__global tally_stored *)(out + (at->to + k * at->step_out));
        __global tally_stored *then =
            (__global tally_stored *)(out + (at->to + (k + 1) * at->step_out));
        for (uint v = 0; v < slots; v++) {
            const uint c = v * TALLY_WIDTH;
            tally_terms sum = k == 0 ? tally_neutral_all() : strip->terms[v];
            if (c % TALLY_LINE_ELEMENTS == 0) {
                TALLY_PREFETCH(in + (at->from + (k + 2) * at->step_in + c));
                TALLY_PREFETCH(in + (at->from + (k + 3) * at->step_in + c));
            }
            const tally_terms x = tally_map_all(tally_load_all(first + c));
            const tally_terms y = tally_map_all(tally_load_all(second + c));
            TALLY_ROW(x, sum, to + c)
            TALLY_ROW(y, sum, then + c)
            strip->terms[v] = sum;
        }
    }
    for (uint v = 0; v < slots; v++)
        strip->runs[v] = tally_join_all_terms(strip->runs[v], strip->terms[v]);
}
#undef TALLY_ROW

/* The next count terms of a strip, by the row. */
static void TALLY_FN(run_rows)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                               const TALLY_FN(place) *at, bool first, uint count, bool streams,
                               TALLY_FN(strip) *strip) {
    const uint width = at->width, slots = (width + TALLY_WIDTH - 1) / TALLY_WIDTH;
    const bool narrow = width < TALLY_WIDTH;
    const bool packed = at->step_out == width, back = at->step_out == 0 - (tally_index)width;
    const uint row = narrow ? TALLY_WIDTH : width;
    tally_stored *stage = strip->stage;
    tally_stored *begin = stage + (back ? (count - 1) * row : 0);
    const int pitch = back ? 0 - (int)row : (int)row;
    for (uint v = 0; v < slots; v++) {
        const uint column = narrow ? 0 : min(v * TALLY_WIDTH, width - TALLY_WIDTH);
        if (count < TALLY_RUN || narrow)
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
    if (packed || back)
        tally_flush(out + (back ? at->to - (count - 1) * width : at->to), stage, count * width,
                    streams, in + at->from + 2 * TALLY_RUN * at->step_in);
    else
        for (uint k = 0; k < count; k++)
            tally_flush(out + (at->to + k * at->step_out), stage + k * width, width, streams,
                        in + (at->from + (k + TALLY_RUN) * at->step_in));
}

/* The next terms of a strip, a run at most, the first of which is the i-th, and their results. */
static void TALLY_FN(run)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                          TALLY_FN(place) *at, tally_index i, tally_index terms, bool streams,
                          TALLY_FN(strip) *strip) {
    const uint count = (uint)min((tally_index)TALLY_RUN, terms - i);
    const bool lines = count == TALLY_RUN && at->width % TALLY_LINE_ELEMENTS == 0 &&
                       at->step_out % TALLY_LINE_ELEMENTS == 0 && TALLY_IS_LINE(out + at->to);
    if (i % TALLY_SPAN == 0)
        for (uint v = 0; v * TALLY_WIDTH < at->width; v++)
            TALLY_FN(pass)(strip, v, i);
    if (!lines || (i == 0 && TALLY_EXCLUSIVE))
        TALLY_FN(run_rows)(in, out, at, i == 0, count, streams, strip);
    else if (at->width > TALLY_SCAN_LINES)
        TALLY_FN(run_wide)(in, out, at, streams, strip);
    else
        TALLY_FN(run_lines)(in, out, at, streams, strip);
    at->from += count * at->step_in;
    at->to += count * at->step_out;
}
#endif

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_args a) {
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.slices;
    const tally_index columns = (tally_index)a.columns, terms = (tally_index)a.terms;
    const tally_index strips = max(columns / (tally_index)a.across, (tally_index)1);
    const bool streams = TALLY_STREAMS(a);
    TALLY_FN(strip) strip;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index unit = first; unit < min(first + turn, units); unit++) {
            const tally_index across = unit % strips * (tally_index)a.across;
            const tally_index row = unit / strips * columns + across;
            const uint width =
                (uint)(unit % strips + 1 < strips ? (tally_index)a.across : columns - across);
            const tally_index from = TALLY_START_IN(a, row);
            const tally_index last = (terms - 1) * (tally_index)a.axis_in;
            TALLY_FN(place) at = {width, from, TALLY_START_OUT(a, row), (tally_index)a.axis_in,
                                  (tally_index)a.axis_out, 0};
            at.high = (a.start_in != 0 ? from : from + last) + width;
            for (uint v = 0; v * TALLY_WIDTH < width; v++)
                strip.stretches[v] = strip.tiles[v] = strip.spans[v] = strip.runs[v] =
                    tally_neutral_all();
#if TALLY_STACK
            for (tally_index i = 0; i < terms; i += TALLY_ACROSS)
                TALLY_FN(run_across)(in, out, &at, (tally_index)a.kept_out[TALLY_KEPT_RANK - 1], i,
                                     (uint)min((tally_index)TALLY_ACROSS, terms - i), streams,
                                     &strip);
#else
            for (tally_index i = 0; i < terms; i += TALLY_RUN)
                TALLY_FN(run)(in, out, &at, i, terms, streams, &strip);
#endif
        }
}
