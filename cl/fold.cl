/*
 * What the fold kernels share, once per variant: TALLY_FIRST launches read elements, others the
 * states that the launch before left; TALLY_LAST ones write elements, others states, those of an
 * output's blocks side by side.
 */
#if TALLY_FIRST
#define TALLY_SOURCE TALLY_STORAGE
#else
#define TALLY_SOURCE tally_state
#endif
#if TALLY_STATE_IS_INDEXED
#define TALLY_RESULT TALLY_OUT_STORAGE
#else
#define TALLY_RESULT TALLY_STORAGE
#endif
#if TALLY_LAST
#define TALLY_TARGET TALLY_RESULT
#else
#define TALLY_TARGET tally_state
#endif

/*
 * Where the terms of an output begin, and where the i-th of them lies from there: states have one
 * axis of terms.
 */
#define TALLY_ORIGIN(a, output) TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_in, output)
#if TALLY_FIRST
#define TALLY_AT(a, i) TALLY_OFFSET(TALLY_SWEPT_RANK, (a).swept_size, (a).swept_in, i)
#else
#define TALLY_AT(a, i) ((i) * (tally_index)(a).swept_in[TALLY_SWEPT_RANK - 1])
#endif

#if TALLY_FIRST
/* The coordinates of the i-th term along the swept axes. */
static void TALLY_FN(coordinates)(tally_index i, const tally_fold_args a, tally_index *at) {
#pragma unroll
    for (uint k = TALLY_SWEPT_RANK - 1; k > 0; k--) {
        const tally_index size = (tally_index)a.swept_size[k], outer = i / size;
        at[k] = i - outer * size;
        i = outer;
    }
    at[0] = i;
}

/* Where the term with these coordinates lies; then go on by those of step. */
static tally_index TALLY_FN(next_place)(const tally_fold_args a, const tally_index *step,
                                  tally_index *at) {
    tally_index place = 0;
    uint carry = 0;
#pragma unroll
    for (uint k = TALLY_SWEPT_RANK - 1; k > 0; k--) {
        const tally_index size = (tally_index)a.swept_size[k];
        place += at[k] * (tally_index)a.swept_in[k];
        at[k] += step[k] + carry;
        carry = at[k] >= size;
        at[k] -= carry ? size : 0;
    }
    place += at[0] * (tally_index)a.swept_in[0];
    at[0] += step[0] + carry;
    return place;
}

/*
 * A lane's part of a block that ends before end: the terms first, first + TALLY_LANES and so on of
 * the output that begins at in. A run's loads are all under way before the first is needed.
 */
static tally_state TALLY_FN(sum_lane)(__global const TALLY_SOURCE *in, const tally_fold_args a,
                                      tally_index first, tally_index end) {
    tally_index at[TALLY_SWEPT_RANK], step[TALLY_SWEPT_RANK];
    tally_state sum = tally_neutral();
    TALLY_FN(coordinates)(first, a, at);
    TALLY_FN(coordinates)(TALLY_LANES, a, step);
    for (tally_index term = first; term < end; term += TALLY_LANE_RUN * TALLY_LANES) {
        const uint count =
            min((uint)TALLY_LANE_RUN, (uint)(end - term + TALLY_LANES - 1) / TALLY_LANES);
        tally_raw raw[TALLY_LANE_RUN];
        tally_compute x[TALLY_LANE_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++) {
            const tally_index place = TALLY_FN(next_place)(a, step, at);
            raw[k] = ((__global const tally_raw *)in)[k < count ? place : 0];
        }
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            x[k] = tally_of_raw(raw[k]);
        sum = tally_take(sum, x, count, term, TALLY_LANES);
    }
    return sum;
}
#else
/* The same of states. */
static tally_state TALLY_FN(sum_lane)(__global const TALLY_SOURCE *in, const tally_fold_args a,
                                      tally_index first, tally_index end) {
    tally_state sum = tally_neutral();
    for (tally_index term = first; term < end; term += TALLY_LANES)
        sum = tally_join(sum,
                         tally_resume(in[TALLY_AT(a, term)], term, (tally_index)a.index_scale));
    return sum;
}
#endif

/*
 * High keys are handed on as what they are, and launches over such states leave them so up to the
 * end: raising each as it is read took a launch over few of them three times as long (on an H200).
 */
#if TALLY_HIGH_KEYS && TALLY_FIRST
#define TALLY_KEPT(state) ((state) >> TALLY_BITS_ABOVE)
#define TALLY_RAISED(state) (state)
#elif TALLY_HIGH_KEYS
#define TALLY_KEPT(state) (state)
#define TALLY_RAISED(state) ((tally_state)((uint)(state) << TALLY_BITS_ABOVE))
#else
#define TALLY_KEPT(state) (state)
#define TALLY_RAISED(state) (state)
#endif

/* Write an output's state: on for the next launch, or as its result. */
#define TALLY_PUT(out, a, output, block, state)                                                    \
    TALLY_FN(put)(out, TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_out, output),         \
                  (tally_index)(a).blocks, block, state, (a).terms == 0,                           \
                  (a).count TALLY_HEARD)

#if TALLY_CLOSING
#define TALLY_HEARD , (volatile __local uint *)(closing + get_local_id(0))
#define TALLY_HEARD_PARAMETER , volatile __local uint *heard

#define TALLY_STATE_WORDS (sizeof(tally_state) / 4)
typedef union {
    tally_state state;
    uint word[TALLY_STATE_WORDS];
} TALLY_FN(words);

/*
 * A state for the closing group. That the old words must come to a place of the work-item's own has
 * it wait until the new ones are there. (A branch on them would do, but PoCL's loops over work-items
 * lose the stores before it.)
 */
static void TALLY_FN(publish)(__global tally_state *place, tally_state state,
                              volatile __local uint *heard) {
    TALLY_FN(words) own;
#if TALLY_STATE_IS_INDEXED /* there may be a gap behind the index, which nobody wrote */
#pragma unroll
    for (uint w = 0; w < TALLY_STATE_WORDS; w++)
        own.word[w] = 0;
    own.state.key = state.key;
    own.state.index = state.index;
#else
    own.state = state;
#endif
#pragma unroll
    for (uint w = 0; w < TALLY_STATE_WORDS; w++)
        *heard = atomic_xchg((volatile __global uint *)place + w, own.word[w]);
}
#else
#define TALLY_HEARD
#define TALLY_HEARD_PARAMETER
#endif

static void TALLY_FN(put)(__global TALLY_TARGET *out, tally_index at, tally_index blocks,
                          tally_index block, tally_state state, bool empty,
                          tally_u64 count TALLY_HEARD_PARAMETER) {
#if TALLY_CLOSING
    TALLY_FN(publish)(out + at * blocks + block, TALLY_KEPT(state), heard);
#elif !TALLY_LAST
    out[at * blocks + block] = TALLY_KEPT(state);
#elif TALLY_STATE_IS_INDEXED
    out[at] = (TALLY_TARGET)tally_end(state, count);
#else
    tally_store(out, at, empty ? TALLY_EMPTY : tally_end(TALLY_RAISED(state), count));
#endif
}

#if TALLY_LAST && !TALLY_STATE_IS_INDEXED
/* The results of a pack of outputs that lie side by side, at an aligned place. */
static void TALLY_FN(put_pack)(__global TALLY_TARGET *out, const tally_state *state,
                               tally_u64 count) {
    tally_pack pack;
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        pack.stored[v] = tally_stored_of(tally_end(state[v], count));
    *(__global tally_pack_bits *)out = pack.bits;
}

/* Whether the outputs from that one on may be written so. */
#define TALLY_PUTS_PACK(out, a, output)                                                            \
    ((a).kept_out[TALLY_KEPT_RANK - 1] == 1 &&                                                     \
     (size_t)((out) + TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_out, output)) %        \
             sizeof(tally_pack_bits) ==                                                            \
         0)
#define TALLY_PUT_PACK(out, a, output, state)                                                      \
    TALLY_FN(put_pack)                                                                             \
    ((out) + TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_out, output), state, (a).count)
#else
#define TALLY_PUTS_PACK(out, a, output) false
#define TALLY_PUT_PACK(out, a, output, state)
#endif
