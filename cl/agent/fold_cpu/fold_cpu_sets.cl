/*
 * Sets of few rows of few columns, of folds down packed columns on a CPU (fold_cpu_packed.cl): a
 * set is too short for vectors along it, so TALLY_WIDTH sets go side by side, one in each lane.
 */

/*
 * Elements of a set and its columns, at most: of others vectors go along the set, which takes
 * longer for narrow elements and exponentials.
 */
#define TALLY_SETS_ELEMENTS (TALLY_BYTES < 4 || TALLY_STATE_IS_SHIFTED ? 512 : 160)
#define TALLY_SETS_COLUMNS (TALLY_WIDTH - 1)

/* The axis along which sets are a stride apart. */
#define TALLY_SETS_AXIS (TALLY_KEPT_RANK > 1 ? TALLY_KEPT_RANK - 2 : 0)

/* Numbers that a state has in each lane. */
#define TALLY_STATE_PARTS ((uint)(sizeof(tally_states) / sizeof(tally_terms)))

/* The states of single terms of sets a stride apart, of so many elements each. */
TALLY_INLINE void TALLY_FN(take_sets)(__global const TALLY_STORAGE *in, tally_index stride,
                                      uint size, uint columns, tally_states *state) {
    for (uint first = 0; first < size; first += TALLY_WIDTH) {
        const uint e = size < TALLY_WIDTH ? 0 : min(first, size - TALLY_WIDTH);
        tally_computes x[TALLY_WIDTH];
#pragma unroll
        for (uint s = 0; s < TALLY_WIDTH; s++)
            x[s] = tally_load_all(in + (s * stride + e));
        TALLY_TRANSPOSE(tally_computes, x)
#pragma unroll
        for (uint k = 0; k < TALLY_WIDTH; k++)
            state[e + k] = tally_single_all(
                x[k], (tally_positions)(TALLY_STATE_IS_INDEXED ? (e + k) / columns : 0));
    }
}

#if !TALLY_STATE_IS_INDEXED && !TALLY_STATE_IS_SHIFTED
/* The same of rows of which the first ones are combined with others so many elements behind. */
TALLY_INLINE void TALLY_FN(take_halves)(__global const TALLY_STORAGE *in, tally_index stride,
                                        uint size, uint behind, uint both, tally_states *state) {
    for (uint first = 0; first < size; first += TALLY_WIDTH) {
        const uint e = min(first, size - TALLY_WIDTH);
        const uint there = both > e ? min(both - e, (uint)TALLY_WIDTH) : 0;
        tally_terms x[TALLY_WIDTH];
#pragma unroll
        for (uint s = 0; s < TALLY_WIDTH; s++)
            x[s] = tally_map_all(tally_load_all(in + (s * stride + e)));
        if (there > 0) {
            const tally_masks partial = TALLY_FIRST_LANES(there);
#pragma unroll
            for (uint s = 0; s < TALLY_WIDTH; s++) {
                const tally_terms combined = tally_combine_all_terms(
                    x[s], tally_map_all(tally_load_all(in + (s * stride + e + behind))));
                x[s] = there == TALLY_WIDTH ? combined : partial ? combined : x[s];
            }
        }
        TALLY_TRANSPOSE(tally_terms, x)
#pragma unroll
        for (uint k = 0; k < TALLY_WIDTH; k++)
            state[e + k] = x[k];
    }
}
#endif

/* TALLY_WIDTH sets of n rows, down to the states of their columns; TALLY_WIDTH more have room. */
TALLY_INLINE void TALLY_FN(fold_abreast)(__global const TALLY_STORAGE *in, tally_index stride,
                                         uint n, uint columns, tally_states *state) {
    uint rows = n, half_rows = TALLY_LANES;
    while (half_rows >= n)
        half_rows /= 2;
#if !TALLY_STATE_IS_INDEXED && !TALLY_STATE_IS_SHIFTED
    if (half_rows * columns >= TALLY_WIDTH) {
        TALLY_FN(take_halves)(in, stride, half_rows * columns, half_rows * columns,
                              (n - half_rows) * columns, state);
        rows = half_rows;
        half_rows /= 2;
    } else
#endif
        TALLY_FN(take_sets)(in, stride, n * columns, columns, state);
    for (; half_rows > 0; half_rows /= 2) {
        for (uint i = 0; i < (rows - half_rows) * columns; i++)
            state[i] = tally_combine_all(state[i], state[i + half_rows * columns]);
        rows = half_rows;
    }
}

/* Which numbers of such states are outputs side by side: a set's columns', then the next set's. */
TALLY_INLINE void TALLY_FN(find_outputs)(uint columns, ushort *at) {
    for (uint s = 0; s < TALLY_WIDTH; s++)
        for (uint c = 0; c < columns; c++)
            at[s * columns + c] = (ushort)(c * TALLY_STATE_PARTS * TALLY_WIDTH + s);
}

/* A vector of them. */
#define TALLY_OUTPUT_OF(i) numbers[at[i]]
#define TALLY_SECOND_OF(i) seconds[at[i] + TALLY_WIDTH]
TALLY_INLINE tally_states TALLY_FN(outputs_of)(const tally_states *state, const ushort *at) {
#if TALLY_STATE_IS_INDEXED
    const tally_key *numbers = (const tally_key *)state;
    const tally_position *seconds = (const tally_position *)state;
    const tally_states outputs = {(tally_keys)(TALLY_EACH_LANE(TALLY_OUTPUT_OF)),
                                  (tally_positions)(TALLY_EACH_LANE(TALLY_SECOND_OF))};
#elif TALLY_STATE_IS_SHIFTED
    const tally_compute *numbers = (const tally_compute *)state, *seconds = numbers;
    const tally_states outputs = {(tally_computes)(TALLY_EACH_LANE(TALLY_OUTPUT_OF)),
                                  (tally_computes)(TALLY_EACH_LANE(TALLY_SECOND_OF))};
#else
    const tally_term *numbers = (const tally_term *)state;
    const tally_states outputs = (tally_terms)(TALLY_EACH_LANE(TALLY_OUTPUT_OF));
#endif
    return outputs;
}

/* Whether vectors go across sets, of which as many must be a stride apart. */
static bool TALLY_FN(goes_by_sets)(const tally_fold_cpu_args *a) {
    const tally_index columns = (tally_index)a->kept_size[TALLY_KEPT_RANK - 1];
    return TALLY_KEPT_RANK > 1 && a->kept_size[TALLY_SETS_AXIS] >= TALLY_WIDTH &&
           a->blocks == 1 && columns <= TALLY_SETS_COLUMNS && a->terms <= TALLY_LANES &&
           a->terms * columns <= TALLY_SETS_ELEMENTS;
}

/*
 * The sets from one on and before stop that are a stride apart in either tensor, as far as there
 * are TALLY_WIDTH of them, whose vectors do not reach over the input. Returns how many these are.
 */
TALLY_NO_INLINE tally_index TALLY_FN(fold_sets)(const tally_fold_cpu_args *a,
                                                __global const TALLY_STORAGE *in,
                                                __global TALLY_TARGET *out, tally_index first,
                                                tally_index stop) {
    const uint columns = (uint)a->kept_size[TALLY_KEPT_RANK - 1], n = (uint)a->terms;
    const tally_index sets = (tally_index)a->kept_size[TALLY_SETS_AXIS];
    const tally_index stride = (tally_index)a->kept_in[TALLY_SETS_AXIS];
    const tally_index beside = (tally_index)a->kept_out[TALLY_SETS_AXIS];
    const tally_index stride_out = (tally_index)a->kept_out[TALLY_KEPT_RANK - 1];
    const tally_index left = min(stop - first, sets - first % sets);
    const tally_index to =
        TALLY_OFFSET(TALLY_KEPT_RANK, a->kept_size, a->kept_out, first * columns);
    const tally_index from = TALLY_ORIGIN(*a, first * columns);
    const tally_index end =
        (tally_index)TALLY_FN(reach)(TALLY_KEPT_RANK, a->kept_size, a->kept_in) +
        (n - 1) * columns + 1;
    const bool packed = stride_out == 1 && beside == columns;
    const uint reach = n * columns + TALLY_WIDTH;
    tally_states state[TALLY_SETS_ELEMENTS + TALLY_WIDTH];
    ushort position[TALLY_SETS_COLUMNS * TALLY_WIDTH];
    tally_index done = 0;
    if (left < TALLY_WIDTH)
        return 0;
    TALLY_FN(find_outputs)(columns, position);
    for (; done + TALLY_WIDTH <= left && from + (done + TALLY_WIDTH - 1) * stride + reach <= end;
         done += TALLY_WIDTH) {
        __global const TALLY_STORAGE *rows = in + (from + done * stride);
        tally_foresee(rows, TALLY_WIDTH * (uint)stride);
        TALLY_FN(fold_abreast)(rows, stride, n, columns, state);
        for (uint c = 0; c < columns; c++)
            if (packed)
                TALLY_PUT_ALL(out, *a, to + done * columns + c * TALLY_WIDTH, 1, 0,
                              TALLY_FN(outputs_of)(state, position + c * TALLY_WIDTH), 0,
                              TALLY_WIDTH);
            else
                TALLY_PUT_ALL(out, *a, to + done * beside + c * stride_out, beside, 0, state[c], 0,
                              TALLY_WIDTH);
    }
    return done;
}
