/*
 * Terms into states by the vector: elements become the lanes' next terms, a run of each lane at a
 * time. How states are combined, state_vector.cl says.
 */

#define TALLY_WHOLE(k) ((k) + 1 < count || present == TALLY_WIDTH)

#if TALLY_STATE_IS_SHIFTED
/* The larger of numbers; of float16 as keys, for the reason of tally_nans_all. */
TALLY_INLINE tally_computes tally_higher_all(tally_computes a, tally_computes b) {
#if TALLY_BYTES == 2
    const tally_keys x = TALLY_KEY_FOLD(TALLY_AS_SIGNED(a)), y = TALLY_KEY_FOLD(TALLY_AS_SIGNED(b));
    return tally_key_values(x > y ? x : y);
#else
    return a > b ? a : b;
#endif
}

/*
 * Count terms of each lane, at most TALLY_LANE_RUN, as a pair; the others of x are the identity. Of
 * the last vector the first present lanes are there. In a full run count and present are constants.
 * The maximum is found in pairs and whether any is NaN apart from it, so that little has to wait.
 */
TALLY_INLINE tally_states tally_run_of(tally_computes *x, uint count, uint present) {
    tally_computes highest[TALLY_LANE_RUN];
    tally_masks nan = (tally_masks)(0);
    tally_states run = tally_identity_all();
    const tally_masks partial = TALLY_FIRST_LANES(present);
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++) {
        nan |= tally_nans_all(x[k]);
        highest[k] = x[k];
    }
#pragma unroll
    for (uint half_count = TALLY_LANE_RUN / 2; half_count > 0; half_count /= 2)
#pragma unroll
        for (uint k = 0; k < half_count; k++)
            highest[k] = tally_higher_all(highest[k], highest[k + half_count]);
    run.top = nan ? (tally_computes)(QUIET_NAN) : highest[0];
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        x[k] -= run.top;
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k += TALLY_SIDES)
        if (k < count)
            tally_exp_sides(x + k);
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (k < count) {
            const tally_computes combined = tally_combine_all_terms(run.sum, x[k]);
            run.sum = TALLY_WHOLE(k) ? combined : partial ? combined : run.sum;
        }
    return run;
}

/* The same of elements, from in on and a stride apart. */
TALLY_INLINE tally_states tally_run_all(__global const TALLY_STORAGE *in, tally_index stride,
                                        uint count, uint present) {
    tally_computes x[TALLY_LANE_RUN];
    const tally_masks partial = TALLY_FIRST_LANES(present);
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++) {
        x[k] = (tally_computes)(LOWEST);
        if (k < count)
            x[k] = tally_map_all(TALLY_WHOLE(k) ? tally_load_all(in + k * stride)
                                                : tally_load_some(in + k * stride, present));
        if (k < count && !TALLY_WHOLE(k))
            x[k] = partial ? x[k] : (tally_computes)(LOWEST);
    }
    return tally_run_of(x, count, present);
}

/* Those as the lanes' next part. */
TALLY_INLINE tally_states tally_take_all(tally_states sum, __global const TALLY_STORAGE *in,
                                         tally_index stride, uint count, uint present,
                                         uint position, uint step) {
    return tally_combine_all(sum, tally_run_all(in, stride, count, present));
}

#else
/*
 * The lanes' sums and then count of their elements each, at most TALLY_LANE_RUN, from in on and a
 * stride apart; the first has that position, the next one step more, and so on. Of the last vector
 * the first present lanes are there. In a full run count and present are constants.
 */
TALLY_INLINE tally_states tally_take_all(tally_states sum, __global const TALLY_STORAGE *in,
                                         tally_index stride, uint count, uint present,
                                         uint position, uint step) {
    const tally_masks partial = TALLY_FIRST_LANES(present);
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (k < count) {
            const tally_terms x =
                tally_map_all(TALLY_WHOLE(k) ? tally_load_all(in + k * stride)
                                             : tally_load_some(in + k * stride, present));
#if TALLY_STATE_IS_INDEXED
            /* Positions of a lane go up: a later term must be better, or as good and liked more. */
            const tally_keys best = tally_combine_all_terms(sum.key, x);
            const tally_masks better = TALLY_TIE_IS_LAST ? best == x : best != sum.key;
            const tally_masks wins = TALLY_WHOLE(k) ? better : better & partial;
            sum.position = wins ? (tally_positions)(position + k * step) : sum.position;
            sum.key = TALLY_WHOLE(k) ? best : partial ? best : sum.key;
#else
            const tally_terms combined = tally_combine_all_terms(sum, x);
            sum = TALLY_WHOLE(k) ? combined : partial ? combined : sum;
#endif
        }
    return sum;
}
#endif
