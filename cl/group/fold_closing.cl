/*
 * The end of a launch that needs no other behind it: each group publishes the states of its units,
 * and the group that is the last to have done so, the closing group, folds the states of all. No
 * group waits for another. What a launch over states would do, this does: close has its arguments,
 * nest the terms of its groups, so that states are folded in the same order.
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
    __local uint others;
#define TALLY_CLOSE(units, states)                                                                 \
    if ((units) > 0)                                                                               \
        TALLY_FN(close)(ended + close.head.in_offset, &others, states, closing,                    \
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

/* The least power of two that is not below n, at most TALLY_LANES. */
static uint TALLY_FN(lanes_of)(uint n) {
    uint lanes = 1;
    while (lanes < n && lanes < TALLY_LANES)
        lanes *= 2;
    return lanes;
}

/* A lane's terms, of states that lie one after the other: every step-th. */
static tally_state TALLY_FN(sum_published)(__global const tally_state *states, uint lane,
                                           uint step, uint terms, tally_index scale) {
    tally_state sum = tally_identity();
    for (uint first = lane; first < terms; first += TALLY_CLOSING_LOADS * step) {
        tally_state state[TALLY_CLOSING_LOADS];
#pragma unroll
        for (uint k = 0; k < TALLY_CLOSING_LOADS; k++)
            if (first + k * step < terms)
                state[k] = TALLY_FN(published)(states + first + k * step);
#pragma unroll
        for (uint k = 0; k < TALLY_CLOSING_LOADS; k++)
            if (first + k * step < terms)
                sum = tally_combine(sum, tally_resume(state[k], first + k * step, scale));
    }
    return sum;
}

/*
 * The same of several lanes, lanes apart, that have one term at most: what halving combines first.
 * All are under way together.
 */
static tally_state TALLY_FN(halve_published)(__global const tally_state *states, uint lane,
                                             uint lanes, uint terms, uint each,
                                             tally_index scale) {
    tally_state state[TALLY_CLOSING_LANES], sum[TALLY_CLOSING_LANES];
#pragma unroll
    for (uint k = 0; k < TALLY_CLOSING_LANES; k++)
        if (k < each && lane + k * lanes < terms)
            state[k] = TALLY_FN(published)(states + lane + k * lanes);
#pragma unroll
    for (uint k = 0; k < TALLY_CLOSING_LANES; k++) {
        sum[k] = tally_identity();
        if (k < each && lane + k * lanes < terms)
            sum[k] = tally_combine(sum[k], tally_resume(state[k], lane + k * lanes, scale));
    }
#pragma unroll
    for (uint half_lanes = TALLY_CLOSING_LANES / 2; half_lanes > 0; half_lanes /= 2)
#pragma unroll
        for (uint k = 0; k < half_lanes; k++)
            if (k + half_lanes < each)
                sum[k] = tally_combine(sum[k], sum[k + half_lanes]);
    return sum[0];
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

/* Whether this group is the last of the launch; the count is 0 again for the next one. */
static bool TALLY_FN(is_last)(__global uint *ended, __local uint *others) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *others = atomic_inc(ended);
        if (*others == get_num_groups(0) - 1)
            atomic_xchg(ended, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *others == get_num_groups(0) - 1;
}

/*
 * Work-items share an output: each has a lane of the inner group's terms, of one of the outer's, or
 * several lanes where each has one term at most. Where the order does not matter all terms are one
 * group's, and lanes are as few as keep a work-item's loads under way together.
 */
static void TALLY_FN(fold_published)(__global const tally_state *states,
                                     __local tally_state *sums, __global TALLY_RESULT *result,
                                     const tally_fold_args a, uint outputs) {
    const uint inner = TALLY_EXACT ? (uint)a.terms : (uint)a.nest[0];
    const uint outer = TALLY_EXACT ? 1 : (uint)a.nest[1];
    const uint all_lanes =
        TALLY_FN(lanes_of)(TALLY_EXACT ? (inner + TALLY_CLOSING_LOADS - 1) / TALLY_CLOSING_LOADS
                                       : inner);
    const uint each =
        TALLY_EXACT || inner > TALLY_LANES ? 1 : min(all_lanes, (uint)TALLY_CLOSING_LANES);
    const uint inner_lanes = all_lanes / each; /* of which a work-item has one, or the first */
    const uint outer_lanes = TALLY_FN(lanes_of)(outer);
    const uint step = TALLY_EXACT ? all_lanes : TALLY_LANES;
    const uint lanes = inner_lanes * outer_lanes, teams = TALLY_GROUP / lanes;
    const uint item = get_local_id(0), lane = item % inner_lanes;
    const uint row = item % lanes / inner_lanes;
    for (uint first = 0; first < outputs; first += teams) {
        const uint output = first + item / lanes;
        tally_state sum = tally_identity();
        __global const tally_state *from = states + (output * outer + row) * inner;
        if (output < outputs && row < outer)
            sum = each > 1 ? TALLY_FN(halve_published)(from, lane, inner_lanes, inner, each,
                                                       (tally_index)a.index_scale)
                           : TALLY_FN(sum_published)(from, lane, step, inner,
                                                     (tally_index)a.index_scale);
        sums[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint half_lanes = inner_lanes / 2; half_lanes > 0; half_lanes /= 2) {
            if (lane < half_lanes)
                sums[item] = tally_combine(sums[item], sums[item + half_lanes]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (uint half_rows = outer_lanes / 2; half_rows > 0; half_rows /= 2) {
            if (lane == 0 && row < half_rows)
                sums[item] = tally_combine(sums[item], sums[item + half_rows * inner_lanes]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lane == 0 && row == 0 && output < outputs)
            TALLY_FN(put_result)(result, a, output, sums[item]);
    }
}

static void TALLY_FN(close)(__global uint *ended, __local uint *others,
                            __global const tally_state *states, __local tally_state *sums,
                            __global TALLY_RESULT *result, const tally_fold_args a) {
    /* No barrier stands under a condition, which compilers get wrong: the others fold nothing. */
    const uint outputs = TALLY_FN(is_last)(ended, others) ? (uint)a.outputs : 0;
    TALLY_FN(fold_published)(states, sums, result, a, outputs);
}
#else
#define TALLY_CLOSING_PARAMETERS
#define TALLY_CLOSING_LOCAL
#define TALLY_CLOSE(units, states)
#endif
