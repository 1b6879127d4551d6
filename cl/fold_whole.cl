/*
 * A fold of whole rows, of up to TALLY_WHOLE_BLOCKS blocks, of which there are few: a unit is a row
 * of elements or of states, and the group that has it joins the results of its blocks as well, which
 * saves a launch. Groups loop over units and blocks with uniform bounds, so every work-item meets
 * every barrier.
 */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_whole_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
    __local tally_state parts[TALLY_SLOTS * TALLY_PITCH] __attribute__((aligned(16)));
    __local tally_state results[TALLY_WHOLE_BLOCKS];
    const uint item = get_local_id(0);
    const uint mate = item % TALLY_MATES;
    const uint slot = item / TALLY_MATES;
    const uint blocks = (uint)a.row_blocks;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index output = get_group_id(0); output < (tally_index)a.head.units;
         output += get_num_groups(0)) {
        __global const TALLY_SOURCE *row = in + TALLY_ORIGIN(a, output);
        for (uint first = 0; first < blocks; first += TALLY_SLOTS) {
            const uint present = min((uint)TALLY_SLOTS, blocks - first);
            const tally_index begin = (tally_index)(first + slot) * TALLY_ROW_BLOCK;
            if (slot < present)
                TALLY_FN(lanes)(row + begin,
                                (uint)min((tally_index)TALLY_ROW_BLOCK, (tally_index)a.terms - begin),
                                begin, (tally_index)a.index_scale, mate,
                                parts + slot * TALLY_PITCH);
            barrier(CLK_LOCAL_MEM_FENCE);
            TALLY_JOIN(parts, present)
            if (item < present)
                results[first + item] = parts[item * TALLY_PITCH];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (uint half_blocks = TALLY_WHOLE_BLOCKS / 2; half_blocks > 0; half_blocks /= 2) {
            if (item < half_blocks && item + half_blocks < blocks)
                results[item] = tally_join(results[item], results[item + half_blocks]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (item == 0)
            TALLY_PUT(out, a, output, 0, results[0]);
    }
    TALLY_CLOSE(a.head.units, out)
}
