/*
 * States: what a fold or scan carries from term to term, for the program's one function, which the
 * host gives as TALLY_NEUTRAL, TALLY_EMPTY and three functions over a tally_term, the compute type
 * or, for KEY and INDEXED, the key:
 *
 *   tally_map(x) -> term     tally_join_terms(a, b) -> term     tally_finish(a, n, t) -> value
 *
 * From these come the accumulator, joined term by term, and the state, which is what one launch
 * leaves for the next. They differ only for SHIFTED, whose state remembers the maximum too.
 */
#define TALLY_ORDERED (TALLY_STATE_IS_KEY || TALLY_STATE_IS_INDEXED)

#if TALLY_STATE_IS_INDEXED
typedef struct {
    tally_key key;
    tally_index index;
} tally_accumulator;
#else
typedef tally_term tally_accumulator;
#endif

#if TALLY_STATE_IS_SHIFTED
typedef struct {
    tally_compute top; /* the maximum */
    tally_compute sum; /* of exp(x - top) */
} tally_state;
#else
typedef tally_accumulator tally_state;
#endif

typedef char tally_assert_state[sizeof(tally_state) == TALLY_STATE_BYTES ? 1 : -1];

#if TALLY_STATE_IS_INDEXED
/* Loses every tie against a term: its index is the one that the tie rule likes least. */
static tally_accumulator tally_neutral(void) {
    const tally_accumulator neutral = {TALLY_NEUTRAL, TALLY_TIE_IS_LAST ? 0 : ~(tally_index)0};
    return neutral;
}

static tally_accumulator tally_join(tally_accumulator a, tally_accumulator b) {
    const tally_index tied =
        TALLY_TIE_IS_LAST ? max(a.index, b.index) : min(a.index, b.index);
    const tally_key best = tally_join_terms(a.key, b.key);
    const tally_accumulator joined = {best, a.key == b.key ? tied : best == a.key ? a.index : b.index};
    return joined;
}

/* NaN that is ignored has index 0, so that a row of nothing else gives 0 under either tie rule. */
static tally_state tally_indexed(tally_key key, tally_index index) {
    const bool skipped = TALLY_FLOATING && TALLY_NAN_IS_IGNORED && key == TALLY_NEUTRAL;
    const tally_state state = {key, skipped ? 0 : index};
    return state;
}
#else
static tally_accumulator tally_neutral(void) {
    return TALLY_NEUTRAL;
}
#define tally_join(a, b) tally_join_terms(a, b)
#endif

/* The state of one element x, the index-th of its row. */
static tally_state tally_begin(tally_compute x, tally_index index) {
#if TALLY_STATE_IS_INDEXED
    return tally_indexed(tally_map(x), index);
#elif TALLY_STATE_IS_SHIFTED
    const tally_state state = {tally_map(x), ONE};
    return state;
#else
    return tally_map(x);
#endif
}

/* A state of scale elements as the term-th of its launch: its index counts from the row's start. */
static tally_state tally_resume(tally_state state, tally_index term, tally_index scale) {
#if TALLY_STATE_IS_INDEXED
    return tally_indexed(state.key, term * scale + state.index);
#else
    return state;
#endif
}

#if TALLY_STATE_IS_SHIFTED
/* exp(x - top) is 1 at the maximum, also where that is infinite and the difference NaN. */
static tally_accumulator tally_enter(tally_state state, tally_compute top) {
    return state.top == top ? state.sum : state.sum * tally_exp(state.top - top);
}

static tally_state tally_leave(tally_accumulator sum, tally_compute top) {
    const tally_state state = {top, sum};
    return state;
}
#else
#define tally_enter(state, top) (state)
#define tally_leave(sum, top) (sum)
#endif

/* The result of a row of count elements. */
#if TALLY_STATE_IS_INDEXED
#define tally_end(state, count) ((state).index)
#elif TALLY_STATE_IS_SHIFTED
#define tally_end(state, count) tally_finish((state).sum, (tally_compute)(count), (state).top)
#else
#define tally_end(state, count) tally_finish((state), (tally_compute)(count), ZERO)
#endif
