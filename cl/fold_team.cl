/*
 * A fold by groups: each does one block of one output's terms, its work-items sharing the lanes,
 * which are joined in local memory. Groups loop over units with uniform bounds, so every work-item
 * meets every barrier.
 */
#define TALLY_HALVE(lane_values, join)                                                             \
    for (uint half_lanes = TALLY_LANES / 2; half_lanes > 0; half_lanes /= 2) {                     \
        for (uint k = item; k < half_lanes; k += TALLY_GROUP)                                      \
            lane_values[k] = join(lane_values[k], lane_values[k + half_lanes]);                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
    }

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out, const tally_fold_args a) {
    __local tally_accumulator sums[TALLY_LANES];
#if TALLY_STATE_IS_SHIFTED
    __local tally_key tops[TALLY_LANES];
#endif
    const uint item = get_local_id(0);
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        const tally_index block = unit / (tally_index)a.outputs;
        const tally_index output = unit - block * (tally_index)a.outputs;
        const tally_index origin = TALLY_FN(origin)(&a, output);
        const tally_index begin = block * TALLY_BLOCK;
        const tally_index end = min(begin + TALLY_BLOCK, (tally_index)a.terms);
        tally_compute top = ZERO;
#if TALLY_STATE_IS_SHIFTED
        for (uint lane = item; lane < TALLY_LANES; lane += TALLY_GROUP)
            tops[lane] = TALLY_FN(top)(in, &a, origin, begin + lane, end, TALLY_LANES);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_HALVE(tops, max)
        top = tally_key_value(tops[0]);
#endif
        for (uint lane = item; lane < TALLY_LANES; lane += TALLY_GROUP)
            sums[lane] = TALLY_FN(lane)(in, &a, origin, begin + lane, end, top);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_HALVE(sums, tally_join)
        if (item == 0)
            TALLY_FN(put)(out, &a, output, block, tally_leave(sums[0], top));
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
    }
}
#undef TALLY_HALVE
