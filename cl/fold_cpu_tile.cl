/*
 * A fold of short contiguous rows on a CPU: a row has at most as many terms as there are lanes. A
 * unit is a row; a work-item takes a.slices of them in one go, TALLY_WIDTH at a time, whose last
 * vectors it joins across one another.
 */

/* The v-th vector of a row, whose last one, count - 1, may be partly beyond its n terms. */
TALLY_INLINE tally_states TALLY_FN(single)(__global const TALLY_STORAGE *in, uint v, uint n,
                                           uint count, __global const TALLY_STORAGE *end) {
    const tally_places lane = TALLY_IOTA + v * TALLY_WIDTH;
    in += v * TALLY_WIDTH;
    if (v + 1 < count)
        return tally_single_all(tally_load_all(in), lane);
    const uint present = n - v * TALLY_WIDTH;
    const tally_computes x =
        end - in >= TALLY_WIDTH ? tally_load_all(in) : tally_load_some(in, present);
    return tally_either(TALLY_FIRST_LANES(present), tally_single_all(x, lane), tally_neutral_all());
}

/*
 * Rows of n terms in count vectors, down to a vector each; elements before end may be read. Half of
 * most, a constant, is less than count, and most is not.
 */
#define TALLY_ROWS(most, hint)                                                                     \
    _Pragma(hint) for (uint r = 0; r < TALLY_WIDTH; r++) {                                                       \
        __global const TALLY_STORAGE *row = in + origin[r];                                        \
        tally_states sum[most / 2];                                                                \
        _Pragma("unroll") for (uint v = 0; v < most / 2; v++) {                                    \
            sum[v] = tally_single_all(tally_load_all(row + v * TALLY_WIDTH),                       \
                                      TALLY_IOTA + v * TALLY_WIDTH);                               \
            if (v + most / 2 < count)                                                              \
                sum[v] =                                                                           \
                    tally_join_all(sum[v], TALLY_FN(single)(row, v + most / 2, n, count, end));    \
        }                                                                                          \
        _Pragma("unroll") for (uint half_count = most / 4; half_count > 0; half_count /= 2)        \
            _Pragma("unroll") for (uint v = 0; v < half_count; v++)                                \
                sum[v] = tally_join_all(sum[v], sum[v + half_count]);                              \
        each[r] = sum[0];                                                                          \
    }

#if TALLY_STATE_IS_SHIFTED
#define TALLY_UNROLL_ROWS "unroll 1"
#else
#define TALLY_UNROLL_ROWS "unroll"
#endif

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out, const tally_fold_args a) {
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.slices;
    const uint n = (uint)a.terms, count = (n + TALLY_WIDTH - 1) / TALLY_WIDTH;
    in += a.head.in_offset;
    out += a.head.out_offset;
    /* Behind the view's last element: a vector may reach over a row's end, but not over this. */
    __global const TALLY_STORAGE *end = in + n;
    for (uint k = 0; k < TALLY_KEPT_RANK; k++)
        end += (a.kept_size[k] - 1) * a.kept_in[k];
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index unit = first; unit < min(first + turn, units); unit += TALLY_WIDTH) {
            const uint rows = (uint)min((tally_index)TALLY_WIDTH, min(first + turn, units) - unit);
            tally_index origin[TALLY_WIDTH];
            tally_states each[TALLY_WIDTH];
            for (uint r = 0; r < TALLY_WIDTH; r++)
                origin[r] = TALLY_ORIGIN(a, unit + (r < rows ? r : 0));
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
            const tally_index inner = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
            if (TALLY_KEPT_RANK == 1 || unit % inner + rows <= inner) {
                TALLY_PUT_ALL(out, a, TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out, unit),
                              (tally_index)a.kept_out[TALLY_KEPT_RANK - 1], 0, sums, 0, rows);
            } else {
                tally_state state[TALLY_WIDTH];
                TALLY_FN(split)(sums, 0, state);
                for (uint r = 0; r < rows; r++)
                    TALLY_PUT(out, a, unit + r, 0, state[r]);
            }
        }
}
#undef TALLY_ROWS
#undef TALLY_UNROLL_ROWS
