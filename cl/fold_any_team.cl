/*
 * A fold by groups: each does one block of one output's terms, its work-items sharing the lanes,
 * which are joined in local memory. Groups loop over units with uniform bounds, so every work-item
 * meets every barrier.
 */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_any_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
    __local tally_state sums[TALLY_LANES];
    const uint item = get_local_id(0);
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        const tally_index block = unit / (tally_index)a.outputs;
        const tally_index output = unit - block * (tally_index)a.outputs;
        __global const TALLY_SOURCE *row = in + TALLY_ORIGIN(a, output);
        const tally_index begin = block * TALLY_BLOCK;
        const tally_index end = min(begin + TALLY_BLOCK, (tally_index)a.terms);
        for (uint lane = item; lane < TALLY_LANES; lane += TALLY_GROUP)
            sums[lane] = TALLY_FN(sum_lane)(row, a, begin + lane, end);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint half_lanes = TALLY_LANES / 2; half_lanes > 0; half_lanes /= 2) {
            for (uint lane = item; lane < half_lanes; lane += TALLY_GROUP)
                sums[lane] = tally_join(sums[lane], sums[lane + half_lanes]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (item == 0)
            TALLY_PUT(out, a, output, block, sums[0]);
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
    }
    TALLY_CLOSE(a.head.units, out)
}
