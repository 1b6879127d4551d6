/*
 * The end of a launch that needs no other behind it: each group publishes the states of its units,
 * and the groups that are the last to have done so, the closing groups, share the outputs, whose
 * states they fold. What a launch over states would do, this does: close has its arguments, nest
 * the terms of its groups, so that states are folded in the same order.
 *
 * A round has as many outputs as a group has work-items for. There are as many closing groups as
 * rounds, up to TALLY_CLOSERS and to the groups of the launch. The last of them waits for nobody.
 * The others wait for the groups behind them, TALLY_CLOSING_LOOKS looks at most; if one gives up,
 * the last does all rounds. Groups count their ends and those that gave up in one word, so that
 * each closing group that gave up is seen by the last, or sees it. In the end the word is 0 again
 * for the next launch.
 *
 * OpenCL 1.2 has no fence that reaches other groups (mem_fence on an NVIDIA GPU reaches the group).
 * States are exchanged by atomics, whose old values come from where all groups meet: a group counts
 * itself only after it has seen those of its own states, and reads others' by atomics as well. On
 * NVIDIA's GPUs volatile loads do: they go to where atomics go, and a compute unit has many more of
 * them under way (on an H100 it reads 1.7 words in a nanosecond by atomics).
 */
#if TALLY_CLOSING
#define TALLY_CLOSING_PARAMETERS                                                                   \
    , __global uint *ended, __global TALLY_RESULT *result, const tally_fold_args close
#define TALLY_CLOSING_LOCAL                                                                        \
    __local tally_state closing[TALLY_GROUP];                                                      \
    __local uint share[2];
#define TALLY_CLOSE(units, states)                                                                 \
    if ((units) > 0)                                                                               \
        TALLY_FN(close)(ended + close.head.in_offset, share, states, closing,                      \
                        result + close.head.out_offset, close);

#ifdef __NV_CL_C_VERSION
#define TALLY_SEEN(dword) (*(dword))
#else
#define TALLY_SEEN(dword) atomic_or(dword, 0)
#endif

/* States that a work-item has under way. */
#define TALLY_CLOSING_LOADS (TALLY_CLOSING_BYTES / TALLY_STATE_BYTES)

static tally_state TALLY_FN(published)(__global const tally_state *position) {
    TALLY_FN(dwords) own;
    volatile __global uint *dword = (volatile __global uint *)position;
#pragma unroll
    for (uint w = 0; w < TALLY_STATE_DWORDS; w++)
        own.dword[w] = TALLY_SEEN(dword + w);
    return own.state;
}

/* Halvings of the lanes of so many terms: at most so many lanes, a power of two. */
static uint TALLY_FN(halvings_of)(uint terms, uint lanes) {
    return terms > 1 ? min(32 - clz(terms - 1), 31 - clz(lanes)) : 0;
}

static void TALLY_FN(put_result)(__global TALLY_RESULT *result, const tally_fold_args a,
                                 tally_index output, tally_state state) {
    const tally_index at = TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out, output);
#if TALLY_STATE_IS_INDEXED
    result[at] = (TALLY_RESULT)tally_end(state, a.count);
#else
#if TALLY_HIGH_KEYS
    state = (tally_state)((uint)state << TALLY_BITS_ABOVE);
#endif
    tally_store(result, at, tally_end(state, a.count));
#endif
}

/* In the word of a launch: groups that have ended, and above them those that gave up waiting. */
#define TALLY_ENDED(word) ((word) & ((1u << TALLY_ENDED_BITS) - 1))
#define TALLY_GAVE_UP(word) ((word) >> TALLY_ENDED_BITS)

/*
 * Whether all groups have ended, the last of which takes their count off; so many ended before this.
 */
static bool TALLY_FN(is_over)(uint word, uint before) {
    return TALLY_ENDED(word) == get_num_groups(0) || TALLY_ENDED(word) <= before;
}

/* Wait for all groups to end, a while. */
static bool TALLY_FN(sees_end)(volatile __global uint *ended, uint before) {
    bool is_over = false;
    for (uint look = 0; look < TALLY_CLOSING_LOOKS && !is_over; look++)
        is_over = TALLY_FN(is_over)(TALLY_SEEN(ended), before);
    if (!is_over) {
        is_over = TALLY_FN(is_over)(atomic_add(ended, 1u << TALLY_ENDED_BITS), before);
        if (is_over) /* after all: the last did not see that this one gave up */
            atomic_sub(ended, 1u << TALLY_ENDED_BITS);
    }
    return is_over;
}

/* The first of so many rounds that this group does, and from one to its next. */
static void TALLY_FN(take_share)(__global uint *ended, uint rounds, __local uint *share) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        const uint groups = get_num_groups(0), word = atomic_inc(ended), before = TALLY_ENDED(word);
        const uint closers = min(min(rounds, (uint)TALLY_CLOSERS), groups);
        const bool is_last = before == groups - 1, all = is_last && TALLY_GAVE_UP(word) > 0;
        uint first = before + closers - groups;
        if (is_last)
            atomic_sub(ended, word + 1);
        else if (before + closers < groups || !TALLY_FN(sees_end)(ended, before))
            first = rounds;
        share[0] = all ? 0 : first;
        share[1] = all ? 1 : closers;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/*
 * What a work-item has of an output's states: those of a lane, step apart, or one of each of several
 * lanes, which halving combines first.
 */
static tally_state TALLY_FN(fold_published)(__global const tally_state *states, uint lane,
                                            uint step, uint terms, bool halves,
                                            tally_index scale) {
    tally_state sum = tally_identity();
#pragma unroll 1
    for (uint first = lane; first < terms; first += TALLY_CLOSING_LOADS * step) {
        tally_state state[TALLY_CLOSING_LOADS];
#pragma unroll
        for (uint k = 0; k < TALLY_CLOSING_LOADS; k++) {
            state[k] = tally_identity();
            if (first + k * step < terms)
                state[k] = TALLY_FN(published)(states + first + k * step);
        }
#pragma unroll
        for (uint k = 0; k < TALLY_CLOSING_LOADS; k++)
            if (first + k * step < terms)
                state[k] = tally_resume(state[k], first + k * step, scale);
        if (halves) {
#pragma unroll
            for (uint half_lanes = TALLY_CLOSING_LOADS / 2; half_lanes > 0; half_lanes /= 2)
#pragma unroll
                for (uint k = 0; k < half_lanes; k++)
                    state[k] = tally_combine(state[k], state[k + half_lanes]);
            sum = tally_combine(sum, state[0]);
        } else {
#pragma unroll
            for (uint k = 0; k < TALLY_CLOSING_LOADS; k++)
                sum = tally_combine(sum, state[k]);
        }
    }
    return sum;
}

/*
 * Work-items share an output: each has a lane of the inner group's terms, of one of the outer's, or
 * several lanes where each has one term at most. Where the order does not matter all terms are one
 * group's, and lanes are as few as keep a work-item's loads under way together.
 */
static void TALLY_FN(close)(__global uint *ended, __local uint *share,
                            __global const tally_state *states, __local tally_state *sums,
                            __global TALLY_RESULT *result, const tally_fold_args a) {
    const uint outputs = (uint)a.outputs;
    const uint inner = TALLY_EXACT ? (uint)a.terms : (uint)a.nest[0];
    const uint outer = TALLY_EXACT ? 1 : (uint)a.nest[1];
    const bool halves = !TALLY_EXACT && inner <= TALLY_LANES;
    const uint inner_levels = TALLY_FN(halvings_of)(
        TALLY_EXACT || halves ? (inner + TALLY_CLOSING_LOADS - 1) / TALLY_CLOSING_LOADS : inner,
        TALLY_EXACT ? TALLY_GROUP : TALLY_LANES);
    const uint levels = inner_levels + TALLY_FN(halvings_of)(outer, TALLY_LANES);
    const uint item = get_local_id(0), lane = item & ((1u << inner_levels) - 1);
    const uint row = (item & ((1u << levels) - 1)) >> inner_levels;
    const uint teams = TALLY_GROUP >> levels, rounds = (outputs + teams - 1) / teams;
    TALLY_FN(take_share)(ended, rounds, share);
    /* No barrier stands under a condition, which compilers get wrong: others have no rounds. */
    const uint step = share[1];
#pragma unroll 1
    for (uint round = share[0]; round < rounds; round += step) {
        const uint output = round * teams + (item >> levels);
        tally_state sum = tally_identity();
        if (output < outputs && row < outer)
            sum = TALLY_FN(fold_published)(states + (output * outer + row) * inner, lane,
                                           1u << inner_levels, inner, halves,
                                           (tally_index)a.index_scale);
        sums[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        /* Lanes are the low bits of a work-item's number: they are halved before the outer ones. */
#pragma unroll 1
        for (uint level = 0; level < levels; level++) {
            const uint half_lanes =
                1u << (level < inner_levels ? inner_levels - 1 - level
                                            : levels - 1 - (level - inner_levels));
            if ((item & half_lanes) == 0)
                sums[item] = tally_combine(sums[item], sums[item + half_lanes]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lane == 0 && row == 0 && output < outputs)
            TALLY_FN(put_result)(result, a, output, sums[item]);
    }
}
#else
#define TALLY_CLOSING_PARAMETERS
#define TALLY_CLOSING_LOCAL
#define TALLY_CLOSE(units, states)
#endif
