/*
 * A fold of outputs side by side, for any strides: a work-item has a pack of outputs and folds
 * their terms where they lie. Work-items that are neighbours have outputs that are neighbours in
 * the input, and where outputs are few a.slices of them share a pack's terms, a.team_width apart in
 * the group.
 *
 * Slice s takes the lanes s, s + slices and so on: TALLY_LANES_AT_ONCE of them are under way
 * together, TALLY_DEPTH terms of each, and TALLY_VISITS times so many lanes are all that it has.
 * Those that are under way together are combined first; the times are taken in bit-reversed order,
 * in which combining by halving needs one state per halving, like the digits of a counter; slices
 * are combined last, in local memory. Where combining is exact a slice takes the terms s, s +
 * slices and so on.
 *
 * Where that leaves few groups, a block has a.parts: they share it as slices do, and what each
 * leaves is a term of the next launch, whose innermost group of terms they are.
 *
 * TALLY_TABLE: a launch folds several groups of swept axes, or one of several axes. A group has one
 * block, and but for the innermost a lane for each term, so that the lanes of all groups are one
 * number: the innermost group's are its high bits, which are combined first. Where each of these
 * lanes finds its terms is worked out once for a group of work-items, in a table in local memory.
 *
 * TALLY_CROSSED: results lie in another order than the terms. Of the kept axes the innermost, with
 * a.crossed_outputs outputs, are those along which results are beside each other; along the others
 * the terms are. A group has a box of outputs, TALLY_CROSSED along the others: work-items read
 * along the others, and hand results to those that write along the innermost.
 *
 * Work-items know nothing of the block of a row that others have. Groups loop over units with
 * uniform bounds, so every work-item meets every barrier.
 */
#if TALLY_FIRST
#define TALLY_WIDTH TALLY_PACK
#else
#define TALLY_WIDTH 1
#endif
/* A term of each of a work-item's outputs, as it is in memory, and as what is computed with. */
#if TALLY_FIRST
#define TALLY_ITEM tally_pack
#define TALLY_VALUE(item, v) tally_unpack(&(item), v)
#define TALLY_HOLD(item, n) tally_hold(item, n)
#else
#define TALLY_ITEM tally_state
#define TALLY_VALUE(item, v) (item)
#define TALLY_HOLD(item, n)
#endif
#define TALLY_TABLED (TALLY_TABLE > 0)

/* Groups that share a block. */
#if TALLY_WHOLE_OUTPUTS || TALLY_LAST || !TALLY_FIRST
#define TALLY_PARTS(a) 1
#else
#define TALLY_PARTS(a) ((uint)(a).parts)
#endif

/* Terms of a lane that are taken at once; without a depth a lane has one term at most. */
#define TALLY_AT_ONCE (TALLY_DEPTH > 0 ? TALLY_DEPTH : 1)

/* Terms under way together, a lane's side by side, and how far behind the first the i-th is. */
#define TALLY_ITEMS (TALLY_LANES_AT_ONCE * TALLY_AT_ONCE)
#define TALLY_ROW_OF(i) ((i) / TALLY_AT_ONCE * step + (i) % TALLY_AT_ONCE * lanes)

#define TALLY_LEVELS TALLY_LOG2(TALLY_VISITS)

/* Where the row-th term lies, and whether it is there. */
#define TALLY_NONE (~(tally_index)0)
#if TALLY_TABLED
#define TALLY_WHERE(row) table[row]
#else
#define TALLY_WHERE(row) ((tally_index)(row) * stride)
#endif
/* The same, from where the row-th lies. */
#if TALLY_TABLED
#define TALLY_AFTER(row, more) (in + table[(row) + (more)])
#else
#define TALLY_AFTER(row, more) (at + (tally_index)(more) * stride)
#endif
#if TALLY_TABLED && !TALLY_EXACT
#define TALLY_IS_THERE(row) ((row) < n && table[row] != TALLY_NONE)
#else
#define TALLY_IS_THERE(row) ((row) < n)
#endif

#if TALLY_TABLED
#if !TALLY_EXACT
/* Halvings of the lanes of a group of so many terms. */
static uint TALLY_FN(halvings)(uint terms) {
    uint levels = 0;
    for (uint k = 0; k < 7; k++)
        levels += (1u << k) < terms;
    return levels;
}

/* The term that is the entry-th, of all lanes' first terms, then of their second ones and so on. */
static tally_index TALLY_FN(term)(uint entry, uint levels, const tally_fold_team_args a) {
    uint lanes = entry & ((1u << levels) - 1), left = levels;
    tally_index term = 0, scale = 1;
    bool is_there = true;
#pragma unroll
    for (uint g = 0; g < TALLY_NEST; g++) {
        const uint terms = (uint)a.nest[g];
        left -= TALLY_FN(halvings)(terms);
        const uint of_group = (lanes >> left) + (g == 0 ? (entry >> levels) * TALLY_LANES : 0);
        lanes &= (1u << left) - 1;
        is_there = is_there && of_group < terms;
        term += of_group * scale;
        scale *= terms;
    }
    return is_there ? term : TALLY_NONE;
}
#endif

/*
 * Fill the table; returns how many entries it has. TALLY_INDICES: behind the positions are the
 * indices of the terms.
 */
static uint TALLY_FN(fill)(__local tally_index *table, const tally_fold_team_args a) {
#if TALLY_EXACT
    const uint entries = (uint)a.terms;
#else
    uint levels = 0;
#pragma unroll
    for (uint g = 0; g < TALLY_NEST; g++)
        levels += TALLY_FN(halvings)((uint)a.nest[g]);
    const uint times = ((uint)a.nest[0] + TALLY_LANES - 1) / TALLY_LANES;
    const uint entries = times << levels;
#endif
    for (uint entry = get_local_id(0); entry < entries; entry += TALLY_GROUP) {
#if TALLY_EXACT
        table[entry] = TALLY_AT(a, (tally_index)entry);
#if TALLY_INDICES
        table[TALLY_TABLE + entry] =
            TALLY_OFFSET(TALLY_SWEPT_RANK, a.swept_size, a.swept_index, (tally_index)entry);
#endif
#else
        const tally_index term = TALLY_FN(term)(entry, levels, a);
        table[entry] = term == TALLY_NONE ? TALLY_NONE : TALLY_AT(a, term);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return entries;
}
#endif

/* A term of a work-item's outputs. */
static TALLY_ITEM TALLY_FN(load)(__global const TALLY_SOURCE *in, bool aligned) {
#if !TALLY_FIRST
    return in[0];
#else
    tally_pack pack;
    if (aligned) {
        pack.bits = tally_load_pack(in);
    } else {
        tally_clear_pack(&pack);
#pragma unroll
        for (uint v = 0; v < TALLY_WIDTH; v++)
            tally_put_in_pack(&pack, v, in + v);
    }
    return pack;
#endif
}

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
        /* bounded once more, so that the compiler sees how many there may be */
        sum[v] = tally_take(sum[v], x, TALLY_AT_ONCE == 1 ? 1 : min(count, (uint)TALLY_AT_ONCE),
                            index, step);
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
            if (m < TALLY_LANES_AT_ONCE >> level)
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

/* Where a work-item's terms begin. */
#if TALLY_CROSSED
#define TALLY_BEGIN(a) (at[0] + at[1])
#else
#define TALLY_BEGIN(a) TALLY_ORIGIN(a, output)
#endif

#if TALLY_CROSSED
/* Positions of a box along the innermost kept axes; along the others it has TALLY_CROSSED. */
#define TALLY_ALONG (TALLY_GROUP / TALLY_CROSSED)

/*
 * Where a position of the number-th box lies along one of its two sides, in the input and the
 * output, or TALLY_NONE: a box's positions, those along the other axes first, are looked up by all
 * work-items, for each of which divisions would take longer than few terms.
 */
static void TALLY_FN(find_position)(const tally_fold_team_args a, tally_index number, uint position,
                                 __local tally_index *read, __local tally_index *written) {
    const tally_index inner = (tally_index)a.crossed_outputs;
    const tally_index others = (tally_index)a.outputs / inner;
    const tally_index boxes = (inner + TALLY_ALONG - 1) / TALLY_ALONG, row = number / boxes;
    const bool is_other = position < TALLY_CROSSED;
    const tally_index at = is_other
                               ? row * TALLY_CROSSED + position
                               : (number - row * boxes) * TALLY_ALONG + position - TALLY_CROSSED;
    const tally_index output = is_other ? at * inner : at;
    const bool is_there = at < (is_other ? others : inner);
    read[position] = is_there ? TALLY_ORIGIN(a, output) : TALLY_NONE;
    written[position] = TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out, output);
}
#endif

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_team_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
#if TALLY_TABLED
    __local tally_index table[TALLY_TABLE * (1 + TALLY_INDICES)];
    const uint entries = TALLY_FN(fill)(table, a);
#else
    __local const tally_index *table = 0;
#endif
#if !TALLY_WHOLE_OUTPUTS
    __local tally_state sums[TALLY_WIDTH][TALLY_GROUP];
#elif TALLY_CROSSED
    __local tally_state handed[TALLY_ALONG * (TALLY_CROSSED + 1)];
    __local tally_index read[TALLY_CROSSED + TALLY_ALONG], written[TALLY_CROSSED + TALLY_ALONG];
#endif
    const uint item = get_local_id(0);
    const uint team_width = (uint)a.team_width, slices = TALLY_WHOLE_OUTPUTS ? 1 : (uint)a.slices;
    const uint teams = TALLY_WHOLE_OUTPUTS ? 1 : TALLY_GROUP / (team_width * slices);
    const uint team = TALLY_WHOLE_OUTPUTS ? 0 : item / (team_width * slices);
    const uint parts = TALLY_PARTS(a);
    const uint slots = TALLY_WHOLE_OUTPUTS ? TALLY_GROUP : teams * team_width;
    const uint slice = TALLY_WHOLE_OUTPUTS ? 0 : item / team_width % slices;
    const uint slot = TALLY_WHOLE_OUTPUTS ? item : team * team_width + item % team_width;
    const tally_index packs = (tally_index)a.outputs / TALLY_WIDTH;
    bool steps_packs = TALLY_WIDTH > 1; /* from each term to the next are whole packs */
#if TALLY_FIRST && TALLY_WIDTH > 1
#pragma unroll
    for (uint k = 0; k < TALLY_SWEPT_RANK; k++)
        steps_packs = steps_packs && (tally_index)a.swept_in[k] % TALLY_WIDTH == 0;
#endif
    const tally_index stride = (tally_index)a.swept_in[TALLY_SWEPT_RANK - 1];
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * slots; first < (tally_index)a.head.units;
         first += get_num_groups(0) * slots) {
#if TALLY_CROSSED
        if (item < TALLY_CROSSED + TALLY_ALONG)
            TALLY_FN(find_position)(a, first / TALLY_GROUP, item, read, written);
        barrier(CLK_LOCAL_MEM_FENCE);
        const tally_index at[] = {read[item % TALLY_CROSSED],
                                  read[TALLY_CROSSED + item / TALLY_CROSSED]};
        const bool active = at[0] != TALLY_NONE && at[1] != TALLY_NONE;
        const tally_index block = 0;
#else
        const tally_index unit = first + slot;
        const bool active = team < teams && unit < (tally_index)a.head.units;
        const tally_index block = unit / packs;
        const tally_index output = (unit - block * packs) * TALLY_WIDTH;
#endif
        tally_state sum[TALLY_WIDTH];
#pragma unroll
        for (uint v = 0; v < TALLY_WIDTH; v++)
            sum[v] = tally_identity();
        if (active) {
            const uint part = parts == 1 ? 0 : (uint)block & (parts - 1);
            const tally_index begin = (parts == 1 ? block : block / parts) * TALLY_BLOCK;
            __global const TALLY_SOURCE *terms = in + TALLY_BEGIN(a) + begin * stride;
#if TALLY_TABLED
            const uint n = entries;
#else
            const uint n = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin);
#endif
            const tally_index scale = (tally_index)a.index_scale;
            const bool aligned = steps_packs && (size_t)terms % sizeof(tally_pack_bits) == 0;
            TALLY_FN(block)(terms, stride, table, aligned, n, begin, slice * parts + part,
                            slices * parts, scale, sum);
        }
#if !TALLY_WHOLE_OUTPUTS
#pragma unroll
        for (uint v = 0; v < TALLY_WIDTH; v++)
            sums[v][item] = sum[v];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint half_slices = slices / 2; half_slices > 0; half_slices /= 2) {
            if (slice < half_slices && team < teams)
#pragma unroll
                for (uint v = 0; v < TALLY_WIDTH; v++)
                    sums[v][item] = tally_combine(sums[v][item],
                                                  sums[v][item + half_slices * team_width]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
#pragma unroll
        for (uint v = 0; v < TALLY_WIDTH; v++)
            sum[v] = sums[v][item];
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next units overwrite what was just read */
#elif TALLY_CROSSED
        /* rows have a gap between them, so that neighbours meet different banks */
        handed[item / TALLY_CROSSED * (TALLY_CROSSED + 1) + item % TALLY_CROSSED] = sum[0];
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint other = item / TALLY_ALONG, along = item % TALLY_ALONG;
        if (read[other] != TALLY_NONE && read[TALLY_CROSSED + along] != TALLY_NONE)
            TALLY_FN(put)(out, written[other] + written[TALLY_CROSSED + along], 1, 0,
                          handed[along * (TALLY_CROSSED + 1) + other], false, a.count TALLY_HEARD);
        barrier(CLK_LOCAL_MEM_FENCE); /* as above */
#endif
#if !TALLY_CROSSED
        if (active && slice == 0) {
#if TALLY_WIDTH > 1
            if (TALLY_PUTS_PACK(out, a, output))
                TALLY_PUT_PACK(out, a, output, sum);
            else
#endif
#pragma unroll
                for (uint v = 0; v < TALLY_WIDTH; v++)
                    TALLY_PUT(out, a, output + v, block, sum[v]);
        }
#endif
    }
    TALLY_CLOSE(a.head.units, out)
}
