/*
 * A fold of short rows: a group brings a.staged_rows rows at a time, of a.packed_rows that lie one
 * after the other, into local memory, 16 bytes per work-item at a time, and from there work-items
 * fold leaves of TALLY_LEAF_ELEMENTS elements. A row is an output's terms; or, of TALLY_OF_COLUMNS,
 * all terms of outputs that stand side by side. A gap behind each row is brought too. A leaf is a
 * pack where terms, or columns, are whole packs, and rows begin at such; these rows lie
 * a.pitch_packs packs apart. Else it is one element. Of columns a leaf has one term of each of its
 * outputs. An output has at most TALLY_TERMS_ROOM terms, one for each lane. Where rows are so long
 * that a group has two work-items or more for each that is there, TALLY_SHARERS of them share a row
 * and deal its leaves among them. Groups loop over units with uniform bounds, so every work-item
 * meets every barrier.
 */
#if TALLY_OF_COLUMNS
#define TALLY_LEAF_TERMS 1 /* of one output */
#define TALLY_SHORT_ROWS_COLUMNS(a) ((uint)(a).kept_size[TALLY_KEPT_RANK - 1])
#else
#define TALLY_LEAF_TERMS TALLY_LEAF_ELEMENTS
#define TALLY_SHORT_ROWS_COLUMNS(a) 1
#endif

/*
 * Which of the sets of packed rows a unit is of. Where no kept axis is left for others there is
 * one, and no division, which takes registers that decide how many groups a compute unit has.
 */
#define TALLY_SET_OF(unit, tiles)                                                                  \
    (TALLY_KEPT_RANK <= (TALLY_OF_COLUMNS ? 2 : 1) ? 0 : (unit) / (tiles))

/*
 * What a work-item folds at a time; lanes are combined by halving, leaves before those of one leaf.
 */
#define TALLY_LEAF_STEP (TALLY_SHARERS > 1 ? TALLY_SHARERS : 1) /* leaves from one to the next */
#define TALLY_LEAVES (TALLY_TERMS_ROOM / TALLY_LEAF_TERMS / TALLY_LEAF_STEP)
#define TALLY_LEVELS TALLY_LOG2(TALLY_LEAVES)

#if !TALLY_EXACT
/* The states of a leaf, whose first element is the index-th of its row. */
static void TALLY_FN(leaf)(__local const tally_raw *at, uint index, tally_state *leaf) {
#if TALLY_LEAF_ELEMENTS > 1
    tally_pack pack;
    pack.bits = *(__local const uint4 *)at;
#pragma unroll
    for (uint e = 0; e < TALLY_LEAF_ELEMENTS; e++)
        leaf[e] = tally_begin(tally_unpack(&pack, e), index + (TALLY_LEAF_TERMS > 1 ? e : 0));
#else
    leaf[0] = tally_begin(tally_of_raw(*at), index);
#endif
}
#endif

/* States of a leaf: of each element, or where combining is exact of each of its outputs. */
#define TALLY_LEAF_STATES                                                                          \
    (TALLY_EXACT ? TALLY_LEAF_ELEMENTS / TALLY_LEAF_TERMS : TALLY_LEAF_ELEMENTS)

/*
 * Fold the leaves of terms elements, step apart, into sum: the share-th, and each TALLY_LEAF_STEP
 * behind it. Where the order matters, leaves are visited in bit-reversed order, in which combining
 * by halving needs one state per halving, like the digits of a counter; a half that begins behind
 * the end is not there at all.
 */
#if TALLY_EXACT
static void TALLY_FN(leaves)(__local const tally_raw *row, uint terms, uint step, uint share,
                             tally_state *sum) {
#pragma unroll
    for (uint e = 0; e < TALLY_LEAF_STATES; e++)
        sum[e] = tally_identity();
    row += share * step;
    for (uint index = share * TALLY_LEAF_TERMS; index < terms;
         index += TALLY_LEAF_STEP * TALLY_LEAF_TERMS, row += TALLY_LEAF_STEP * step) {
#if TALLY_LEAF_ELEMENTS > 1
        tally_pack pack;
        pack.bits = *(__local const uint4 *)row;
#endif
#pragma unroll
        for (uint e = 0; e < TALLY_LEAF_ELEMENTS; e++) {
#if TALLY_LEAF_ELEMENTS > 1
            const tally_compute x = tally_unpack(&pack, e);
#else
            const tally_compute x = tally_of_raw(*row);
#endif
            /* Of one row, one after the other; or of as many outputs as there are columns. */
            const uint of = TALLY_LEAF_TERMS > 1 ? 0 : e;
            sum[of] = tally_take(sum[of], &x, 1, index + e - of, 1);
        }
    }
}
#else
static void TALLY_FN(leaves)(__local const tally_raw *row, uint terms, uint step, uint share,
                             tally_state *sum) {
    /* From the share's first leaf on all positions are constants. */
    const uint before = share * TALLY_LEAF_TERMS, left = terms - min(terms, before);
    tally_state pending[TALLY_LEVELS + 1][TALLY_LEAF_ELEMENTS];
    row += share * step;
#pragma unroll
    for (uint visit = 0; visit < TALLY_LEAVES; visit++) {
        uint reversed = 0;
#pragma unroll
        for (uint level = 0; level < TALLY_LEVELS; level++)
            reversed |= (visit >> level & 1u) << (TALLY_LEVELS - 1 - level);
        const uint number = reversed * TALLY_LEAF_STEP;
        if (number * TALLY_LEAF_TERMS < left)
            TALLY_FN(leaf)(row + number * step, before + number * TALLY_LEAF_TERMS, sum);
#pragma unroll
        for (uint level = 0; level <= TALLY_LEVELS; level++) {
            if ((visit & ((1u << level) - 1)) != (1u << level) - 1)
                continue; /* the sum came to rest at a lower level */
            const bool rests = level == TALLY_LEVELS || (visit >> level & 1u) == 0;
            /* The half that ends here began with this leaf, the lowest of its own. */
            const uint lowest = reversed & ((1u << (TALLY_LEVELS - level)) - 1u);
#pragma unroll
            for (uint e = 0; e < TALLY_LEAF_ELEMENTS; e++) {
                if (rests)
                    pending[level][e] = sum[e];
                else if (lowest * TALLY_LEAF_STEP * TALLY_LEAF_TERMS < left)
                    sum[e] = tally_combine(pending[level][e], sum[e]);
                else
                    sum[e] = pending[level][e];
            }
        }
    }
}
#endif

/* Combine what is left of a leaf's lanes. */
static void TALLY_FN(combine_leaf)(tally_state *sum) {
#if !TALLY_EXACT
#pragma unroll
    for (uint half_lanes = TALLY_LEAF_TERMS / 2; half_lanes > 0; half_lanes /= 2)
#pragma unroll
        for (uint e = 0; e < half_lanes; e++)
            sum[e] = tally_combine(sum[e], sum[e + half_lanes]);
#endif
}

#if TALLY_SHARERS > 1
/*
 * What the leaves of each row come to: a group has a work-item for each sharer of each row, the
 * first sharers of all rows before the second ones, and a row has a leaf for each. Inlined, as of a
 * local array that a function is called with PoCL 3.1 makes one that all groups share.
 */
TALLY_INLINE void TALLY_FN(share_rows)(__local const tally_raw *image, uint terms, uint pitch,
                                       uint present, __local tally_state (*shared)[TALLY_GROUP]) {
    const uint item = get_local_id(0), share = item / present, row = item - share * present;
    if (share < TALLY_SHARERS) {
        tally_state sum[TALLY_LEAF_ELEMENTS];
        TALLY_FN(leaves)(image + row * pitch, terms, TALLY_LEAF_ELEMENTS, share, sum);
#pragma unroll
        for (uint e = 0; e < TALLY_LEAF_STATES; e++)
            shared[e][item] = sum[e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_shares = TALLY_SHARERS / 2; half_shares > 0; half_shares /= 2) {
        if (share < half_shares)
#pragma unroll
            for (uint e = 0; e < TALLY_LEAF_STATES; e++)
                shared[e][item] =
                    tally_combine(shared[e][item], shared[e][item + half_shares * present]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_short_rows_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
    __local uint4 image[TALLY_PACKS];
#if TALLY_SHARERS > 1
    __local tally_state shared[TALLY_LEAF_STATES][TALLY_GROUP];
#endif
    const uint terms = (uint)a.terms;
    const uint columns = TALLY_SHORT_ROWS_COLUMNS(a);
    const uint length = terms * columns;
    const uint rows = (uint)a.staged_rows;
    const uint stride = (uint)a.row_stride;
    const uint pitch = TALLY_LEAF_ELEMENTS > 1 ? (uint)a.pitch_packs * TALLY_PACK : stride;
    const tally_index packed = (tally_index)a.packed_rows;
    const tally_index tiles = (packed + rows - 1) / rows; /* of packed rows */
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        const tally_index set = TALLY_SET_OF(unit, tiles), in_packed = (unit - set * tiles) * rows;
        const tally_index first = set * packed + in_packed;
        const uint present = (uint)min((tally_index)rows, packed - in_packed);
        const uint lead =
            TALLY_FN(fill)(in + TALLY_ORIGIN(a, first * columns), image,
                           (present - 1) * stride + length, stride, (uint)a.pitch_packs);
        barrier(CLK_LOCAL_MEM_FENCE);
#if TALLY_SHARERS > 1
        TALLY_FN(share_rows)((__local const tally_raw *)image + lead, terms, pitch, present,
                             shared);
        const uint row = get_local_id(0);
        if (row < present) {
            tally_state sum[TALLY_LEAF_STATES];
#pragma unroll
            for (uint e = 0; e < TALLY_LEAF_STATES; e++)
                sum[e] = shared[e][row];
            TALLY_FN(combine_leaf)(sum);
            TALLY_PUT(out, a, first + row, 0, sum[0]);
        }
#else
        const uint strips = columns > TALLY_LEAF_ELEMENTS ? columns / TALLY_LEAF_ELEMENTS : 1;
        const uint step = columns > 1 ? columns : TALLY_LEAF_ELEMENTS;
        for (uint k = get_local_id(0); k < present * strips; k += TALLY_GROUP) {
            const uint row = k / strips, column = (k - row * strips) * TALLY_LEAF_ELEMENTS;
            tally_state sum[TALLY_LEAF_ELEMENTS];
            TALLY_FN(leaves)((__local const tally_raw *)image + lead + row * pitch + column, terms,
                             step, 0, sum);
            TALLY_FN(combine_leaf)(sum);
            const tally_index output = (first + row) * columns + column;
            if (TALLY_LEAF_ELEMENTS > TALLY_LEAF_TERMS && TALLY_PUTS_PACK(out, a, output)) {
                TALLY_PUT_PACK(out, a, output, sum);
                continue;
            }
#pragma unroll
            for (uint e = 0; e < TALLY_LEAF_ELEMENTS / TALLY_LEAF_TERMS; e++)
                TALLY_PUT(out, a, output + e, 0, sum[e]);
        }
#endif
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
    }
    TALLY_CLOSE(a.head.units, out)
}
