/*
 * States of one vector's lanes, combined with each other. Knows no elements and no terms.
 */

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
