/*
 * How a box of a scan on a CPU comes into its panel (scan_cpu_box.cl). Nothing is read outside of
 * the input, and of what is read beside the box nothing is used.
 */

/* Where a box's terms begin in memory, and from where on nothing may be read. */
typedef struct {
    __global const tally_stored *in;
    tally_index from, step, high; /* from: of the first term to visit */
    bool back;
} TALLY_FN(source);

/* The first n of a vector of elements: nothing behind them is read. */
TALLY_INLINE tally_storeds TALLY_FN(bring_some)(__global const tally_stored *in, uint n) {
    tally_stored x[TALLY_WIDTH];
    for (uint i = 0; i < TALLY_WIDTH; i++)
        x[i] = i < n ? in[i] : 0;
    return TALLY_VLOAD(0, x);
}

TALLY_INLINE tally_storeds TALLY_FN(load)(const TALLY_FN(source) * source, tally_index at,
                                          uint n) {
    return n >= TALLY_WIDTH || at + TALLY_WIDTH <= source->high
               ? TALLY_BROUGHT(source->in + at)
               : TALLY_FN(bring_some)(source->in + at, n);
}

/*
 * A vector of elements, of n that are there, a unit apart: other units are read with what is
 * between.
 */
TALLY_INLINE tally_storeds TALLY_FN(take)(const TALLY_FN(source) * source, tally_index at, uint n,
                                          uint unit) {
    return unit == 1 ? TALLY_FN(load)(source, at, n) : tally_every(source->in + at, unit);
}

/* Lines that lie side by side, a row after the other. */
TALLY_INLINE void TALLY_FN(bring_rows)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                       tally_stored *panel) {
    const uint n = box->along, pitch = box->pitch, unit = (uint)box->unit;
    const uint whole = n < TALLY_WIDTH ? 0 : n - TALLY_WIDTH; /* where the last vector begins */
    for (uint line = 0; line < box->lines; line += n) {
        tally_index at = source->from + box->in[line];
        tally_stored *to = panel + line;
        for (uint t = 0; t < box->terms; t++, at += source->step, to += pitch) {
            for (uint c = 0; c < whole; c += TALLY_WIDTH)
                TALLY_STAGE(TALLY_FN(take)(source, at + c * unit, TALLY_WIDTH, unit), to + c);
            TALLY_STAGE(TALLY_FN(take)(source, at + whole * unit, n, unit), to + whole);
        }
    }
}

/*
 * A vector of rows of the input, n elements of each, which become columns of the panel: each
 * element's row is pitch from the one before, or at its position. A vector of lines is written of
 * each, which is to be written over where there are fewer.
 */
TALLY_NO_INLINE void TALLY_FN(transpose)(const TALLY_FN(source) * source, const tally_index *row,
                                         uint n,
                                    uint unit, tally_stored *panel, int pitch,
                                    const tally_index *position) {
    tally_index last = row[0];
    for (uint r = 1; r < TALLY_WIDTH; r++)
        last = max(last, row[r]);
    const bool whole =
        unit == 1 && (n >= TALLY_WIDTH || last + TALLY_WIDTH <= source->high);
    for (uint u = 0; u < n; u += TALLY_WIDTH) {
        const uint at = n < TALLY_WIDTH ? 0 : min(u, n - TALLY_WIDTH);
        tally_storeds t[TALLY_WIDTH];
        if (whole) {
#pragma unroll
            for (uint r = 0; r < TALLY_WIDTH; r++)
                t[r] = TALLY_BROUGHT(source->in + (row[r] + at));
        } else {
#pragma unroll 1
            for (uint r = 0; r < TALLY_WIDTH; r++)
                t[r] = TALLY_FN(take)(source, row[r] + at * unit, n, unit);
        }
        TALLY_TRANSPOSE(tally_storeds, t)
#pragma unroll
        for (uint k = 0; k < TALLY_WIDTH; k++)
            if (k < n)
                TALLY_STAGE(t[k], panel + (position != 0 ? (int)position[at + k]
                                                         : (int)(at + k) * pitch));
    }
}

/* Lines of so few terms that lie one after the other: as rows that are taken apart. */
TALLY_INLINE void TALLY_FN(bring_woven)(const TALLY_FN(source) * source,
                                        const TALLY_FN(box) * box, tally_index low, int pitch,
                                        const uint n, tally_stored *panel) {
    for (uint line = 0; line < box->lines; line += box->packed) {
        __global const tally_stored *rows = source->in + (low + box->in[line]);
        for (uint c = 0; c < box->packed; c += TALLY_WIDTH) {
            const uint first = min(c, box->packed - TALLY_WIDTH);
            tally_storeds x[TALLY_WOVEN_MAX];
#pragma unroll
            for (uint k = 0; k < TALLY_WOVEN_MAX; k++)
                if (k < n)
                    x[k] = TALLY_BROUGHT(rows + first * n + k * TALLY_WIDTH);
            tally_part(x, n);
#pragma unroll
            for (uint k = 0; k < TALLY_WOVEN_MAX; k++)
                if (k < n)
                    TALLY_STAGE(x[k], panel + (int)k * pitch + (line + first));
        }
    }
}

/* Lines whose terms lie side by side. */
TALLY_INLINE void TALLY_FN(bring_lines)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                        tally_stored *panel) {
    const uint n = box->terms, unit = (uint)box->unit;
    const tally_index low = source->from - (source->back ? (n - 1) * unit : 0);
    const int pitch = source->back ? 0 - (int)box->pitch : (int)box->pitch;
    panel += source->back ? (n - 1) * box->pitch : 0;
    if (unit == 1 && TALLY_IS_WOVEN(n) && box->packed >= TALLY_WIDTH) {
#define TALLY_BRING_WOVEN(n) TALLY_FN(bring_woven)(source, box, low, pitch, n, panel)
        TALLY_FOR_WOVEN(n, TALLY_BRING_WOVEN)
#undef TALLY_BRING_WOVEN
        return;
    }
    for (uint line = 0; line < box->lines; line += TALLY_WIDTH) {
        tally_index row[TALLY_WIDTH];
        for (uint r = 0; r < TALLY_WIDTH; r++)
            row[r] = low + box->in[line + r];
        TALLY_FN(transpose)(source, row, n, unit, panel + line, pitch, 0);
    }
}

/* Runs of so few lines that each vector of them is woven from one of each. */
TALLY_INLINE void TALLY_FN(weave_runs)(__global const tally_stored *in, const tally_index *row,
                                       uint run, const uint n, tally_stored *panel) {
    for (uint u = 0; u < run; u += TALLY_WIDTH) {
        const uint at = min(u, run - TALLY_WIDTH);
        tally_storeds x[TALLY_WOVEN_MAX];
#pragma unroll
        for (uint r = 0; r < TALLY_WOVEN_MAX; r++)
            if (r < n)
                x[r] = TALLY_BROUGHT(in + (row[r] + at));
        tally_weave(x, n);
#pragma unroll
        for (uint k = 0; k < TALLY_WOVEN_MAX; k++)
            if (k < n)
                TALLY_STAGE(x[k], panel + (at * n + k * TALLY_WIDTH));
    }
}

/* Lines that lie side by side, but are apart in the panel, where others are between them. */
TALLY_INLINE void TALLY_FN(bring_transposed)(const TALLY_FN(source) * source,
                                         const TALLY_FN(box) * box, tally_stored *panel) {
    const uint transpose = box->transpose, run = box->run_in, unit = (uint)box->unit;
    /*
     * A run of several axes, which has a whole vector of lines at least, has its positions
     * anywhere.
     */
    const bool woven =
        unit == 1 && transpose < TALLY_WIDTH && TALLY_IS_WOVEN(transpose) && run >= TALLY_WIDTH;
    for (uint s = 0; s < box->starts; s++)
        for (uint i = 0; i < transpose; i += TALLY_WIDTH) {
            const uint line =
                (uint)box->start[s] + (transpose < TALLY_WIDTH ? 0 : min(i,
                                                                         transpose - TALLY_WIDTH));
            tally_index row[TALLY_WIDTH];
            for (uint r = 0; r < TALLY_WIDTH; r++)
                row[r] = source->from + box->in[line + min(r, transpose - 1)];
            for (uint t = 0; t < box->terms; t++) {
                tally_stored *to = panel + (t * box->pitch + line);
#define TALLY_WEAVE_RUNS(n)                                                                        \
    TALLY_FN(weave_runs)(source->in, row, run, n, to)
                if (woven) {
                    TALLY_FOR_WOVEN(transpose, TALLY_WEAVE_RUNS)
                } else {
                    TALLY_FN(transpose)(source, row, run, unit, to, 0, box->position);
                }
#undef TALLY_WEAVE_RUNS
                for (uint r = 0; r < TALLY_WIDTH; r++)
                    row[r] += source->step;
            }
        }
}

/* Elements one by one. */
static void TALLY_FN(bring_one_by_one)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                 tally_stored *panel) {
    for (uint line = 0; line < box->lines; line += TALLY_WIDTH) {
        const tally_index *in = box->in + line;
        tally_index at = source->from;
        for (uint t = 0; t < box->terms; t++, at += source->step) {
#define TALLY_OF_LANE(r) source->in[at + in[r]]
            const tally_storeds x = (tally_storeds)(TALLY_EACH_LANE(TALLY_OF_LANE));
#undef TALLY_OF_LANE
            TALLY_STAGE(x, panel + t * box->pitch + line);
        }
    }
}

static void TALLY_FN(bring_box)(const TALLY_FN(source) * source, const TALLY_FN(box) * box,
                                tally_stored *panel) {
    const tally_index last =
        source->from + box->reach + (source->back ? 0 : (box->terms - 1) * source->step);
    const bool runs = box->along > 1 || source->step == box->unit ||
                      source->step == (tally_index)0 - box->unit;
    const bool spaced = box->unit <= 4 && last + TALLY_WIDTH * box->unit <= source->high;
    if (!runs || (box->unit != 1 && !spaced))
        TALLY_FN(bring_one_by_one)(source, box, panel);
    else if (box->transpose > 1)
        TALLY_FN(bring_transposed)(source, box, panel);
    else if (box->along > 1)
        TALLY_FN(bring_rows)(source, box, panel);
    else
        TALLY_FN(bring_lines)(source, box, panel);
}
