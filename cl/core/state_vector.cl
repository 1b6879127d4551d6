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

/* The results of rows of count elements. */
#if TALLY_STATE_IS_SHIFTED
#define tally_end_all(states, count)                                                               \
    tally_finalize_all((states).sum, (tally_compute)(count), (states).top)
#elif !TALLY_STATE_IS_INDEXED
#define tally_end_all(states, count)                                                               \
    tally_finalize_all((states), (tally_compute)(count), (tally_computes)(ZERO))
#endif
