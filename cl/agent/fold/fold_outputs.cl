/*
 * A fold of outputs side by side, for any strides: a work-item has a pack of outputs and folds
 * their terms where they lie. Work-items that are neighbours have outputs that are neighbours in
 * the input, and where outputs are few a.slices of them share a pack's terms, a.team_width apart in
 * the group. Where terms lie is in fold_outputs_terms.cl, what a slice makes of them in
 * fold_outputs_block.cl.
 *
 * TALLY_SPREAD: of outputs of which no pack is loaded a work-item has some of a strip, its
 * neighbours' between them, where the terms of one would be too few loads, or elements are narrow:
 * where a term lies is worked out once for all of them.
 *
 * Where that leaves few groups, a block has a.parts: they share it as slices do, and what each
 * leaves is a term of the next launch, whose innermost group of terms they are.
 *
 * TALLY_CROSSED: results lie in another order than the terms. Of the kept axes the innermost, with
 * a.crossed_outputs outputs, are those along which results are beside each other; along the others
 * the terms are. A group has a box of outputs, TALLY_CROSSED along the others: work-items read
 * along the others, and hand results to those that write along the innermost.
 *
 * Work-items know nothing of the block of a row that others have. Groups loop over units with
 * uniform bounds, so every work-item meets every barrier.
 */
/* Groups that share a block. */
#if TALLY_WHOLE_OUTPUTS || TALLY_LAST || !TALLY_FIRST
#define TALLY_PARTS(a) 1
#else
#define TALLY_PARTS(a) ((uint)(a).parts)
#endif

/* Where a work-item's terms begin. */
#if TALLY_CROSSED
#define TALLY_BEGIN(a) (at[0] + at[1])
#else
#define TALLY_BEGIN(a) TALLY_ORIGIN(a, output)
#endif

#if TALLY_SPREADS
/*
 * The first output of a work-item, the number-th of those that stand beside each other in strips.
 * A row's last strip ends with the row, so that no load has to ask. It shares outputs with the
 * strip before it, which writes them: of the work-item's own those less than *before elements
 * behind its first.
 */
#define TALLY_STRIP (TALLY_SPREAD * TALLY_OWN_STRIDE)
static tally_index TALLY_FN(first_output)(const tally_fold_team_args a, tally_index number,
                                          uint *before) {
    const tally_index columns = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
    const tally_index strips = (columns + TALLY_STRIP - 1) / TALLY_STRIP;
    const tally_index strip = number / TALLY_OWN_STRIDE, row = strip / strips;
    const tally_index end = (strip - row * strips + 1) * TALLY_STRIP;
    const uint shared = end > columns ? (uint)(end - columns) : 0;
    const uint along = (uint)(number - strip * TALLY_OWN_STRIDE);
    *before = max(shared, along) - along;
    return row * columns + end - TALLY_STRIP - shared + along;
}
#elif !TALLY_CROSSED
/* The first output of the number-th pack, all of which is the work-item's. */
static tally_index TALLY_FN(first_output)(const tally_fold_team_args a, tally_index number,
                                          uint *before) {
    *before = 0;
    return number * TALLY_WIDTH;
}
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
    bool steps_packs = TALLY_BY_PACKS; /* from each term to the next are whole packs */
#if TALLY_BY_PACKS
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
        const tally_index block = TALLY_SPREADS ? 0 : unit / packs; /* all terms are one block */
        uint before;
        const tally_index output = TALLY_FN(first_output)(a, unit - block * packs, &before);
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
#if TALLY_BY_PACKS
            if (TALLY_PUTS_PACK(out, a, output))
                TALLY_PUT_PACK(out, a, output, sum);
            else
#endif
            {
                const tally_index to = TALLY_TARGET_OF(a, output);
                const tally_index step =
                    TALLY_OWN_STRIDE * (tally_index)a.kept_out[TALLY_KEPT_RANK - 1];
#pragma unroll
                for (uint v = 0; v < TALLY_WIDTH; v++)
                    if (v * TALLY_OWN_STRIDE >= before)
                        TALLY_PUT_AT(out, a, to + v * step, block, sum[v]);
            }
        }
#endif
    }
    TALLY_CLOSE(a.head.units, out)
}
