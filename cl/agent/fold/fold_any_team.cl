/*
 * A fold by groups: each does one block of one output's terms, its work-items sharing the lanes,
 * which are combined in local memory; or of TALLY_OUTPUTS_AT_ONCE outputs that lie side by side, so
 * that neighbours read neighbours; or it brings TALLY_BLOCKS_AT_ONCE blocks of an output into local
 * memory first, or goes along lines, which have files of their own. Groups loop over units with
 * uniform bounds, so every work-item meets every barrier.
 */
#define TALLY_UNITS_AT_ONCE (TALLY_OUTPUTS_AT_ONCE > 0 ? TALLY_OUTPUTS_AT_ONCE : 1)

/* Blocks that a group has together, and work-items of each. */
#if TALLY_LINES_BESIDE
#define TALLY_TOGETHER TALLY_STAGED_BLOCKS
#else
#define TALLY_TOGETHER TALLY_UNITS_AT_ONCE
#endif
#define TALLY_SLICES (TALLY_GROUP / TALLY_TOGETHER)

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_any_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
#if TALLY_LINES_AT_ONCE
    __local TALLY_FN(ending) ending;
#else
    __local tally_state sums[TALLY_LANES * TALLY_TOGETHER];
#endif
#if TALLY_LINES_BESIDE
    __local tally_raw staged[TALLY_STAGE_ELEMENTS];
#endif
    const tally_index units = (tally_index)a.head.units;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * TALLY_UNITS_AT_ONCE; first < units;
         first += get_num_groups(0) * TALLY_UNITS_AT_ONCE) {
#if TALLY_LINES_AT_ONCE
        TALLY_FN(fold_lines)(in, out, a, first, &ending TALLY_CLOSING_HEARD);
#else
        const uint item = get_local_id(0);
        const uint slice = item / TALLY_TOGETHER, own = item % TALLY_TOGETHER;
#if TALLY_LINES_BESIDE
        const tally_index blocks = (tally_index)a.blocks;
        const tally_index parts = (blocks + TALLY_TOGETHER - 1) / TALLY_TOGETHER;
        const tally_index output = first / parts;
        const tally_index first_block = (first - output * parts) * TALLY_TOGETHER;
        const tally_index block = first_block + own;
        const bool active = block < blocks;
        const tally_index begin = first_block * TALLY_BLOCK;
        const uint terms = (uint)min((tally_index)(TALLY_TOGETHER * TALLY_BLOCK),
                                     (tally_index)a.terms - begin);
        TALLY_FN(stage)(in + TALLY_ORIGIN(a, output), a, begin, begin + terms, staged);
        for (uint lane = slice; lane < TALLY_LANES; lane += TALLY_SLICES)
            sums[lane * TALLY_TOGETHER + own] =
                TALLY_FN(sum_staged)(staged, own * TALLY_BLOCK,
                                     min((own + 1) * (uint)TALLY_BLOCK, terms), lane, begin);
#else
        const bool active = first + own < units;
        const tally_index unit = active ? first + own : first;
        const tally_index block = unit / (tally_index)a.outputs;
        const tally_index output = unit - block * (tally_index)a.outputs;
        __global const TALLY_SOURCE *row = in + TALLY_ORIGIN(a, output);
        const tally_index begin = block * TALLY_BLOCK;
        const tally_index end = min(begin + TALLY_BLOCK, (tally_index)a.terms);
        for (uint lane = slice; lane < TALLY_LANES; lane += TALLY_SLICES)
            sums[lane * TALLY_TOGETHER + own] = TALLY_FN(sum_lane)(row, a, begin + lane, end);
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint half_sums = TALLY_LANES * TALLY_TOGETHER / 2; half_sums >= TALLY_TOGETHER;
             half_sums /= 2) {
            for (uint k = item; k < half_sums; k += TALLY_GROUP)
                sums[k] = tally_combine(sums[k], sums[k + half_sums]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (slice == 0 && active)
            TALLY_PUT(out, a, output, block, sums[own]);
#endif
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next units overwrite what was just read */
    }
    TALLY_CLOSE(units, out)
}
