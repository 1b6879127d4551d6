/*
 * States: what a fold or scan carries from term to term, for the program's one function, which the
 * host gives as TALLY_IDENTITY, TALLY_EMPTY and three functions over a tally_term, the compute type
 * or, for KEY and INDEXED, the key:
 *
 *   tally_map(x) -> term     tally_combine_terms(a, b) -> term     tally_finalize(a, n, t) -> value
 *
 * From these comes the state, which lanes carry and launches hand on.
 */

/* Halvings that combine n states, a constant of at most 512. */
#define TALLY_LOG2(n)                                                                              \
    (((n) > 1) + ((n) > 2) + ((n) > 4) + ((n) > 8) + ((n) > 16) + ((n) > 32) + ((n) > 64) +        \
     ((n) > 128) + ((n) > 256))

/* Combining does not round: in whatever order, they give the same state. */
#define TALLY_EXACT (TALLY_STATE_IS_KEY || TALLY_STATE_IS_INDEXED || !TALLY_FLOATING)

#if TALLY_STATE_IS_INDEXED
typedef struct {
    tally_key key;
    tally_index index;
} tally_state;
#elif TALLY_STATE_IS_SHIFTED
typedef struct {
    tally_compute top; /* the maximum */
    tally_compute sum; /* of exp(x - top) */
} tally_state;
#else
typedef tally_term tally_state;
#endif

typedef char tally_assert_state[sizeof(tally_state) == TALLY_STATE_BYTES ? 1 : -1];

#if TALLY_STATE_IS_INDEXED
/* Loses every tie against a term: its index is the one that the tie rule likes least. */
static tally_state tally_identity(void) {
    const tally_state identity = {TALLY_IDENTITY, TALLY_TIE_IS_LAST ? 0 : ~(tally_index)0};
    return identity;
}

static tally_state tally_combine(tally_state a, tally_state b) {
    const tally_index tied = TALLY_TIE_IS_LAST ? max(a.index, b.index) : min(a.index, b.index);
    const tally_key best = tally_combine_terms(a.key, b.key);
    const tally_state combined = {best,
                                a.key == b.key ? tied : best == a.key ? a.index : b.index};
    return combined;
}

#elif TALLY_STATE_IS_SHIFTED
static tally_state tally_identity(void) {
    const tally_state identity = {LOWEST, TALLY_IDENTITY};
    return identity;
}

/*
 * The smaller maximum's sum is weighed; the larger one's weight is 1. Where both are infinite their
 * difference is NaN and the weight means nothing, but the sum stays positive and finite, which is
 * all that matters beside an infinite maximum.
 */
static tally_state tally_combine(tally_state a, tally_state b) {
    const bool a_leads = isnan(a.top) || a.top > b.top;
    const tally_compute top = a_leads ? a.top : b.top, lower = a_leads ? b.top : a.top;
    const tally_compute sum = a_leads ? a.sum : b.sum, other = a_leads ? b.sum : a.sum;
    const tally_state combined = {top, tally_combine_terms(sum, other * tally_exp(lower - top))};
    return combined;
}

/* The pair of count elements; of more than one, tops that are NaN are looked for two at a time. */
static tally_state tally_pair(const tally_compute *x, uint count) {
    tally_compute top = tally_map(x[0]);
    bool nan = count == 1 && isnan(top);
#pragma unroll
    for (uint k = 1; k < TALLY_LANE_RUN; k++)
        if (k < count) {
            top = fmax(top, tally_map(x[k]));
            if (k % 2 == 1 || k + 1 == count)
                nan = nan || isunordered(x[k], x[k - 1]);
        }
    tally_compute sum = TALLY_IDENTITY;
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (k < count)
            sum = tally_combine_terms(sum, tally_exp(tally_map(x[k]) - top));
    const tally_state pair = {nan ? QUIET_NAN : top, sum};
    return pair;
}
#else
static tally_state tally_identity(void) {
    return TALLY_IDENTITY;
}
#define tally_combine(a, b) tally_combine_terms(a, b)
#endif

/* The state of a row's index-th element alone. */
static tally_state tally_begin(tally_compute x, tally_index index) {
#if TALLY_STATE_IS_INDEXED
    const tally_state state = {tally_map(x), index};
#elif TALLY_STATE_IS_SHIFTED
    const tally_state state = {x, ONE};
#else
    const tally_state state = tally_combine(tally_identity(), tally_map(x));
#endif
    return state;
}

/*
 * A lane's sum and then count of its elements, at most TALLY_LANE_RUN; the first is the index-th of
 * the row, and they are step apart in it. All loops have constant bounds, so that x stays in
 * registers.
 */
static tally_state tally_take(tally_state sum, const tally_compute *x, uint count,
                              tally_index index, uint step) {
#if TALLY_STATE_IS_SHIFTED
    /* Only the identity has no sum; combining it would change nothing and cost an exponential. */
    const tally_state pair = tally_pair(x, count);
    return sum.sum == ZERO ? pair : tally_combine(sum, pair);
#else
#if TALLY_STATE_IS_INDEXED
    /* The first term may be no better than the identity, but it has a position. */
    sum.index = min(sum.index, index);
#endif
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (k < count) {
#if TALLY_STATE_IS_INDEXED
            /* Indices go up: a later term must be better, or as good and liked more. */
            const tally_key key = tally_map(x[k]);
            const tally_key best = tally_combine_terms(sum.key, key);
            const bool wins = TALLY_TIE_IS_LAST ? best == key : best != sum.key;
            sum.index = wins ? index + k * step : sum.index;
            sum.key = best;
#else
            sum = tally_combine(sum, tally_map(x[k]));
#endif
        }
    return sum;
#endif
}

/* The same of one element, which needs no exponential beside itself. */
static tally_state tally_take_one(tally_state sum, tally_compute x, tally_index index) {
#if TALLY_STATE_IS_SHIFTED
    const tally_compute top = tally_map(x);
    const tally_state single = {isnan(top) ? QUIET_NAN : top, ONE};
    return sum.sum == ZERO ? single : tally_combine(sum, single);
#else
    return tally_take(sum, &x, 1, index, 1);
#endif
}

/* A state of scale elements as the term-th of its launch: its index counts from the row's start. */
static tally_state tally_resume(tally_state state, tally_index term, tally_index scale) {
#if TALLY_STATE_IS_INDEXED
    state.index += term * scale;
    return state;
#else
    return state;
#endif
}

/* The result of a row of count elements. */
#if TALLY_STATE_IS_INDEXED
/* Only NaN that is ignored leaves a float's key at the identity: then the index is 0. */
#define tally_end(state, count)                                                                    \
    (TALLY_FLOATING && TALLY_NAN_IS_IGNORED && (state).key == TALLY_IDENTITY ? 0 : (state).index)
#elif TALLY_STATE_IS_SHIFTED
#define tally_end(state, count) tally_finalize((state).sum, (tally_compute)(count), (state).top)
#else
#define tally_end(state, count) tally_finalize((state), (tally_compute)(count), ZERO)
#endif

/*
 * Halving without an array of all lanes: the 2^levels lanes are visited in bit-reversed order, in
 * which a state waits for each level, like the digits of a counter. levels and width are constants,
 * and so are array indices, so that states stay in registers.
 */
static uint tally_bit_reversed(uint visit, const uint levels) {
    uint reversed = 0;
#pragma unroll
    for (uint level = 0; level < levels; level++)
        reversed |= (visit >> level & 1u) << (levels - 1 - level);
    return reversed;
}

/*
 * After a visit: its sums, width of them, wait, or meet those that do, [level][width], and go on as
 * sums.
 */
static void tally_meet(tally_state *pending, tally_state *sum, uint visit, const uint levels,
                       const uint width) {
#pragma unroll
    for (uint level = 0; level <= levels; level++) {
        if ((visit & ((1u << level) - 1)) != (1u << level) - 1)
            continue; /* the sum came to rest at a lower level */
        const bool rests = level == levels || (visit >> level & 1u) == 0;
#pragma unroll
        for (uint v = 0; v < width; v++) {
            if (rests)
                pending[level * width + v] = sum[v];
            else
                sum[v] = tally_combine(pending[level * width + v], sum[v]);
        }
    }
}
