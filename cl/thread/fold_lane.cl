/*
 * A lane of a block of one output's terms, for any strides: its sum. TALLY_INDICES: terms come in
 * another order than their indices, which coordinates add up to.
 */
#if TALLY_FIRST
/* The coordinates of the i-th term along the swept axes. */
static void TALLY_FN(coordinates)(tally_index i, const tally_fold_any_args a, tally_index *at) {
#pragma unroll
    for (uint k = TALLY_SWEPT_RANK - 1; k > 0; k--) {
        const tally_index size = (tally_index)a.swept_size[k], outer = i / size;
        at[k] = i - outer * size;
        i = outer;
    }
    at[0] = i;
}

/* Where the term with these coordinates lies. */
static tally_index TALLY_FN(position_of)(const tally_fold_any_args a, const tally_index *at) {
    tally_index position = 0;
#pragma unroll
    for (uint k = 0; k < TALLY_SWEPT_RANK; k++)
        position += at[k] * (tally_index)a.swept_in[k];
    return position;
}

/* Where the term with these coordinates lies; then go on by those of step. */
static tally_index TALLY_FN(next_position)(const tally_fold_any_args a, const tally_index *step,
                                  tally_index *at) {
    const tally_index position = TALLY_FN(position_of)(a, at);
    uint carry = 0;
#pragma unroll
    for (uint k = TALLY_SWEPT_RANK - 1; k > 0; k--) {
        const tally_index size = (tally_index)a.swept_size[k];
        at[k] += step[k] + carry;
        carry = at[k] >= size;
        at[k] -= carry ? size : 0;
    }
    at[0] += step[0] + carry;
    return position;
}

/*
 * Go on by so many terms along the innermost axis, which has as many, and into the next ones behind
 * its end, which is seldom; the position goes with the coordinates.
 */
static void TALLY_FN(go_on)(const tally_fold_any_args a, uint terms, tally_index *at,
                            tally_index *position) {
    const uint last = TALLY_SWEPT_RANK - 1;
    at[last] += terms;
    *position += terms * (tally_index)a.swept_in[last];
    if (at[last] < (tally_index)a.swept_size[last])
        return;
#pragma unroll
    for (uint k = TALLY_SWEPT_RANK - 1; k > 0; k--) {
        const bool carry = at[k] >= (tally_index)a.swept_size[k];
        at[k] -= carry ? (tally_index)a.swept_size[k] : 0;
        at[k - 1] += carry;
    }
    *position = TALLY_FN(position_of)(a, at);
}

#if TALLY_INDICES
/* The index of the term with these coordinates. */
static tally_index TALLY_FN(index_of)(const tally_fold_any_args a, const tally_index *at) {
    tally_index index = 0;
#pragma unroll
    for (uint k = 0; k < TALLY_SWEPT_RANK; k++)
        index += at[k] * (tally_index)a.swept_index[k];
    return index;
}

/* A lane's sum and then count of its terms, each with its index. */
static tally_state TALLY_FN(take)(tally_state sum, const tally_compute *x, uint count,
                                  const tally_index *index) {
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (k < count)
            sum = tally_combine(sum, tally_begin(x[k], index[k]));
    return sum;
}
#endif

/*
 * A lane's part of a block that ends before end: the terms first, first + TALLY_LANES and so on of
 * the output that begins at in. A run's loads are all under way before the first is needed.
 */
static tally_state TALLY_FN(sum_lane)(__global const TALLY_SOURCE *in, const tally_fold_any_args a,
                                      tally_index first, tally_index end) {
    tally_index at[TALLY_SWEPT_RANK], step[TALLY_SWEPT_RANK];
    tally_state sum = tally_identity();
    TALLY_FN(coordinates)(first, a, at);
    TALLY_FN(coordinates)(TALLY_LANES, a, step);
    for (tally_index term = first; term < end; term += TALLY_LANE_RUN * TALLY_LANES) {
        const uint count =
            min((uint)TALLY_LANE_RUN, (uint)(end - term + TALLY_LANES - 1) / TALLY_LANES);
        tally_raw raw[TALLY_LANE_RUN];
        tally_compute x[TALLY_LANE_RUN];
#if TALLY_INDICES
        tally_index index[TALLY_LANE_RUN];
#endif
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++) {
#if TALLY_INDICES
            index[k] = TALLY_FN(index_of)(a, at);
#endif
            const tally_index position = TALLY_FN(next_position)(a, step, at);
            raw[k] = ((__global const tally_raw *)in)[k < count ? position : 0];
        }
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            x[k] = tally_of_raw(raw[k]);
#if TALLY_INDICES
        sum = TALLY_FN(take)(sum, x, count, index);
#else
        sum = tally_take(sum, x, count, term, TALLY_LANES);
#endif
    }
    return sum;
}
#else
/* The same of states. */
static tally_state TALLY_FN(sum_lane)(__global const TALLY_SOURCE *in, const tally_fold_any_args a,
                                      tally_index first, tally_index end) {
    tally_state sum = tally_identity();
    for (tally_index term = first; term < end; term += TALLY_LANES)
        sum = tally_combine(sum, tally_resume(in[TALLY_AT(a, term)],
                                              term + (tally_index)a.first_term,
                                              (tally_index)a.index_scale));
    return sum;
}
#endif
