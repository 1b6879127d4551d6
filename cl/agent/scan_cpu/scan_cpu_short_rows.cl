/*
 * A scan along short contiguous rows on a CPU: TALLY_WIDTH rows at a time, one in each lane, so
 * that no lane waits for another. A unit is a row of at most TALLY_SHORT_TERMS terms; a work-item
 * takes a.grain of them in one go. Rows that follow each other in the output leave together.
 */
#define TALLY_TOGETHER 2048

/* Rows that are scanned together: where each begins, and where they may be read. */
typedef struct {
    __global const TALLY_STORAGE *row[TALLY_WIDTH], *low, *high;
} TALLY_FN(rows);

/* The terms from i on, a vector, of a row of n that is walked backwards if back. */
TALLY_INLINE tally_terms TALLY_FN(read)(const TALLY_FN(rows) *rows, uint r, uint i, uint n,
                                        bool back) {
    __global const TALLY_STORAGE *row = rows->row[r];
    __global const TALLY_STORAGE *in = back ? row + n - i - TALLY_WIDTH : row + i;
    if (in >= rows->low && in + TALLY_WIDTH <= rows->high)
        return tally_map_all(tally_load_all(in));
    return tally_map_all(back ? tally_load_part(in, i + TALLY_WIDTH - n, TALLY_WIDTH)
                              : tally_load_part(in, 0, n - i));
}

/* The terms from i on, a vector of each row, lane r being row r's. */
TALLY_INLINE void TALLY_FN(gather)(const TALLY_FN(rows) *rows, uint i, uint n, bool back,
                                   tally_terms *t) {
    if (i + TALLY_WIDTH <= n) {
#pragma unroll
        for (uint r = 0; r < TALLY_WIDTH; r++)
            t[r] = tally_map_all(
                tally_load_all(rows->row[r] + (back ? n - i - TALLY_WIDTH : i)));
    } else {
#pragma unroll 1
        for (uint r = 0; r < TALLY_WIDTH; r++)
            t[r] = i < n ? TALLY_FN(read)(rows, r, i, n, back) : tally_identity_all();
    }
    tally_transpose(t);
}

/*
 * Scan TALLY_WIDTH rows and stage the results: those of a row of whole runs, pitch from the next
 * one's. What is there of the last run lies as it does in memory.
 */
TALLY_INLINE void TALLY_FN(scan)(const TALLY_FN(rows) *rows, uint n, uint pitch, bool back,
                                 tally_stored *stage) {
    const uint flip = back ? TALLY_WIDTH - 1 : 0;
    tally_terms runs = tally_identity_all();
    for (uint i = 0; i < n; i += TALLY_RUN) {
        tally_terms x[TALLY_RUN], t[TALLY_WIDTH];
#pragma unroll
        for (uint part = 0; part < TALLY_PARTS_OF_RUN; part++) {
            TALLY_FN(gather)(rows, i + part * TALLY_WIDTH, n, back, t);
#pragma unroll
            for (uint k = 0; k < TALLY_WIDTH; k++)
                x[part * TALLY_WIDTH + (k ^ flip)] = t[k];
        }
        const tally_terms total = TALLY_FN(fold_runs)(x);
        if (TALLY_EXCLUSIVE && i == 0)
            x[0] = tally_map_all((tally_computes)(TALLY_EMPTY));
#pragma unroll
        for (uint part = 0; part < TALLY_PARTS_OF_RUN; part++) {
            const uint at = i + part * TALLY_WIDTH;
            if (at >= n)
                break;
#pragma unroll
            for (uint k = 0; k < TALLY_WIDTH; k++)
                t[k] = tally_combine_all_terms(runs, x[part * TALLY_WIDTH + (k ^ flip)]);
            tally_transpose(t);
#pragma unroll
            for (uint r = 0; r < TALLY_WIDTH; r++)
                TALLY_STAGE(TALLY_RESULTS(t[r]),
                            stage + r * pitch + (back ? pitch - at - TALLY_WIDTH : at));
        }
        runs = tally_combine_all_terms(runs, total);
    }
}

/*
 * Staged rows of n, pitch apart, to where they follow each other, by the vectors that were stored:
 * others would wait for those. What a vector has beside its row is written over by the row there;
 * what is before the first row stays.
 */
static void TALLY_FN(pack)(const tally_stored *stage, uint rows, uint n, uint pitch, bool back,
                           tally_stored *to) {
    if (!back) {
        for (uint r = 0; r < rows; r++)
            for (uint i = 0; i < n; i += TALLY_WIDTH)
                TALLY_STAGE(TALLY_STAGED(stage + r * pitch + i), to + r * n + i);
        return;
    }
    const tally_storeds before = TALLY_STAGED(to - TALLY_WIDTH);
    for (uint r = rows; r-- > 0;)
        for (uint i = TALLY_WIDTH; i < n + TALLY_WIDTH; i += TALLY_WIDTH)
            TALLY_STAGE(TALLY_STAGED(stage + (r + 1) * pitch - i), to + (r + 1) * n - i);
    TALLY_STAGE(before, to - TALLY_WIDTH);
}

/* As many rows as there are lanes from the unit on, of which the first count are there. */
static void TALLY_FN(group)(__global const TALLY_STORAGE *in, const tally_scan_cpu_args *a,
                            tally_index unit, uint count, uint pitch, tally_stored *stage) {
    const uint n = (uint)a->terms;
    const bool back = a->axis_in != 1;
    TALLY_FN(rows) rows;
    /* About where the next ones lie: of rows of several lines processors foresee too little. */
    const tally_index next = TALLY_WIDTH * (tally_index)a->kept_in[TALLY_KEPT_RANK - 1];
    const uint asked = n > 2 * TALLY_CACHE_LINE_ELEMENTS ? n + TALLY_CACHE_LINE_ELEMENTS : 0;
    for (uint r = 0; r < TALLY_WIDTH; r++) {
        rows.row[r] = in + TALLY_OFFSET(TALLY_KEPT_RANK, a->kept_size, a->kept_in,
                                        unit + (r < count ? r : 0));
        for (uint i = 0; i < asked; i += TALLY_CACHE_LINE_ELEMENTS)
            TALLY_PREFETCH(rows.row[r] + next + i);
    }
    /* Beside the rows there is memory of the input: nothing of it is used. */
    rows.low = in;
    rows.high = in + TALLY_REACH(*a);
    TALLY_FN(scan)(&rows, n, pitch, back, stage);
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_cpu_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const uint n = (uint)a.terms, pitch = (n + TALLY_RUN - 1) / TALLY_RUN * TALLY_RUN;
    const uint skip = a.axis_in != 1 ? pitch - n : 0;
    const bool streams = TALLY_STREAMS(a);
    const bool packed = TALLY_KEPT_RANK == 1 && a.kept_out[0] == n;
    /* Groups of whole lines leave at once. */
    const bool lines = TALLY_WIDTH * n % TALLY_CACHE_LINE_ELEMENTS == 0;
    const uint most = lines ? TALLY_WIDTH * n : TALLY_TOGETHER;
    tally_stored stage[TALLY_WIDTH * TALLY_SHORT_TERMS];
    tally_stored room[TALLY_TOGETHER + 2 * TALLY_WIDTH], *all = room + TALLY_WIDTH;
    in += a.head.in_offset;
    out += a.head.out_offset;
    TALLY_FOR_GRAINS(first, units, grain) {
        const tally_index end = min(first + grain, units);
        uint count = 0;
        for (tally_index unit = first; unit < end; unit += TALLY_WIDTH) {
            const uint rows = (uint)min((tally_index)TALLY_WIDTH, end - unit);
            TALLY_FN(group)(in, &a, unit, rows, pitch, packed && pitch == n ? all + count : stage);
            if (packed) {
                if (pitch != n)
                    TALLY_FN(pack)(stage, rows, n, pitch, a.axis_in != 1, all + count);
                count += rows * n;
                if (count + TALLY_WIDTH * n > most || unit + TALLY_WIDTH >= end) {
                    tally_flush(out + ((unit + rows) * n - count), all, count, streams,
                                in + (unit + rows) * (tally_index)a.kept_in[0] + TALLY_TOGETHER);
                    count = 0;
                }
            } else {
                for (uint r = 0; r < rows; r++)
                    tally_flush(out + TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out,
                                                   unit + r),
                                stage + skip + r * pitch, n, streams, in);
            }
        }
    }
}
