/*
 * A fold of contiguous rows on a CPU: the terms of an output lie side by side. A unit is one block
 * of a row or, where a.blocks is 1, a whole row of at most TALLY_LANES blocks, whose states are
 * folded at once. A work-item takes a.grain units in one go, of rows of few states a vector of rows
 * at a time.
 */

#if TALLY_FIRST
#if TALLY_STATE_IS_KEY || TALLY_STATE_IS_INDEXED
/* Nothing is kept for each lane. */
#elif TALLY_STATE_IS_SHIFTED
/* All full runs of a block's lanes, from its first term on; returns how many terms they hold. */
static uint TALLY_FN(runs)(__global const TALLY_STORAGE *in, uint n, tally_states *sum) {
    const uint size = TALLY_LANE_RUN * TALLY_LANES, share = TALLY_LANE_RUN * TALLY_WIDTH;
    uint begin = 0;
    for (uint v = 0; v < TALLY_STRIPE; v++)
        sum[v] = tally_begin_all();
    for (; begin + size <= n; begin += size) {
        tally_states run[TALLY_STRIPE];
#pragma unroll 1
        for (uint v = 0; v < TALLY_STRIPE; v++) {
            /* Lanes are read here and there, which no device foresees. */
            for (uint i = 0; i < share; i += TALLY_CACHE_LINE / TALLY_BYTES)
                TALLY_PREFETCH(in + begin + size + v * share + i);
            run[v] = tally_run_all(in + begin + v * TALLY_WIDTH, TALLY_LANES, TALLY_LANE_RUN,
                                   TALLY_WIDTH);
        }
#pragma unroll 1
        for (uint v = 0; v < TALLY_STRIPE; v += TALLY_SIDES)
            if (begin == 0)
                for (uint i = v; i < v + TALLY_SIDES; i++)
                    sum[i] = run[i];
            else
                tally_combine_sides(sum + v, run + v);
    }
    return begin;
}
#else
/* The same of stripes: memory is read from one end to the other, the states stay in registers. */
static uint TALLY_FN(runs)(__global const TALLY_STORAGE *in, uint n, tally_states *sum) {
    tally_states lanes[TALLY_STRIPE];
    uint begin = 0;
#pragma unroll
    for (uint v = 0; v < TALLY_STRIPE; v++)
        lanes[v] = tally_begin_all();
    for (; begin + TALLY_LANES <= n; begin += TALLY_LANES) {
        tally_foresee(in + begin, TALLY_LANES);
#pragma unroll
        for (uint v = 0; v < TALLY_STRIPE; v++)
            lanes[v] = tally_take_all(lanes[v], in + begin + v * TALLY_WIDTH, TALLY_LANES, 1,
                                      TALLY_WIDTH, begin, TALLY_LANES);
    }
#pragma unroll
    for (uint v = 0; v < TALLY_STRIPE; v++)
        sum[v] = lanes[v];
    return begin;
}
#endif

#if TALLY_STATE_IS_KEY || TALLY_STATE_IS_INDEXED
/* One block of n terms, the first of which is the index-th of its row. */
static tally_state TALLY_FN(block)(__global const TALLY_STORAGE *in, uint n, tally_index index) {
    tally_state state = tally_begin(tally_load(in, 0), index);
    if (n < TALLY_RAWS) {
        for (uint i = 1; i < n; i++)
            state = tally_combine(state, tally_begin(tally_load(in, i), index + i));
        return state;
    }
    const tally_key key = tally_best_of(in, n);
#if TALLY_STATE_IS_INDEXED
    state.key = key;
    state.index = index + tally_position_of(in, n, key);
#else
    state = key;
#endif
    return state;
}
#else
/* One block of n terms, the first of which is the index-th of its row. */
static tally_state TALLY_FN(block)(__global const TALLY_STORAGE *in, uint n, tally_index index) {
    tally_states sum[TALLY_STRIPE];
    tally_state state[TALLY_WIDTH];
    const uint begin = TALLY_FN(runs)(in, n, sum);
    uint v = 0;
#if !TALLY_STATE_IS_SHIFTED
    for (; v < TALLY_STRIPE && begin + (v + 1) * TALLY_WIDTH <= n; v++)
        sum[v] = tally_take_all(sum[v], in + begin + v * TALLY_WIDTH, TALLY_LANES, 1, TALLY_WIDTH,
                                begin, TALLY_LANES);
#endif
    for (; v < TALLY_STRIPE && begin + v * TALLY_WIDTH < n; v++) {
        const uint left = n - begin - v * TALLY_WIDTH;
        const uint count = !TALLY_STATE_IS_SHIFTED ? 1 : (left + TALLY_LANES - 1) / TALLY_LANES;
        const uint present = min(left - (count - 1) * TALLY_LANES, (uint)TALLY_WIDTH);
        sum[v] = tally_take_all(sum[v], in + begin + v * TALLY_WIDTH, TALLY_LANES, count, present,
                                begin, TALLY_LANES);
    }
    uint half_stripe = TALLY_STRIPE / 2;
#if TALLY_STATE_IS_SHIFTED
    for (; half_stripe >= TALLY_SIDES; half_stripe /= 2)
#pragma unroll 1
        for (v = 0; v < half_stripe; v += TALLY_SIDES)
            tally_combine_sides(sum + v, sum + v + half_stripe);
#endif
    for (; half_stripe > 0; half_stripe /= 2)
        for (v = 0; v < half_stripe; v++)
            sum[v] = tally_combine_all(sum[v], sum[v + half_stripe]);
    TALLY_FN(split)(tally_merge_one(sum[0]), index, state);
    return state[0];
}
#endif
#else
/* Terms of a row, at most, that are taken of a vector of rows at a time. */
#define TALLY_FEW 16

#if !TALLY_STATE_IS_INDEXED
#if defined(__clang__) && !TALLY_PLAIN
typedef tally_terms TALLY_FN(terms_beside) __attribute__((aligned(32 / TALLY_WIDTH)));
#define TALLY_NUMBERS(in) (*(__global const TALLY_FN(terms_beside) *)(in))
#else
#define TALLY_NUMBERS(in) TALLY_VLOAD(0, in)
#endif

/* A vector of states that lie side by side. */
TALLY_INLINE tally_states TALLY_FN(states)(__global const tally_state *in) {
#if TALLY_STATE_IS_SHIFTED
    __global const tally_compute *pairs = (__global const tally_compute *)in;
    const tally_computes a = TALLY_NUMBERS(pairs), b = TALLY_NUMBERS(pairs + TALLY_WIDTH);
    const tally_states states = {(tally_computes)(a.even, b.even), (tally_computes)(a.odd, b.odd)};
    return states;
#else
    return TALLY_NUMBERS(in);
#endif
}

/* One block of n states by the vector; all of its last vector may be read. */
static tally_state TALLY_FN(vectors)(__global const tally_state *in, uint n) {
    tally_states sum[TALLY_STRIPE], next[TALLY_STRIPE];
    tally_state each[TALLY_WIDTH];
    const uint stripe = max(TALLY_FN(lanes_for)(n) / TALLY_WIDTH, 1u);
    const uint count = (n + TALLY_WIDTH - 1) / TALLY_WIDTH;
    for (uint begin = 0; begin < count; begin += stripe) {
        tally_states *to = begin == 0 ? sum : next;
        const uint here = min(stripe, count - begin);
        for (uint v = 0; v < here; v++)
            to[v] = TALLY_FN(states)(in + (begin + v) * TALLY_WIDTH);
        if (begin + here == count && n % TALLY_WIDTH != 0)
            to[here - 1] = tally_either(TALLY_FIRST_LANES(n % TALLY_WIDTH), to[here - 1],
                                        tally_identity_all());
        if (begin > 0)
            TALLY_FN(combine_rows)(sum, next, here);
    }
    TALLY_FN(halve_rows)(sum, stripe, min(stripe, count), 1);
    TALLY_FN(split)(tally_merge_one(sum[0]), 0, each);
    return each[0];
}

#define TALLY_ROW_STATE(r) in[row[r]]
#define TALLY_ROW_TOP(r) in[row[r]].top
#define TALLY_ROW_SUM(r) in[row[r]].sum

/* A state of each of a vector of rows. */
TALLY_INLINE tally_states TALLY_FN(states_of)(__global const tally_state *in,
                                              const tally_index *row) {
#if TALLY_STATE_IS_SHIFTED
    const tally_states states = {(tally_computes)(TALLY_EACH_LANE(TALLY_ROW_TOP)),
                                 (tally_computes)(TALLY_EACH_LANE(TALLY_ROW_SUM))};
    return states;
#else
    return (tally_states)(TALLY_EACH_LANE(TALLY_ROW_STATE));
#endif
}

/* A vector of rows of n states, at most TALLY_FEW: each state is a lane of the order. */
static tally_states TALLY_FN(few)(__global const tally_state *in, const tally_index *row, uint n) {
    tally_states sum[TALLY_FEW];
    for (uint k = 0; k < n; k++)
        sum[k] = TALLY_FN(states_of)(in + k, row);
    TALLY_FN(halve_rows)(sum, TALLY_FN(lanes_for)(n), n, 1);
    return sum[0];
}

/* The same of the outputs from first on that are before stop: a vector of rows at a time. */
static void TALLY_FN(fold_few)(const tally_fold_cpu_args *a, __global const tally_state *in,
                               __global TALLY_TARGET *out, tally_index first, tally_index stop) {
    TALLY_FN(out_row) to = TALLY_NO_ROW;
    for (tally_index output = first; output < stop; output += TALLY_WIDTH) {
        const uint count = (uint)min((tally_index)TALLY_WIDTH, stop - output);
        tally_index row[TALLY_WIDTH];
        TALLY_FN(walk)(row, count, output, TALLY_KEPT_RANK, a->kept_size, a->kept_in);
        for (uint r = count; r < TALLY_WIDTH; r++)
            row[r] = row[0];
        TALLY_FN(put_outputs)(a, &to, out, 0, output, TALLY_FN(few)(in, row, (uint)a->terms),
                              count);
    }
}
#endif

/* One block of n states; those before end may be read. */
static tally_state TALLY_FN(block)(__global const tally_state *in, uint n, tally_index index,
                                   tally_index scale, __global const tally_state *end) {
#if !TALLY_STATE_IS_INDEXED
    const uint reach = (n + TALLY_WIDTH - 1) / TALLY_WIDTH * TALLY_WIDTH;
    if (n > TALLY_WIDTH / 2 && end - in >= (long)reach)
        return TALLY_FN(vectors)(in, n);
#endif
    tally_state state[TALLY_LANES];
    const uint lanes = TALLY_FN(lanes_for)(n);
    for (uint lane = 0; lane < lanes; lane++)
        state[lane] = tally_identity();
    for (uint begin = 0; begin < n; begin += lanes)
        for (uint lane = 0; lane < min(lanes, n - begin); lane++)
            state[lane] = tally_combine(state[lane],
                                     tally_resume(in[begin + lane], index + begin + lane, scale));
    return TALLY_FN(halve)(state, lanes);
}
#endif

/* The block-th block of a row of terms. */
static tally_state TALLY_FN(part)(__global const TALLY_SOURCE *row, tally_index terms,
                                  tally_index block, tally_index scale,
                                  __global const TALLY_SOURCE *end) {
    const tally_index begin = block * TALLY_BLOCK;
    const uint n = (uint)min((tally_index)TALLY_BLOCK, terms - begin);
#if TALLY_FIRST
    return TALLY_FN(block)(row + begin, n, begin);
#else
    return TALLY_FN(block)(row + begin, n, begin, scale, end);
#endif
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_args a) {
    const tally_index terms = (tally_index)a.terms, blocks = (tally_index)a.blocks;
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index scale = (tally_index)a.index_scale;
    in += a.head.in_offset;
    out += a.head.out_offset;
    __global const TALLY_SOURCE *end = in + (tally_index)a.outputs * terms; /* of states */
#if !TALLY_FIRST && !TALLY_STATE_IS_INDEXED
    if (terms <= TALLY_FEW) {
        TALLY_FOR_GRAINS(first, units, grain)
            TALLY_FN(fold_few)(&a, in, out, first, min(first + grain, units));
        return;
    }
#endif
    TALLY_FOR_UNITS(unit, first, units, grain) {
        const tally_index output = unit / blocks, block = unit - output * blocks;
        __global const TALLY_SOURCE *row = in + TALLY_ORIGIN(a, output);
        tally_state state[TALLY_LANES];
        uint count = 0;
        if (blocks > 1 || terms <= TALLY_BLOCK) {
            state[0] = TALLY_FN(part)(row, terms, block, scale, end);
        } else {
            const uint parts = (uint)((terms + TALLY_BLOCK - 1) / TALLY_BLOCK);
            const uint lanes = TALLY_FN(lanes_for)(parts);
            for (; count < parts; count++)
                state[count] = TALLY_FN(part)(row, terms, count, scale, end);
            for (; count < lanes; count++)
                state[count] = tally_identity();
            TALLY_FN(halve)(state, lanes);
        }
        TALLY_PUT(out, a, output, block, state[0]);
    }
}
