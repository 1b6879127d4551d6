/*
 * A fold of short rows: a group brings a.staged_rows rows at a time, of a.packed_rows that lie one
 * after the other, into local memory, 16 bytes per work-item at a time, and from there work-items
 * fold leaves of TALLY_LEAF_ELEMENTS elements. A row is an output's terms; or, of TALLY_OF_COLUMNS,
 * all terms of outputs that stand side by side. A gap behind each row is brought too. A leaf is a
 * pack where terms, or columns, are whole packs, and rows begin at such; these rows lie
 * a.pitch_packs packs apart. Else it is one element. Of columns a leaf has one term of each of its
 * outputs. An output has at most TALLY_TERMS_ROOM terms, one for each lane. Groups loop over units
 * with uniform bounds, so every work-item meets every barrier.
 */
#if TALLY_OF_COLUMNS
#define TALLY_LOCAL_BYTES TALLY_SHORT_COLUMNS_BYTES
#define TALLY_LEAF_TERMS 1 /* of one output */
#define TALLY_SHORT_ROWS_COLUMNS(a) ((uint)(a).kept_size[TALLY_KEPT_RANK - 1])
#else
#define TALLY_LOCAL_BYTES TALLY_SHORT_ROWS_BYTES
#define TALLY_LEAF_TERMS TALLY_LEAF_ELEMENTS
#define TALLY_SHORT_ROWS_COLUMNS(a) 1
#endif
#define TALLY_PACKS (TALLY_LOCAL_BYTES / 16)

/* Packs of a unit that a work-item brings: all are under way before the first is needed. */
#define TALLY_BRINGS ((TALLY_PACKS + TALLY_GROUP - 1) / TALLY_GROUP)

/*
 * What a work-item folds at a time; lanes are combined by halving, leaves before those of one leaf.
 */
#define TALLY_LEAVES (TALLY_TERMS_ROOM / TALLY_LEAF_TERMS)
#define TALLY_LEVELS TALLY_LOG2(TALLY_LEAVES)

#if TALLY_LEAF_ELEMENTS > 1
/* The 16 bytes that begin lead bytes behind the first of two aligned packs. */
static uint4 TALLY_FN(shifted)(const uint4 low, const uint4 high, uint lead) {
    const uint shift = lead % 4 * 8;
    uint4 words = lead >= 8 ? (uint4)(low.zw, high.xy) : low;
    uint2 behind = lead >= 8 ? high.zw : high.xy;
    if (lead % 8 >= 4) {
        words = (uint4)(words.yzw, behind.x);
        behind.x = behind.y;
    }
    return shift == 0 ? words : words >> shift | (uint4)(words.yzw, behind.x) << (32 - shift);
}

/* This work-item's packs of the rows, which begin lead bytes after from. */
static void TALLY_FN(bring)(__global const TALLY_STORAGE *in, __global const uint4 *from,
                            uint packs, uint lead, tally_pack *pack) {
    const uint item = get_local_id(0);
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs) {
            const uint p = item + b * TALLY_GROUP;
            if (lead == 0) {
                pack[b].bits = from[p];
            } else if (p > 0 && p + 1 < packs) {
                pack[b].bits = TALLY_FN(shifted)(from[p], from[p + 1], lead);
            } else { /* around the rows may be what is nobody's */
                pack[b].bits = (uint4)(0);
#pragma unroll
                for (uint e = 0; e < TALLY_PACK; e++)
                    tally_put_in_pack(&pack[b], e, in + p * TALLY_PACK + e);
            }
        }
}

/*
 * Bring n elements, of rows that begin stride elements from one to the next; in the image they are
 * pitch packs from each other, so that neighbours meet different banks.
 */
static uint TALLY_FN(fill)(__global const TALLY_STORAGE *in, __local uint4 *image, uint n,
                           uint stride, uint pitch) {
    const uint item = get_local_id(0);
    const uint width = stride / TALLY_PACK;
    const uint packs = n / TALLY_PACK;
    /* Of 1024 packs at most, p / width is p times this shifted back: 20 bits are enough. */
    const uint per_width = ((1 << 20) - 1 + width) / width;
    const uint lead = (uint)((size_t)in % sizeof(uint4)); /* bytes */
    __global const uint4 *from = (__global const uint4 *)(in - lead / TALLY_BYTES);
    tally_pack pack[TALLY_BRINGS];
    /* Narrow elements are loaded without conditions. Wider ones took longer that way. */
    if (TALLY_BYTES < 4 && lead == 0) {
#pragma unroll
        for (uint b = 0; b < TALLY_BRINGS; b++)
            pack[b].bits = from[min(item + b * TALLY_GROUP, packs - 1)];
        tally_hold(pack, TALLY_BRINGS); /* of columns; those of rows are no power of two */
    } else {
        TALLY_FN(bring)(in, from, packs, lead, pack);
    }
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs) {
            const uint p = item + b * TALLY_GROUP;
            image[p + (p * per_width >> 20) * (pitch - width)] = pack[b].bits;
        }
    return 0;
}
#else
/* Bring n elements as they lie; returns how many before the first the image begins. */
static uint TALLY_FN(fill)(__global const TALLY_STORAGE *in, __local uint4 *image, uint n,
                           uint stride, uint pitch) {
    const uint item = get_local_id(0);
    const uint lead = (uint)((size_t)in % sizeof(uint4) / TALLY_BYTES);
    const uint head = lead == 0 ? 0 : min(n, TALLY_PACK - lead);
    const uint packs = (n - head) / TALLY_PACK;
    const uint rest = n - packs * TALLY_PACK; /* before the first pack and behind the last */
    const uint first = lead == 0 ? 0 : 1;     /* position of the first pack */
    tally_pack pack[TALLY_BRINGS];
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs)
            pack[b].bits = tally_load_pack(in + head + (item + b * TALLY_GROUP) * TALLY_PACK);
    if (item < rest) {
        const uint at = item < head ? item : item + packs * TALLY_PACK;
        ((__local tally_raw *)image)[lead + at] = ((__global const tally_raw *)in)[at];
    }
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs)
            image[first + item + b * TALLY_GROUP] = pack[b].bits;
    return lead;
}
#endif

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

/*
 * Fold the leaves of terms elements, step apart, into sum. Where the order matters, leaves are
 * visited in bit-reversed order, in which combining by halving needs one state per halving, like
 * the digits of a counter; a half that begins behind the end is not there at all.
 */
#if TALLY_EXACT
static void TALLY_FN(leaves)(__local const tally_raw *row, uint terms, uint step,
                             tally_state *sum) {
#pragma unroll
    for (uint e = 0; e < TALLY_LEAF_ELEMENTS / TALLY_LEAF_TERMS; e++)
        sum[e] = tally_identity();
    for (uint index = 0; index < terms; index += TALLY_LEAF_TERMS, row += step) {
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
static void TALLY_FN(leaves)(__local const tally_raw *row, uint terms, uint step,
                             tally_state *sum) {
    tally_state pending[TALLY_LEVELS + 1][TALLY_LEAF_ELEMENTS];
#pragma unroll
    for (uint visit = 0; visit < TALLY_LEAVES; visit++) {
        uint reversed = 0;
#pragma unroll
        for (uint level = 0; level < TALLY_LEVELS; level++)
            reversed |= (visit >> level & 1u) << (TALLY_LEVELS - 1 - level);
        if (reversed * TALLY_LEAF_TERMS < terms)
            TALLY_FN(leaf)(row + reversed * step, reversed * TALLY_LEAF_TERMS, sum);
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
                else if (lowest * TALLY_LEAF_TERMS < terms)
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

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_short_rows_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
    __local uint4 image[TALLY_PACKS];
    const uint terms = (uint)a.terms;
    const uint columns = TALLY_SHORT_ROWS_COLUMNS(a);
    const uint length = terms * columns;
    const uint rows = (uint)a.staged_rows;
    const uint stride = (uint)a.row_stride;
    const uint pitch = TALLY_LEAF_ELEMENTS > 1 ? (uint)a.pitch_packs * TALLY_PACK : stride;
    const uint strips = columns > TALLY_LEAF_ELEMENTS ? columns / TALLY_LEAF_ELEMENTS : 1;
    const uint step = columns > 1 ? columns : TALLY_LEAF_ELEMENTS;
    const tally_index packed = (tally_index)a.packed_rows;
    const tally_index tiles = (packed + rows - 1) / rows; /* of packed rows */
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        const tally_index before = unit / tiles * packed, in_packed = unit % tiles * rows;
        const tally_index first = before + in_packed;
        const uint present = (uint)min((tally_index)rows, packed - in_packed);
        const uint lead =
            TALLY_FN(fill)(in + TALLY_ORIGIN(a, first * columns), image,
                           (present - 1) * stride + length, stride, (uint)a.pitch_packs);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = get_local_id(0); k < present * strips; k += TALLY_GROUP) {
            const uint row = k / strips, column = (k - row * strips) * TALLY_LEAF_ELEMENTS;
            tally_state sum[TALLY_LEAF_ELEMENTS];
            TALLY_FN(leaves)((__local const tally_raw *)image + lead + row * pitch + column, terms,
                             step, sum);
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
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
    }
    TALLY_CLOSE(a.head.units, out)
}
