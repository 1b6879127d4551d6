/*
 * What the fold kernels for CPUs share: a work-item is a group of its own and has all lanes of a
 * block to itself, by the vector, in private memory. There are no barriers and no local memory.
 */

/* Vectors of a stripe, which is a run of all lanes. */
#define TALLY_STRIPE (TALLY_LANES / TALLY_WIDTH)

/*
 * Vectors that are done together. Those whose elements fill a cache line, up to a few, so that
 * the line is read once; of LOG_SUM_EXP a few in any case, which are first all computed and then
 * all combined, so that exponentials overlap that do not wait for each other.
 */
#define TALLY_PER_CACHE_LINE (TALLY_CACHE_LINE / (TALLY_WIDTH * TALLY_BYTES))
#if TALLY_STATE_IS_SHIFTED
#define TALLY_ABREAST TALLY_SIDES
#elif TALLY_STATE_IS_KEY && TALLY_BYTES <= 2
#define TALLY_ABREAST 4
#elif TALLY_CACHE_LINE > 4 * TALLY_WIDTH * TALLY_BYTES
#define TALLY_ABREAST 4
#else
#define TALLY_ABREAST TALLY_PER_CACHE_LINE
#endif

/* What lies here and there one by one: processors are slow at vectors of positions. */
#if defined(__clang__)
#define TALLY_ONE_BY_ONE _Pragma("clang loop vectorize(disable)")
#else
#define TALLY_ONE_BY_ONE
#endif

/* Lanes combined by halving, as single states: lanes is a power of two. */
static tally_state TALLY_FN(halve)(tally_state *state, uint lanes) {
    for (uint half_lanes = lanes / 2; half_lanes > 0; half_lanes /= 2)
        for (uint lane = 0; lane < half_lanes; lane++)
            state[lane] = tally_combine(state[lane], state[lane + half_lanes]);
    return state[0];
}

/* The least power of two that is not below n, at most all lanes. */
static uint TALLY_FN(lanes_for)(tally_index n) {
    uint lanes = 1;
    while (lanes < n && lanes < TALLY_LANES)
        lanes *= 2;
    return lanes;
}

/* Vectors of states combined with as many others. */
static void TALLY_FN(combine_rows)(tally_states *a, const tally_states *b, uint count) {
    uint i = 0;
#if TALLY_STATE_IS_SHIFTED
#pragma unroll 1
    for (; i + TALLY_SIDES <= count; i += TALLY_SIDES)
        tally_combine_sides(a + i, b + i);
#endif
    for (; i < count; i++)
        a[i] = tally_combine_all(a[i], b[i]);
}

/*
 * Rows of so many vectors of states, a power of two of them, combined by halving: the first row is
 * the result. So many from the first on are there. The others are the identity, of which nothing
 * is combined.
 */
static void TALLY_FN(halve_rows)(tally_states *state, uint rows, uint there, uint vectors) {
    for (uint half_rows = rows / 2; half_rows > 0; half_rows /= 2) {
        TALLY_FN(combine_rows)(state, state + half_rows * vectors,
                            (there > half_rows ? there - half_rows : 0) * vectors);
        there = min(there, half_rows);
    }
}

/* A vector of states, one by one; positions count from the block, which begins with the index-th
 * term.
 */
static void TALLY_FN(split)(tally_states states, tally_index index, tally_state *state) {
#if TALLY_STATE_IS_INDEXED
    tally_key key[TALLY_WIDTH];
    tally_position position[TALLY_WIDTH];
    TALLY_VSTORE(states.key, 0, key);
    TALLY_VSTORE(states.position, 0, position);
    for (uint i = 0; i < TALLY_WIDTH; i++) {
        state[i].key = key[i];
        state[i].index = index + (tally_index)position[i];
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

/* Write the states of count outputs, a vector's first lanes, at those offsets. */
static void TALLY_FN(put_strided)(__global TALLY_TARGET *out, const tally_index *at,
                                tally_index blocks, tally_index block, tally_states states,
                                tally_index index, tally_index scale, uint count,
                                tally_u64 total) {
#if TALLY_LAST && !TALLY_STATE_IS_INDEXED
    tally_stored stored[TALLY_WIDTH];
    TALLY_STAGE(tally_storeds_of(tally_end_all(states, total)), stored);
    TALLY_ONE_BY_ONE
    for (uint i = 0; i < count; i++)
        ((__global tally_stored *)out)[at[i]] = stored[i];
#else
    tally_state state[TALLY_WIDTH];
    TALLY_FN(split)(states, index, state);
    for (uint i = 0; i < count; i++)
        TALLY_FN(put)(out, at[i], blocks, block, TALLY_FN(scaled)(state[i], scale), false, total);
#endif
}

/* The same from that offset on, a stride apart. */
#define TALLY_PUT_ALL(out, a, at, stride, block, states, index, n)                                 \
    TALLY_FN(put_all)(out, at, stride, (tally_index)(a).blocks, block, states, index,              \
                      (tally_index)(a).index_scale, n, (a).count)

static void TALLY_FN(put_all)(__global TALLY_TARGET *out, tally_index at, tally_index stride,
                              tally_index blocks, tally_index block, tally_states states,
                              tally_index index, tally_index scale, uint count,
                              tally_u64 total) {
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
    tally_index positions[TALLY_WIDTH];
    for (uint i = 0; i < TALLY_WIDTH; i++)
        positions[i] = at + i * stride;
    TALLY_FN(put_strided)(out, positions, blocks, block, states, index, scale, count, total);
}

/* How far the last element of axes of those sizes is from the first. */
static tally_u64 TALLY_FN(reach)(const uint rank, const tally_u64 *size, const tally_u64 *stride) {
    tally_u64 reach = 0;
    for (uint k = 0; k < rank; k++)
        reach += (size[k] - 1) * stride[k];
    return reach;
}

/* Offsets of count elements from the first on, row-major, of axes of those sizes. */
static void TALLY_FN(walk)(tally_index *at, uint count, tally_index first, const uint rank,
                           const tally_u64 *size, const tally_u64 *stride) {
    tally_index position[TALLY_AXES], offset = 0, rest = first;
    for (uint k = rank; k-- > 0;) {
        const tally_index outer = k > 0 ? rest / (tally_index)size[k] : 0;
        position[k] = rest - outer * (tally_index)size[k];
        offset += position[k] * (tally_index)stride[k];
        rest = outer;
    }
    const tally_index inner = (tally_index)size[rank - 1], step = (tally_index)stride[rank - 1];
    for (uint i = 0; i < count;) {
        const uint n = (uint)min((tally_index)(count - i), inner - position[rank - 1]);
        for (uint k = 0; k < n; k++)
            at[i + k] = offset + k * step;
        i += n;
        offset += n * step;
        position[rank - 1] += n;
        for (uint k = rank - 1; k > 0 && position[k] == (tally_index)size[k]; k--) {
            offset += (tally_index)stride[k - 1] - (tally_index)(size[k] * stride[k]);
            position[k] = 0;
            position[k - 1]++;
        }
    }
}

/* A row of outputs, of the innermost axis: its first one and where that lies; no row has none. */
typedef struct {
    tally_index first, count, to;
} TALLY_FN(out_row);
#define TALLY_NO_ROW {0, 0, 0}

/* The row of an output; row, that of another one, spares the search where it is the same. */
static void TALLY_FN(find_row)(const TALLY_ARGS *a, tally_index output, TALLY_FN(out_row) *row) {
    if (output - row->first < row->count)
        return;
    row->count = (tally_index)a->kept_size[TALLY_KEPT_RANK - 1];
    row->first = output - output % row->count;
    row->to = TALLY_OFFSET(TALLY_KEPT_RANK, a->kept_size, a->kept_out, row->first);
}

/* The same of count neighbouring outputs, wherever they lie, of a block. */
static void TALLY_FN(put_outputs)(const TALLY_ARGS *a, TALLY_FN(out_row) *row,
                                  __global TALLY_TARGET *out, tally_index block,
                                  tally_index output, tally_states states, uint count) {
    const tally_index blocks = (tally_index)a->blocks, begin = block * TALLY_BLOCK;
    const tally_index scale = (tally_index)a->index_scale;
    TALLY_FN(find_row)(a, output, row);
    const tally_index position = output - row->first;
    const tally_index stride = (tally_index)a->kept_out[TALLY_KEPT_RANK - 1];
    if (TALLY_KEPT_RANK == 1 || position + count <= row->count) {
        TALLY_FN(put_all)(out, row->to + position * stride, stride, blocks, block, states, begin,
                          scale, count, a->count);
    } else {
        tally_index at[TALLY_WIDTH];
        TALLY_FN(walk)(at, count, output, TALLY_KEPT_RANK, a->kept_size, a->kept_out);
        TALLY_FN(put_strided)(out, at, blocks, block, states, begin, scale, count, a->count);
    }
}
