/*
 * What the fold kernels for CPUs share: a work-item is a group of its own and has all lanes of a
 * block to itself, by the vector, in private memory. There are no barriers and no local memory.
 */

/* Vectors of a stripe, which is a run of all lanes. */
#define TALLY_STRIPE (TALLY_LANES / TALLY_WIDTH)

/*
 * Vectors that are done together. Those whose elements fill a line of memory, up to a few, so that
 * the line is read once; of LOG_SUM_EXP a few in any case, which are first all computed and then
 * all joined, so that exponentials overlap that do not wait for each other.
 */
#define TALLY_PER_LINE (TALLY_LINE / (TALLY_WIDTH * TALLY_BYTES))
#if TALLY_STATE_IS_SHIFTED
#define TALLY_ABREAST TALLY_SIDES
#elif TALLY_STATE_IS_KEY && TALLY_BYTES <= 2
#define TALLY_ABREAST 4
#elif TALLY_LINE > 4 * TALLY_WIDTH * TALLY_BYTES
#define TALLY_ABREAST 4
#else
#define TALLY_ABREAST TALLY_PER_LINE
#endif

/* Lanes joined by halving, as single states: lanes is a power of two. */
static tally_state TALLY_FN(halve)(tally_state *state, uint lanes) {
    for (uint half_lanes = lanes / 2; half_lanes > 0; half_lanes /= 2)
        for (uint lane = 0; lane < half_lanes; lane++)
            state[lane] = tally_join(state[lane], state[lane + half_lanes]);
    return state[0];
}

/* The least power of two that is not below n, at most all lanes. */
static uint TALLY_FN(lanes_for)(tally_index n) {
    uint lanes = 1;
    while (lanes < n && lanes < TALLY_LANES)
        lanes *= 2;
    return lanes;
}

#if TALLY_FIRST
/* A vector of states, one by one; places count from the block, which begins with the index-th term.
 */
static void TALLY_FN(split)(tally_states states, tally_index index, tally_state *state) {
#if TALLY_STATE_IS_INDEXED
    tally_key key[TALLY_WIDTH];
    tally_place place[TALLY_WIDTH];
    TALLY_VSTORE(states.key, 0, key);
    TALLY_VSTORE(states.place, 0, place);
    for (uint i = 0; i < TALLY_WIDTH; i++) {
        state[i].key = key[i];
        state[i].index = index + (tally_index)place[i];
    }
#elif TALLY_STATE_IS_SHIFTED
    tally_compute top[TALLY_WIDTH], sum[TALLY_WIDTH];
    TALLY_VSTORE(states.top, 0, top);
    TALLY_VSTORE(states.sum, 0, sum);
    for (uint i = 0; i < TALLY_WIDTH; i++) {
        state[i].top = top[i];
        state[i].sum = sum[i];
    }
#else
    TALLY_VSTORE(states, 0, state);
#endif
}

/* Write the states of count outputs, a vector's first lanes, from that offset on. */
#define TALLY_PUT_ALL(out, a, at, stride, block, states, index, n)                                 \
    TALLY_FN(put_all)(out, at, stride, (tally_index)(a).blocks, block, states, index, n, (a).count)

static void TALLY_FN(put_all)(__global TALLY_TARGET *out, tally_index at, tally_index stride,
                              tally_index blocks, tally_index block, tally_states states,
                              tally_index index, uint count, tally_u64 total) {
#if TALLY_LAST && !TALLY_STATE_IS_INDEXED
    if (stride == 1 && count == TALLY_WIDTH) {
        tally_store_all(out + at, tally_end_all(states, total));
        return;
    }
#elif !TALLY_LAST && !TALLY_STATE_IS_INDEXED && !TALLY_STATE_IS_SHIFTED
    if (stride * blocks == 1 && count == TALLY_WIDTH) {
        TALLY_VSTORE(states, 0, out + at);
        return;
    }
#endif
    tally_state state[TALLY_WIDTH];
    TALLY_FN(split)(states, index, state);
    for (uint i = 0; i < count; i++)
        TALLY_FN(put)(out, at + i * stride, blocks, block, state[i], false, total);
}
#endif
