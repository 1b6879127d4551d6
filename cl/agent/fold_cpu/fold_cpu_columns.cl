/*
 * A fold down columns on a CPU: outputs that are neighbours have terms that are neighbours. A unit
 * is one block of a strip of a.strip_columns columns; the last strip has the rest too, and so less
 * than twice as many. The lanes are visited in bit-reversed order, in which combining by halving
 * needs one row of states per halving, like the digits of a counter; a lane's rows are read side by
 * side, a run of them at a time; of few rows those of eight lanes, which are combined in registers.
 */

/* Rows that are read next: short pieces here and there, which no device foresees. */
typedef struct {
    __global const TALLY_STORAGE *in;
    tally_index stride;
    uint count;
} TALLY_FN(ahead);

/* The rows of n from that one on, so many apart. */
TALLY_INLINE TALLY_FN(ahead) TALLY_FN(rows_ahead)(__global const TALLY_STORAGE *in,
                                                  tally_index stride, uint n, uint row,
                                                  uint row_step) {
    const uint count = row < n ? (n - row + row_step - 1) / row_step : 0;
    const TALLY_FN(ahead) ahead = {in + row * stride, row_step * stride, count};
    return ahead;
}

/* Bring lines of them nearer that begin in count columns from that one on. */
TALLY_INLINE void TALLY_FN(ask)(const TALLY_FN(ahead) *ahead, uint column, uint count) {
    const uint line = TALLY_CACHE_LINE / TALLY_BYTES;
    for (uint c = (column + line - 1) / line * line; c < column + count; c += line)
        for (uint i = 0; i < ahead->count; i++)
            TALLY_PREFETCH_FAR(ahead->in + (i * ahead->stride + c));
}

/* One run of count rows over the whole strip. */
static void TALLY_FN(sweep)(__global const TALLY_STORAGE *in, tally_index stride, uint count,
                            uint width, const TALLY_FN(run) *run, const TALLY_FN(ahead) *ahead,
                            TALLY_FN(strip) *strip) {
    const uint slots = (width + TALLY_WIDTH - 1) / TALLY_WIDTH;
    uint slot = 0;
    if (TALLY_STATE_IS_SHIFTED || count == TALLY_LANE_RUN)
        for (; (slot + TALLY_ABREAST) * TALLY_WIDTH <= width; slot += TALLY_ABREAST) {
            TALLY_FN(ask)(ahead, slot * TALLY_WIDTH, TALLY_ABREAST * TALLY_WIDTH);
            TALLY_FN(passes)(in + slot * TALLY_WIDTH, stride, count, run, slot, strip);
        }
    for (; slot < slots; slot++) {
        TALLY_FN(ask)(ahead, slot * TALLY_WIDTH, TALLY_WIDTH);
        TALLY_FN(pass)(in + min(slot * TALLY_WIDTH, width - TALLY_WIDTH), stride, count, run, slot,
                       strip);
    }
}

#if !TALLY_EXACT && !TALLY_STATE_IS_SHIFTED
/* Lanes of a block of few rows that are combined in registers, and the halvings that does. */
#define TALLY_OCTET 8
#define TALLY_OCTET_LEVELS 3
#define TALLY_OCTET_ROWS (4 * TALLY_LANES)
#define TALLY_OCTET_LANE(q) (((q)&1) * 4 + ((q)&2) + (q) / 4)
#define TALLY_OCTET_TAKE(q)                                                                        \
    sum[q] = tally_combine_all(                                                                    \
        sum[q], tally_map_all(tally_load_all(                                                      \
                    in + (row + TALLY_OCTET_LANE(q) * row_step) * stride + column)));

/* So many visits from that one on, over the whole strip: their rows are read side by side. */
static void TALLY_FN(octet)(__global const TALLY_STORAGE *in, tally_index stride, uint n,
                            uint width, uint visit, uint levels,
                            __global const TALLY_STORAGE *next, TALLY_FN(strip) *strip) {
    const uint lanes = 1u << levels, row_step = lanes / TALLY_OCTET;
    const uint first = TALLY_FN(lane_of)(visit, levels), then = visit + TALLY_OCTET;
    const TALLY_FN(ahead) ahead =
        then < lanes
            ? TALLY_FN(rows_ahead)(in, stride, n, TALLY_FN(lane_of)(then, levels), row_step)
            : TALLY_FN(rows_ahead)(next, stride, n, 0, row_step);
    for (uint slot = 0; slot * TALLY_WIDTH < width; slot++) {
        const uint column = min(slot * TALLY_WIDTH, width - TALLY_WIDTH);
        tally_states sum[TALLY_OCTET];
        uint level = TALLY_OCTET_LEVELS, row = first;
        TALLY_FN(ask)(&ahead, slot * TALLY_WIDTH, TALLY_WIDTH);
#pragma unroll
        for (uint q = 0; q < TALLY_OCTET; q++)
            sum[q] = tally_identity_all();
#pragma unroll 1
        for (; row + (TALLY_OCTET - 1) * row_step < n; row += lanes)
#pragma unroll
            for (uint q = 0; q < TALLY_OCTET; q++)
                TALLY_OCTET_TAKE(q)
        if (row < n)
#pragma unroll
            for (uint q = 0; q < TALLY_OCTET - 1; q++)
                if (row + TALLY_OCTET_LANE(q) * row_step < n)
                    TALLY_OCTET_TAKE(q)
#pragma unroll
        for (uint half_count = TALLY_OCTET / 2; half_count > 0; half_count /= 2)
#pragma unroll
            for (uint q = 0; q < half_count; q++)
                sum[q] = tally_combine_all(sum[2 * q], sum[2 * q + 1]);
        for (; (visit >> level & 1u) != 0; level++)
            sum[0] = tally_combine_all(strip->rest[level][slot], sum[0]);
        strip->rest[level][slot] = sum[0];
    }
}
#endif

/*
 * One block of n rows of width columns; returns the level at which the results rest. The block that
 * begins at next comes after it.
 */
static uint TALLY_FN(block)(__global const TALLY_STORAGE *in, tally_index stride, uint n,
                            uint width, __global const TALLY_STORAGE *next,
                            TALLY_FN(strip) *strip) {
    TALLY_FN(run) run;
    uint levels = 0;
    /* Where combining is exact, one lane takes all rows, as they lie. */
    run.lanes = TALLY_EXACT ? 1 : TALLY_FN(lanes_for)(n);
    while (1u << levels < run.lanes)
        levels++;
#if !TALLY_EXACT && !TALLY_STATE_IS_SHIFTED
    if (n <= TALLY_OCTET_ROWS) { /* lanes beyond the last row are the identity: there may be more */
        levels = max(levels, (uint)TALLY_OCTET_LEVELS);
        for (uint visit = 0; visit < 1u << levels; visit += TALLY_OCTET)
            TALLY_FN(octet)(in, stride, n, width, visit, levels, next, strip);
        return levels;
    }
#endif
    for (run.visit = 0; run.visit < run.lanes; run.visit++) {
        const bool is_end = run.visit + 1 == run.lanes;
        const uint then = is_end ? 0 : TALLY_FN(lane_of)(run.visit + 1, levels);
        run.is_first = true;
        run.row = TALLY_FN(lane_of)(run.visit, levels);
        do {
            const uint left = run.row < n ? (n - run.row + run.lanes - 1) / run.lanes : 0;
            const uint step = TALLY_LANE_RUN * run.lanes;
            run.is_last = left <= TALLY_LANE_RUN;
            TALLY_FN(ahead)
            ahead = TALLY_FN(rows_ahead)(run.is_last && is_end ? next : in, stride, n,
                                         run.is_last ? then : run.row + step, run.lanes);
            ahead.count = min(ahead.count, (uint)TALLY_LANE_RUN);
            TALLY_FN(sweep)(in + run.row * stride, run.lanes * stride,
                            min(left, (uint)TALLY_LANE_RUN), width, &run, &ahead, strip);
            run.is_first = false;
            run.row += step;
        } while (!run.is_last);
    }
    return levels;
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_columns_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index strips = max((tally_index)(a.columns / a.strip_columns), (tally_index)1);
    const tally_index stride = (tally_index)a.swept_in[TALLY_SWEPT_RANK - 1];
    TALLY_FN(out_row) row = TALLY_NO_ROW;
    TALLY_FN(strip) strip;
    in += a.head.in_offset;
    out += a.head.out_offset;
    TALLY_FOR_UNITS(unit, first, units, grain) {
        const TALLY_FN(position) here = TALLY_FN(position_of)(&a, strips, unit);
        const TALLY_FN(position) then = TALLY_FN(position_of)(
            &a, strips, unit + 1 < units ? unit + 1 : unit);
        const tally_index begin = here.block * TALLY_BLOCK;
        const uint n = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin);
        const uint level = TALLY_FN(block)(
            in + TALLY_ORIGIN(a, here.output) + begin * stride, stride, n, here.width,
            in + TALLY_ORIGIN(a, then.output) + then.block * TALLY_BLOCK * stride, &strip);
        for (uint slot = 0; slot * TALLY_WIDTH < here.width; slot++) {
            const uint column = min(slot * TALLY_WIDTH, here.width - TALLY_WIDTH);
            TALLY_FN(put_outputs)(&a, &row, out, here.block, here.output + column,
                                  strip.rest[level][slot], TALLY_WIDTH);
        }
    }
}
