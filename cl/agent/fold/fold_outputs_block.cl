/*
 * A slice's part of a block of a fold of outputs side by side (fold_outputs.cl).
 *
 * Slice s takes the lanes s, s + slices and so on: TALLY_LANES_AT_ONCE of them are under way
 * together, TALLY_DEPTH terms of each, and TALLY_VISITS times so many lanes are all that it has.
 * Those that are under way together are combined first; the times are taken in bit-reversed order,
 * in which combining by halving needs one state per halving, like the digits of a counter; slices
 * are combined last, in local memory. Where combining is exact a slice takes the terms s, s +
 * slices and so on.
 */
#define TALLY_LEVELS TALLY_LOG2(TALLY_VISITS)

/* A lane's next count terms, at most TALLY_AT_ONCE, step apart, combined with its sums. */
static void TALLY_FN(take)(tally_state *sum, const TALLY_ITEM *item, uint count, tally_index index,
                           uint step, tally_index scale) {
#pragma unroll
    for (uint v = 0; v < TALLY_WIDTH; v++) {
#if TALLY_FIRST
        tally_compute x[TALLY_LANE_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_AT_ONCE; k++)
            x[k] = TALLY_VALUE(item[k], v);
#if TALLY_DEPTH > 1
        /* bounded once more, so that the compiler sees how many there may be */
        sum[v] = tally_take(sum[v], x, min(count, (uint)TALLY_AT_ONCE), index, step);
#else
        sum[v] = tally_take_one(sum[v], x[0], index);
#endif
#else
#pragma unroll
        for (uint k = 0; k < TALLY_AT_ONCE; k++)
            if (k < count)
                sum[v] = tally_combine(sum[v], tally_resume(item[k], index + k * step, scale));
#endif
    }
}

#if TALLY_FIRST && TALLY_INDICES
/* The same of terms whose indices are looked up, from the first one's on. */
static void TALLY_FN(take_indexed)(tally_state *sum, const TALLY_ITEM *item, uint count,
                                   __local const tally_index *indices, uint step) {
#pragma unroll
    for (uint v = 0; v < TALLY_WIDTH; v++)
#pragma unroll
        for (uint k = 0; k < TALLY_AT_ONCE; k++)
            if (k < count)
                sum[v] = tally_combine(sum[v],
                                    tally_begin(TALLY_VALUE(item[k], v), indices[k * step]));
}
#define TALLY_TAKE(sum, item, count, row)                                                          \
    TALLY_FN(take_indexed)(sum, item, count, table + TALLY_TABLE + (row), lanes)
#else
#define TALLY_TAKE(sum, item, count, row)                                                          \
    TALLY_FN(take)(sum, item, count, index + (row), lanes, scale)
#endif

/*
 * The terms of TALLY_LANES_AT_ONCE lanes, the first of them and from one to the next, TALLY_AT_ONCE
 * of each at a time. All are loaded before the first is looked at; in place of those that are not
 * there, the block's first.
 */
static void TALLY_FN(lanes)(__global const TALLY_SOURCE *in, tally_index stride,
                            __local const tally_index *table, bool aligned, uint n,
                            tally_index index, uint first, uint step, uint lanes, tally_index scale,
                            tally_state (*sum)[TALLY_WIDTH]) {
    const uint reach = (TALLY_LANES_AT_ONCE - 1) * step + (TALLY_AT_ONCE - 1) * lanes;
    uint row = first;
#pragma unroll
    for (uint m = 0; m < TALLY_LANES_AT_ONCE; m++)
#pragma unroll
        for (uint v = 0; v < TALLY_WIDTH; v++)
            sum[m][v] = tally_identity();
#if TALLY_DEPTH > 0 && (!TALLY_TABLED || TALLY_EXACT)
#if !TALLY_TABLED
    __global const TALLY_SOURCE *at = in + TALLY_WHERE(row);
    const size_t go = (size_t)(lanes * TALLY_AT_ONCE) * (size_t)stride;
#endif
    for (; row + reach < n; row += lanes * TALLY_AT_ONCE) { /* all are there */
        TALLY_ITEM item[TALLY_ITEMS];
#pragma unroll
        for (uint i = 0; i < TALLY_ITEMS; i++)
            item[i] = TALLY_FN(load)(TALLY_AFTER(row, TALLY_ROW_OF(i)), aligned);
        TALLY_HOLD(item, TALLY_ITEMS);
#pragma unroll
        for (uint m = 0; m < TALLY_LANES_AT_ONCE; m++)
            TALLY_TAKE(sum[m], item + m * TALLY_AT_ONCE, TALLY_AT_ONCE, row + m * step);
#if !TALLY_TABLED
        at += go;
#endif
    }
#endif
    for (; row < n; row += lanes * TALLY_AT_ONCE) {
        TALLY_ITEM item[TALLY_ITEMS];
        uint count[TALLY_LANES_AT_ONCE] = {0};
#pragma unroll
        for (uint i = 0; i < TALLY_ITEMS; i++) {
            const bool is_there = TALLY_IS_THERE(row + TALLY_ROW_OF(i));
            item[i] = TALLY_FN(load)(in + (is_there ? TALLY_WHERE(row + TALLY_ROW_OF(i)) : 0),
                                     aligned);
            count[i / TALLY_AT_ONCE] += is_there;
        }
        TALLY_HOLD(item, TALLY_ITEMS);
#pragma unroll
        for (uint m = 0; m < TALLY_LANES_AT_ONCE; m++)
            if (count[m] > 0)
                TALLY_TAKE(sum[m], item + m * TALLY_AT_ONCE, count[m], row + m * step);
        if (TALLY_DEPTH == 0) /* a constant: there is no loop, and no sum to keep in it */
            break;
    }
}

/*
 * Whether the m-th lane is combined with another one, which costs an exponential: not if it has no
 * terms. Where lanes have one at most, a lane of the upper half may have none.
 */
#if TALLY_STATE_IS_SHIFTED && TALLY_DEPTH == 0
#define TALLY_IS_COMBINED(m)                                                                       \
    ((m) < TALLY_LANES_AT_ONCE / 2 || TALLY_IS_THERE(first + (m) * step))
#else
#define TALLY_IS_COMBINED(m) true
#endif

/*
 * The terms of TALLY_LANES_AT_ONCE lanes, combined by halving. Whether packs are aligned is asked
 * here and not around the block: of two copies of a block PoCL 3.1 made one that lost terms. The
 * halving's bounds are constants: where one was halved itself NVIDIA's compiler put 16 parts into
 * memory.
 */
static void TALLY_FN(combined)(__global const TALLY_SOURCE *in, tally_index stride,
                             __local const tally_index *table, bool aligned, uint n,
                             tally_index index, uint first, uint step, uint lanes,
                             tally_index scale, tally_state *sum) {
    tally_state part[TALLY_LANES_AT_ONCE][TALLY_WIDTH];
    if (aligned) /* a constant in each call */
        TALLY_FN(lanes)(in, stride, table, true, n, index, first, step, lanes, scale, part);
    else
        TALLY_FN(lanes)(in, stride, table, false, n, index, first, step, lanes, scale, part);
#pragma unroll
    for (uint level = 1; level <= TALLY_LOG2(TALLY_LANES_AT_ONCE); level++)
#pragma unroll
        for (uint m = 0; m < TALLY_LANES_AT_ONCE / 2; m++)
            if (m < TALLY_LANES_AT_ONCE >> level &&
                TALLY_IS_COMBINED(m + (TALLY_LANES_AT_ONCE >> level)))
#pragma unroll
                for (uint v = 0; v < TALLY_WIDTH; v++)
                    part[m][v] =
                        tally_combine(part[m][v], part[m + (TALLY_LANES_AT_ONCE >> level)][v]);
#pragma unroll
    for (uint v = 0; v < TALLY_WIDTH; v++)
        sum[v] = part[0][v];
}

/* A slice's part of a block of n terms, the first of which is the index-th. */
#if TALLY_EXACT
static void TALLY_FN(block)(__global const TALLY_SOURCE *in, tally_index stride,
                            __local const tally_index *table, bool aligned, uint n,
                            tally_index index, uint slice, uint slices, tally_index scale,
                            tally_state *sum) {
    TALLY_FN(combined)(in, stride, table, aligned, n, index, slice, slices,
                     slices * TALLY_LANES_AT_ONCE, scale, sum);
}
#else
static void TALLY_FN(block)(__global const TALLY_SOURCE *in, tally_index stride,
                            __local const tally_index *table, bool aligned, uint n,
                            tally_index index, uint slice, uint slices, tally_index scale,
                            tally_state *sum) {
    tally_state pending[TALLY_LEVELS + 1][TALLY_WIDTH];
    const uint step = slices * TALLY_VISITS, lanes = step * TALLY_LANES_AT_ONCE;
#pragma unroll 1
    for (uint visit = 0; visit < TALLY_VISITS; visit++) {
        const uint reversed = tally_bit_reversed(visit, TALLY_LEVELS);
        TALLY_FN(combined)(in, stride, table, aligned, n, index, slice + slices * reversed, step,
                           lanes,
                         scale, sum);
        tally_meet(&pending[0][0], sum, visit, TALLY_LEVELS, TALLY_WIDTH);
    }
}
#endif
