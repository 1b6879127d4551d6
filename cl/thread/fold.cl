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

/*
 * Write an output's state: on for the next launch, or as its result. A first launch counts terms;
 * it hands on what these are among all that the operator sweeps.
 */
#define TALLY_TARGET_OF(a, output)                                                                 \
    TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_out, output)
#define TALLY_PUT(out, a, output, block, state)                                                    \
    TALLY_PUT_AT(out, a, TALLY_TARGET_OF(a, output), block, state)
#define TALLY_PUT_AT(out, a, at, block, state)                                                     \
    TALLY_FN(put)(out, at, (tally_index)(a).blocks, block,                                         \
                  TALLY_FN(scaled)(state, (tally_index)(a).index_scale), (a).terms == 0,           \
                  (a).count TALLY_HEARD)

static tally_state TALLY_FN(scaled)(tally_state state, tally_index scale) {
#if TALLY_STATE_IS_INDEXED && TALLY_FIRST && !TALLY_LAST
    state.index *= scale;
#endif
    return state;
}

#if TALLY_CLOSING
#define TALLY_HEARD , (volatile __local uint *)(closing + get_local_id(0))
#define TALLY_HEARD_PARAMETER , volatile __local uint *heard

#define TALLY_STATE_DWORDS (sizeof(tally_state) / 4)
typedef union {
    tally_state state;
    uint dword[TALLY_STATE_DWORDS];
} TALLY_FN(dwords);

/*
 * A state for the closing groups. That the old words must come to a position of the work-item's own
 * has it wait until the new ones are there. (A branch on them would do, but PoCL's loops over
 * work-items lose the stores before it.)
 */
static void TALLY_FN(publish)(__global tally_state *at, tally_state state,
                              volatile __local uint *heard) {
    TALLY_FN(dwords) own;
#if TALLY_STATE_IS_INDEXED /* there may be a gap behind the index, which nobody wrote */
#pragma unroll
    for (uint w = 0; w < TALLY_STATE_DWORDS; w++)
        own.dword[w] = 0;
    own.state.key = state.key;
    own.state.index = state.index;
#else
    own.state = state;
#endif
#pragma unroll
    for (uint w = 0; w < TALLY_STATE_DWORDS; w++)
        *heard = atomic_xchg((volatile __global uint *)at + w, own.dword[w]);
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
/* The results of a pack of outputs that lie side by side, at an aligned position. */
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
