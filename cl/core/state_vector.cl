/*
 * Numbers and states by the vector: what number.cl and state.cl say of one, here for TALLY_WIDTH
 * lanes at a time, 32 bytes. For kernels whose work-items are too few to be vectorised across. The
 * host gives the function's expressions over vectors as
 *
 *   tally_map_all(x) -> terms     tally_combine_all_terms(a, b) -> terms
 *
 * An index is carried as a position, an integer of the key's size that counts from the block's
 * start: positions of one block always fit.
 */

#if TALLY_FLOATING
/* Exponentials of TALLY_SIDES vectors, in their place. */
TALLY_INLINE void tally_exp_sides(tally_computes *x) {
#if TALLY_HAS_WIDES
#if TALLY_SIDES == 8
    const tally_wides y =
        tally_exp_wide((tally_wides)(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]));
    x[0] = y.lo.lo.lo;
    x[1] = y.lo.lo.hi;
    x[2] = y.lo.hi.lo;
    x[3] = y.lo.hi.hi;
    x[4] = y.hi.lo.lo;
    x[5] = y.hi.lo.hi;
    x[6] = y.hi.hi.lo;
    x[7] = y.hi.hi.hi;
#else
    const tally_wides y = tally_exp_wide((tally_wides)(x[0], x[1], x[2], x[3]));
    x[0] = y.lo.lo;
    x[1] = y.lo.hi;
    x[2] = y.hi.lo;
    x[3] = y.hi.hi;
#endif
#else
    for (uint v = 0; v < TALLY_SIDES; v++)
        x[v] = tally_exp_all(x[v]);
#endif
}
#endif
#if TALLY_STATE_IS_INDEXED
typedef struct {
    tally_keys key;
    tally_positions position;
} tally_states;
#elif TALLY_STATE_IS_SHIFTED
typedef struct {
    tally_computes top;
    tally_computes sum;
} tally_states;
#else
typedef tally_terms tally_states;
#endif

#if TALLY_STATE_IS_INDEXED
#define TALLY_NO_POSITION (TALLY_TIE_IS_LAST ? (tally_positions)(0) : ~(tally_positions)(0))

TALLY_INLINE tally_states tally_identity_all(void) {
    const tally_states identity = {(tally_keys)(TALLY_IDENTITY), TALLY_NO_POSITION};
    return identity;
}

TALLY_INLINE tally_states tally_combine_all(tally_states a, tally_states b) {
    const tally_positions tied =
        TALLY_TIE_IS_LAST ? max_(a.position, b.position) : min_(a.position, b.position);
    const tally_keys best = tally_combine_all_terms(a.key, b.key);
    const tally_positions differ = best == a.key ? a.position : b.position;
    const tally_states combined = {best, a.key == b.key ? tied : differ};
    return combined;
}

#elif TALLY_STATE_IS_SHIFTED
TALLY_INLINE tally_states tally_identity_all(void) {
    const tally_states identity = {(tally_computes)(LOWEST), (tally_computes)(TALLY_IDENTITY)};
    return identity;
}

/* The pair with the larger maximum, the other's sum, and how far its maximum lies below. */
TALLY_INLINE tally_states tally_leader(tally_states a, tally_states b, tally_computes *less_sum,
                                       tally_computes *gap) {
    const tally_masks a_leads = (a.top != a.top) | (a.top > b.top);
    const tally_states leader = {a_leads ? a.top : b.top, a_leads ? a.sum : b.sum};
    *less_sum = a_leads ? b.sum : a.sum;
    *gap = (a_leads ? b.top : a.top) - leader.top;
    return leader;
}

TALLY_INLINE tally_states tally_combine_all(tally_states a, tally_states b) {
    tally_computes less_sum, gap;
    tally_states combined = tally_leader(a, b, &less_sum, &gap);
    combined.sum = tally_combine_all_terms(combined.sum, less_sum * tally_exp_all(gap));
    return combined;
}

/* TALLY_SIDES vectors of pairs, and as many others combined with them. */
TALLY_INLINE void tally_combine_sides(tally_states *a, const tally_states *b) {
    tally_computes less_sum[TALLY_SIDES], gap[TALLY_SIDES];
#pragma unroll
    for (uint v = 0; v < TALLY_SIDES; v++)
        a[v] = tally_leader(a[v], b[v], less_sum + v, gap + v);
    tally_exp_sides(gap);
#pragma unroll
    for (uint v = 0; v < TALLY_SIDES; v++)
        a[v].sum = tally_combine_all_terms(a[v].sum, less_sum[v] * gap[v]);
}

#else
#define tally_identity_all() ((tally_terms)(TALLY_IDENTITY))
#define tally_combine_all(a, b) tally_combine_all_terms(a, b)
#endif

/* a where the mask is set, else b. */
TALLY_INLINE tally_states tally_either(tally_masks mask, tally_states a, tally_states b) {
#if TALLY_STATE_IS_INDEXED
    const tally_states either = {mask ? a.key : b.key, mask ? a.position : b.position};
#elif TALLY_STATE_IS_SHIFTED
    const tally_states either = {mask ? a.top : b.top, mask ? a.sum : b.sum};
#else
    const tally_states either = mask ? a : b;
#endif
    return either;
}

/* What lanes begin with that will take a term: of an index, the first term's position will do. */
TALLY_INLINE tally_states tally_begin_all(void) {
    tally_states begin = tally_identity_all();
#if TALLY_STATE_IS_INDEXED
    begin.position = (tally_positions)(0);
#endif
    return begin;
}

/* The states of single terms: what combining them with identities gives. */
TALLY_INLINE tally_states tally_single_all(tally_computes x, tally_positions position) {
#if TALLY_STATE_IS_INDEXED
    const tally_states single = {tally_map_all(x), position};
#elif TALLY_STATE_IS_SHIFTED
    const tally_computes term = tally_map_all(x);
    const tally_states single = {term, tally_nans_all(term) ? term : (tally_computes)(ONE)};
#else
    const tally_states single = tally_map_all(x);
#endif
    return single;
}

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

/*
 * Combining within vectors, of as many vectors as they have lanes: the halves of two are combined
 * and become one, until one is left, whose lanes are the results of each.
 */
#define TALLY_MERGER(part, left, right)                                                            \
    TALLY_INLINE void tally_split_##part(tally_states a, tally_states b, tally_states *to_one,     \
                                         tally_states *to_other) {                                 \
        TALLY_SPLIT_PAIR(left, right)                                                              \
        *to_one = one;                                                                             \
        *to_other = other;                                                                         \
    }                                                                                              \
    TALLY_INLINE tally_states tally_merge_##part(tally_states a, tally_states b) {                 \
        TALLY_SPLIT_PAIR(left, right)                                                              \
        return tally_combine_all(one, other);                                                      \
    }
#if TALLY_STATE_IS_INDEXED
#define TALLY_SPLIT_PAIR(left, right)                                                              \
    const tally_states one = {left(tally_keys, a.key, b.key),                                      \
                              left(tally_positions, a.position, b.position)};                      \
    const tally_states other = {right(tally_keys, a.key, b.key),                                   \
                                right(tally_positions, a.position, b.position)};
#elif TALLY_STATE_IS_SHIFTED
#define TALLY_SPLIT_PAIR(left, right)                                                              \
    const tally_states one = {left(tally_computes, a.top, b.top),                                  \
                              left(tally_computes, a.sum, b.sum)};                                 \
    const tally_states other = {right(tally_computes, a.top, b.top),                               \
                                right(tally_computes, a.sum, b.sum)};
#else
#define TALLY_SPLIT_PAIR(left, right)                                                              \
    const tally_states one = left(tally_terms, a, b), other = right(tally_terms, a, b);
#endif
#define TALLY_LOW(type, a, b) (type)((a).lo, (b).lo)
#define TALLY_HIGH(type, a, b) (type)((a).hi, (b).hi)
#define TALLY_EVEN(type, a, b) (type)((a).even, (b).even)
#define TALLY_ODD(type, a, b) (type)((a).odd, (b).odd)
TALLY_MERGER(halves, TALLY_LOW, TALLY_HIGH)
TALLY_MERGER(last, TALLY_EVEN, TALLY_ODD)
#if TALLY_WIDTH == 8
#define TALLY_LOW_PAIRS(type, a, b) (type)((a).s01, (a).s45, (b).s01, (b).s45)
#define TALLY_HIGH_PAIRS(type, a, b) (type)((a).s23, (a).s67, (b).s23, (b).s67)
TALLY_MERGER(quarters, TALLY_LOW_PAIRS, TALLY_HIGH_PAIRS)
#endif

/* The lanes of each of TALLY_WIDTH vectors, combined by halving. */
TALLY_INLINE tally_states tally_merge_all(const tally_states *each) {
#if TALLY_WIDTH == 8
    const tally_states a = tally_merge_quarters(tally_merge_halves(each[0], each[1]),
                                                tally_merge_halves(each[2], each[3]));
    const tally_states b = tally_merge_quarters(tally_merge_halves(each[4], each[5]),
                                                tally_merge_halves(each[6], each[7]));
    return tally_merge_last(a, b);
#else
    return tally_merge_last(tally_merge_halves(each[0], each[1]),
                            tally_merge_halves(each[2], each[3]));
#endif
}

/* The lanes of one vector, combined by halving: the first lane is the result. */
TALLY_INLINE tally_states tally_merge_one(tally_states states) {
#if TALLY_WIDTH == 8
    states = tally_merge_halves(states, states);
    states = tally_merge_quarters(states, states);
#else
    states = tally_merge_halves(states, states);
#endif
    return tally_merge_last(states, states);
}

/* The results of rows of count elements. */
#if TALLY_STATE_IS_SHIFTED
#define tally_end_all(states, count)                                                               \
    tally_finalize_all((states).sum, (tally_compute)(count), (states).top)
#elif !TALLY_STATE_IS_INDEXED
#define tally_end_all(states, count)                                                               \
    tally_finalize_all((states), (tally_compute)(count), (tally_computes)(ZERO))
#endif
