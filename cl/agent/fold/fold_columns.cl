/*
 * A fold down columns: outputs that are neighbours have terms that are neighbours. A work-item has
 * TALLY_PACK columns and of each block of their terms TALLY_LANES_PER_ITEM lanes; a.slices
 * work-items share the block, which is one if TALLY_WHOLE_BLOCK; a.team_width stand side by side
 * over a strip of columns, and a group has several such strips at a time where they are narrow.
 *
 * Narrow elements are loaded by packs too in a view that begins lead elements inside of a pack, if
 * all rows do: strips begin so much before their columns. In a row's first strip its last elements,
 * for which there is no other pack, take the place of what is before the row: columns are rotated
 * by lead. That strip goes element by element, as does a last one that ends inside of a pack, so
 * that nothing outside of the row is read.
 *
 * Groups loop over units with uniform bounds, so every work-item meets every barrier.
 */

/* Halvings that combine a work-item's lanes. */
#define TALLY_LEVELS TALLY_LOG2(TALLY_LANES_PER_ITEM)

#if TALLY_EXACT
/* A work-item's part of a block: its rows one after the other. */
static void TALLY_FN(block)(__global const TALLY_STORAGE *in, tally_index stride, bool aligned,
                            uint n, tally_index index, const TALLY_FN(position) *position,
                            tally_state *sum) {
    TALLY_FN(fold_down)(in, stride, aligned, n, position->slice, position->slices, index, position,
                        sum);
}
#else
/* Lanes of a low block that are under way together. */
#define TALLY_TOGETHER (TALLY_LANES_PER_ITEM < 8 ? TALLY_LANES_PER_ITEM : 8)

/*
 * Every step-th strip row of a block from the first on, as many as are under way together,
 * combined.
 */
static void TALLY_FN(few_rows)(__global const TALLY_STORAGE *in, tally_index stride, bool aligned,
                               uint n,
                               uint first, uint step, tally_index index,
                               const TALLY_FN(position) *position, tally_state *sum) {
    tally_pack pack[TALLY_TOGETHER];
    uint rows = 0;
#pragma unroll
    for (uint m = 0; m < TALLY_TOGETHER; m++)
        rows += first + step * m < n;
    TALLY_FN(load_rows)(in + first * stride, step * stride, aligned, TALLY_TOGETHER, rows, position,
                        pack);
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        tally_state lane[TALLY_TOGETHER];
#pragma unroll
        for (uint m = 0; m < TALLY_TOGETHER; m++) {
            const uint row = first + step * m;
            lane[m] = row < n ? tally_begin(tally_unpack(&pack[m], v), index + row)
                              : tally_identity();
        }
#pragma unroll
        for (uint half_lanes = TALLY_TOGETHER / 2; half_lanes > 0; half_lanes /= 2)
#pragma unroll
            for (uint m = 0; m < half_lanes; m++)
                lane[m] = tally_combine(lane[m], lane[m + half_lanes]);
        sum[v] = lane[0];
    }
}

/*
 * A block in which a lane has one strip row at most: the even lanes, then, if many, the odd ones.
 */
static void TALLY_FN(few_rows_block)(__global const TALLY_STORAGE *in, tally_index stride,
                                     bool aligned, uint n,
                                tally_index index, const TALLY_FN(position) *position,
                                tally_state *sum) {
    const uint step = position->slices * (TALLY_LANES_PER_ITEM / TALLY_TOGETHER);
    TALLY_FN(few_rows)(in, stride, aligned, n, position->slice, step, index, position, sum);
#if TALLY_LANES_PER_ITEM > TALLY_TOGETHER
    tally_state odd[TALLY_PACK];
    TALLY_FN(few_rows)(in, stride, aligned, n, position->slice + position->slices, step, index,
                       position, odd);
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        sum[v] = tally_combine(sum[v], odd[v]);
#endif
}

#if !TALLY_WHOLE_BLOCK
/*
 * A work-item's part of a block of n strip rows, the first of which is the index-th: its lanes one
 * after the other, in bit-reversed order, in which combining by halving needs one state per
 * halving, like the digits of a counter. Array indices are constants, so that states stay in
 * registers.
 */
static void TALLY_FN(high_block)(__global const TALLY_STORAGE *in, tally_index stride,
                                 bool aligned, uint n,
                                 tally_index index, const TALLY_FN(position) *position,
                                 tally_state *sum) {
    tally_state pending[TALLY_LEVELS + 1][TALLY_PACK];
    const uint lanes = position->slices * TALLY_LANES_PER_ITEM;
#pragma unroll 1
    for (uint visit = 0; visit < TALLY_LANES_PER_ITEM; visit++) {
        const uint reversed = tally_bit_reversed(visit, TALLY_LEVELS);
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            sum[v] = tally_identity();
        TALLY_FN(fold_down)(in, stride, aligned, n, position->slice + position->slices * reversed,
                            lanes, index, position, sum);
        tally_meet(&pending[0][0], sum, visit, TALLY_LEVELS, TALLY_PACK);
    }
}

#endif

/* One work-item alone never has more than a row for each lane. */
static void TALLY_FN(block)(__global const TALLY_STORAGE *in, tally_index stride, bool aligned,
                            uint n, tally_index index, const TALLY_FN(position) *position,
                            tally_state *sum) {
#if !TALLY_WHOLE_BLOCK
    if (n > position->slices * TALLY_LANES_PER_ITEM) {
        TALLY_FN(high_block)(in, stride, aligned, n, index, position, sum);
        return;
    }
#endif
    TALLY_FN(few_rows_block)(in, stride, aligned, n, index, position, sum);
}
#endif

/* Combine what those that share a block have: the first of them gets all. */
#if TALLY_WHOLE_BLOCK
#define TALLY_SHARE(sum)
#else
#define TALLY_SHARE(sum)                                                                           \
    _Pragma("unroll") for (uint v = 0; v < TALLY_PACK; v++) sums[v][item] = sum[v];                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    for (uint half_slices = position.slices / 2; half_slices > 0; half_slices /= 2) {              \
        if (position.slice < half_slices && slot < slots)                                          \
            _Pragma("unroll") for (uint v = 0; v < TALLY_PACK; v++) sums[v][item] =                \
                tally_combine(sums[v][item], sums[v][item + half_slices * team_width]);            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
    }                                                                                              \
    _Pragma("unroll") for (uint v = 0; v < TALLY_PACK; v++) sum[v] = sums[v][item];                \
    barrier(CLK_LOCAL_MEM_FENCE); /* before the next units overwrite what was just read */
#endif

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_team_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
#if !TALLY_WHOLE_BLOCK
    __local tally_state sums[TALLY_PACK][TALLY_GROUP];
#endif
    const uint item = get_local_id(0);
    const uint team_width = (uint)a.team_width;
    const uint slices = TALLY_WHOLE_BLOCK ? 1 : (uint)a.slices;
    const uint team = team_width * slices;
    const uint slots = TALLY_GROUP / team;
    const uint slot = item / team;
    const tally_index units = (tally_index)a.head.units;
    const tally_index columns = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
    const uint strip_width = team_width * TALLY_PACK;
    const tally_index strips = (columns + strip_width - 1) / strip_width;
    const tally_index packed = TALLY_PACKED(columns);
    const tally_index stride = (tally_index)a.swept_in[TALLY_SWEPT_RANK - 1];
    TALLY_FN(position) position;
    position.x = item % team_width;
    position.team_width = team_width;
    position.slice = item % team / team_width;
    position.slices = slices;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * slots; first < units;
         first += get_num_groups(0) * slots) {
        const tally_index unit = first + slot;
        const bool active = slot < slots && unit < units;
        const tally_index strip = unit % strips * strip_width;
        const tally_index block = unit / strips % (tally_index)a.blocks;
        const tally_index output = unit / strips / (tally_index)a.blocks * columns;
        const tally_index first_element = strip + position.x * TALLY_PACK; /* of a pack */
        tally_state sum[TALLY_PACK];
        bool aligned = false;
        uint lead = 0;
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            sum[v] = tally_identity();
        if (active) {
            const tally_index begin = block * TALLY_BLOCK;
            __global const TALLY_STORAGE *rows =
                in + TALLY_ORIGIN(a, output) + begin * stride;
            const uint n = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin);
            lead = (uint)((size_t)rows % sizeof(tally_pack_bits) / TALLY_BYTES);
            const bool by_packs = stride % TALLY_PACK == 0 && (lead == 0 || TALLY_NARROW);
            aligned = by_packs && (lead == 0 || strip > 0) &&
                      min(strip + strip_width, packed) <= columns + lead;
            lead = by_packs ? lead : 0;
            if (aligned && first_element < packed) {
                TALLY_FN(block)(rows + (first_element - lead), stride, true, n, begin, &position,
                                sum);
            } else if (!aligned && strip + position.x < packed) {
                TALLY_FN(set_columns)(strip, lead, columns, &position);
                TALLY_FN(block)(rows, stride, false, n, begin, &position, sum);
            }
        }
        TALLY_SHARE(sum)
        if (active && position.slice == 0) {
            if (aligned && TALLY_PUTS_PACK(out, a, output + first_element - lead)) {
                if (first_element < packed)
                    TALLY_PUT_PACK(out, a, output + first_element - lead, sum);
                continue;
            }
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++) {
                const tally_index column = TALLY_FN(column_of)(
                    strip + TALLY_ELEMENT_OF(position.x, v, aligned), lead, columns);
                if (column < columns)
                    TALLY_PUT(out, a, output + column, block, sum[v]);
            }
        }
    }
    TALLY_CLOSE(units, out)
}
