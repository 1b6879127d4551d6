/*
 * A fold of short contiguous rows on a CPU: a row has at most as many terms as there are lanes. A
 * unit is a row; a work-item takes a.grain of them in one go, TALLY_WIDTH at a time, whose last
 * vectors it combines across one another.
 */

/* The v-th vector of a row, whose last one, count - 1, may be partly beyond its n terms. */
TALLY_INLINE tally_states TALLY_FN(single)(__global const TALLY_STORAGE *in, uint v, uint n,
                                           uint count, __global const TALLY_STORAGE *end) {
    const tally_positions lane = TALLY_IOTA + v * TALLY_WIDTH;
    in += v * TALLY_WIDTH;
    if (v + 1 < count || n == count * TALLY_WIDTH)
        return tally_single_all(tally_load_all(in), lane);
    const uint present = n - v * TALLY_WIDTH;
    const tally_computes x =
        end - in >= TALLY_WIDTH ? tally_load_all(in) : tally_load_some(in, present);
    return tally_either(TALLY_FIRST_LANES(present), tally_single_all(x, lane),
                        tally_identity_all());
}

/*
 * Rows of n terms in count vectors, down to a vector each; elements before end may be read. Half of
 * most, a constant, is less than count, and most is not.
 */
#define TALLY_ROWS(most, hint)                                                                     \
    _Pragma(hint) for (uint r = 0; r < TALLY_WIDTH; r++) {                                         \
        __global const TALLY_STORAGE *row = in + origin[r];                                        \
        tally_states sum[most / 2];                                                                \
        _Pragma("unroll") for (uint v = 0; v < most / 2; v++) {                                    \
            sum[v] = tally_single_all(tally_load_all(row + v * TALLY_WIDTH),                       \
                                      TALLY_IOTA + v * TALLY_WIDTH);                               \
            if (v + most / 2 < count)                                                              \
                sum[v] =                                                                           \
                    tally_combine_all(sum[v], TALLY_FN(single)(row, v + most / 2, n, count, end)); \
        }                                                                                          \
        _Pragma("unroll") for (uint half_count = most / 4; half_count > 0; half_count /= 2)        \
            _Pragma("unroll") for (uint v = 0; v < half_count; v++)                                \
                sum[v] = tally_combine_all(sum[v], sum[v + half_count]);                           \
        each[r] = sum[0];                                                                          \
    }

#if TALLY_STATE_IS_SHIFTED
#define TALLY_UNROLL_ROWS "unroll 1"
#else
#define TALLY_UNROLL_ROWS "unroll"
#endif

#if TALLY_STATE_IS_SHIFTED
/* Rows that are combined side by side; as many vectors before that. */
#define TALLY_ROWS_ABREAST (TALLY_SIDES * TALLY_WIDTH)

/* Vectors of which two neighbours each become one, the halves of both combined. */
#define TALLY_MERGE_SIDES(each, count, split)                                                      \
    _Pragma("unroll 1") for (uint i = 0; i < (count) / 2; i += TALLY_SIDES) {                      \
        tally_states one[TALLY_SIDES], other[TALLY_SIDES];                                         \
        _Pragma("unroll") for (uint k = 0; k < TALLY_SIDES; k++)                                   \
            split((each)[2 * (i + k)], (each)[2 * (i + k) + 1], one + k, other + k);               \
        tally_combine_sides(one, other);                                                           \
        _Pragma("unroll") for (uint k = 0; k < TALLY_SIDES; k++)(each)[i + k] = one[k];            \
    }

/* The sums of TALLY_SIDES vectors of rows, a stride apart; all of their vectors is read. */
static void TALLY_FN(sides)(__global const TALLY_STORAGE *in, tally_index stride, uint n,
                            tally_states *each) {
    const bool two = n > TALLY_WIDTH;
    const tally_masks present = TALLY_FIRST_LANES(two ? n - TALLY_WIDTH : n);
#pragma unroll 1
    for (uint r = 0; r < TALLY_ROWS_ABREAST; r += TALLY_SIDES) {
        tally_states last[TALLY_SIDES];
#pragma unroll
        for (uint k = 0; k < TALLY_SIDES; k++) {
            __global const TALLY_STORAGE *row = in + (r + k) * stride;
            last[k] = tally_either(
                present,
                tally_single_all(tally_load_all(two ? row + TALLY_WIDTH : row), TALLY_IOTA),
                tally_identity_all());
            each[r + k] = two ? tally_single_all(tally_load_all(row), TALLY_IOTA) : last[k];
        }
        if (two)
            tally_combine_sides(each + r, last);
    }
    TALLY_MERGE_SIDES(each, TALLY_ROWS_ABREAST, tally_split_halves)
#if TALLY_WIDTH == 8
    TALLY_MERGE_SIDES(each, TALLY_ROWS_ABREAST / 2, tally_split_quarters)
#endif
    TALLY_MERGE_SIDES(each, 2 * TALLY_SIDES, tally_split_last)
}
#else
#define TALLY_ROWS_ABREAST TALLY_WIDTH

/*
 * TALLY_WIDTH rows of n terms in up to two vectors each, at those positions; all of these is read.
 */
TALLY_INLINE tally_states TALLY_FN(pairs)(__global const TALLY_STORAGE *in,
                                          const tally_index *origin, uint n, const bool two) {
    const tally_masks present = TALLY_FIRST_LANES(two ? n - TALLY_WIDTH : n);
    tally_states each[TALLY_WIDTH];
#pragma unroll
    for (uint r = 0; r < TALLY_WIDTH; r++) {
        const tally_states last = tally_either(
            present,
            tally_single_all(tally_load_all(in + origin[r] + (two ? TALLY_WIDTH : 0)),
                             TALLY_IOTA + (two ? TALLY_WIDTH : 0)),
            tally_identity_all());
        each[r] = last;
        if (two)
            each[r] = tally_combine_all(tally_single_all(tally_load_all(in + origin[r]),
                                                         TALLY_IOTA),
                                     last);
    }
    return tally_merge_all(each);
}

static void TALLY_FN(sides)(__global const TALLY_STORAGE *in, tally_index stride, uint n,
                            tally_states *each) {
    tally_index origin[TALLY_WIDTH];
#pragma unroll
    for (uint r = 0; r < TALLY_WIDTH; r++)
        origin[r] = r * stride;
    each[0] = n > TALLY_WIDTH ? TALLY_FN(pairs)(in, origin, n, true)
                              : TALLY_FN(pairs)(in, origin, n, false);
}
#endif

/* Vectors of sums that are combined side by side. */
#define TALLY_SUMS (TALLY_ROWS_ABREAST / TALLY_WIDTH)

/*
 * As many rows so close that they are taken apart into a vector of each term: of n, at most stride.
 */
TALLY_INLINE void TALLY_FN(woven)(__global const tally_stored *in, const uint stride, uint n,
                                  tally_states *sums) {
    tally_states term[TALLY_WOVEN_MAX][TALLY_SUMS];
#pragma unroll
    for (uint v = 0; v < TALLY_SUMS; v++) {
        tally_storeds x[TALLY_WOVEN_MAX];
#pragma unroll
        for (uint k = 0; k < stride; k++)
            x[k] = TALLY_BROUGHT(in + (v * stride + k) * TALLY_WIDTH);
        tally_part(x, stride);
#pragma unroll
        for (uint k = 0; k < stride; k++)
            term[k][v] = tally_single_all(tally_computes_of(x[k]), (tally_positions)(k));
    }
    if (stride > 2 && n > 2)
        TALLY_FN(combine_rows)(term[0], term[2], TALLY_SUMS);
    if (stride > 3 && n > 3)
        TALLY_FN(combine_rows)(term[1], term[3], TALLY_SUMS);
    TALLY_FN(combine_rows)(term[0], term[1], TALLY_SUMS);
#pragma unroll
    for (uint v = 0; v < TALLY_SUMS; v++)
        sums[v] = term[0][v];
}
#define TALLY_WOVEN(stride) TALLY_FN(woven)((__global const tally_stored *)row, stride, n, sums)

/* Outputs that are neighbours in the input, a stride apart, whatever their axes. */
static tally_index TALLY_FN(rows_of)(const tally_fold_cpu_args *a) {
    const tally_index stride = (tally_index)a->kept_in[TALLY_KEPT_RANK - 1];
    tally_index rows = 1;
    for (uint k = TALLY_KEPT_RANK; k-- > 0 && a->kept_in[k] == rows * stride;)
        rows *= (tally_index)a->kept_size[k];
    return rows;
}

/*
 * Many rows a stride apart from that output's on, whose vectors end within room elements: nothing
 * is asked for each row. Returns how many of those left were done.
 */
static tally_index TALLY_FN(straight)(const tally_fold_cpu_args *a,
                                      __global const TALLY_STORAGE *in, uint n, long room,
                                      tally_index left, tally_index output,
                                      TALLY_FN(out_row) *to, __global TALLY_TARGET *out) {
    const tally_index stride = (tally_index)a->kept_in[TALLY_KEPT_RANK - 1];
    const bool woven = n > 1 && n <= stride && TALLY_IS_WOVEN(stride); /* rows may overlap */
    const long reach =
        woven ? (long)(TALLY_ROWS_ABREAST * stride)
              : (long)((TALLY_ROWS_ABREAST - 1) * stride) +
                    (n > TALLY_WIDTH ? 2 * TALLY_WIDTH : TALLY_WIDTH);
    tally_index done = 0;
    for (; left - done >= TALLY_ROWS_ABREAST && (long)(done * stride) + reach <= room;
         done += TALLY_ROWS_ABREAST) {
        __global const TALLY_STORAGE *row = in + done * stride;
        tally_states sums[TALLY_ROWS_ABREAST];
        tally_foresee(row, TALLY_ROWS_ABREAST * stride);
        if (woven) {
            TALLY_FOR_WOVEN(stride, TALLY_WOVEN)
        } else {
            TALLY_FN(sides)(row, stride, n, sums);
        }
#pragma unroll 1
        for (uint v = 0; v < TALLY_SUMS; v++)
            TALLY_FN(put_outputs)(a, to, out, 0, output + done + v * TALLY_WIDTH, sums[v],
                                  TALLY_WIDTH);
    }
    return done;
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const uint n = (uint)a.terms, count = (n + TALLY_WIDTH - 1) / TALLY_WIDTH;
    in += a.head.in_offset;
    out += a.head.out_offset;
    /* Behind the view's last element: a vector may reach over a row's end, but not over this. */
    __global const TALLY_STORAGE *end =
        in + (n + TALLY_FN(reach)(TALLY_KEPT_RANK, a.kept_size, a.kept_in));
    const tally_index inner = TALLY_FN(rows_of)(&a);
    TALLY_FN(out_row) to = TALLY_NO_ROW;
    const bool many_beside = TALLY_KEPT_RANK == 1 || inner >= 2 * TALLY_ROWS_ABREAST;
    TALLY_FOR_GRAINS(first, units, grain) {
        const tally_index stop = min(first + grain, units);
        for (tally_index unit = first; unit < stop;) {
            if (many_beside && count <= 2) {
                __global const TALLY_STORAGE *row = in + TALLY_ORIGIN(a, unit);
                const tally_index left = min(stop - unit, inner - unit % inner);
                const tally_index done =
                    TALLY_FN(straight)(&a, row, n, end - row, left, unit, &to, out);
                unit += done;
                if (done > 0)
                    continue;
            }
            const uint rows = (uint)min((tally_index)TALLY_WIDTH, stop - unit);
            tally_index origin[TALLY_WIDTH];
            tally_states each[TALLY_WIDTH];
            tally_index furthest = 0;
            TALLY_FN(walk)(origin, rows, unit, TALLY_KEPT_RANK, a.kept_size, a.kept_in);
            for (uint r = 0; r < TALLY_WIDTH; r++) {
                origin[r] = r < rows ? origin[r] : origin[0];
                furthest = max(furthest, origin[r]);
            }
#if !TALLY_STATE_IS_SHIFTED
            if (count <= 2 && end - in >= (long)(furthest + count * TALLY_WIDTH)) {
                const tally_states sums = count > 1 ? TALLY_FN(pairs)(in, origin, n, true)
                                                    : TALLY_FN(pairs)(in, origin, n, false);
                TALLY_FN(put_outputs)(&a, &to, out, 0, unit, sums, rows);
                unit += rows;
                continue;
            }
#endif
            if (count <= 1)
                for (uint r = 0; r < TALLY_WIDTH; r++)
                    each[r] = TALLY_FN(single)(in + origin[r], 0, n, count, end);
            else if (count <= 2) {
                TALLY_ROWS(2, TALLY_UNROLL_ROWS)
            } else if (count <= 4) {
                TALLY_ROWS(4, "unroll 1")
            } else if (count <= 8) {
                TALLY_ROWS(8, "unroll 1")
            } else if (count <= 16) {
                TALLY_ROWS(16, "unroll 1")
            } else {
                TALLY_ROWS(TALLY_STRIPE, "unroll 1")
            }
            const tally_states sums = tally_merge_all(each);
            TALLY_FN(put_outputs)(&a, &to, out, 0, unit, sums, rows);
            unit += rows;
        }
    }
}
