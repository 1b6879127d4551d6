/*
 * A diagonal fill on GPUs of any strides, of input and output in one order, or without input. A
 * unit is a box: its write positions lie along the output's innermost axes, its read positions
 * along further axes of the output. A work-item has TALLY_POSITIONS_PER_ITEM of the write
 * positions, the same in all boxes, and owns their elements at each read position, one after the
 * other. What the band covers is not read; of what is read fill_map.cl makes the result. What stays
 * in its position is not touched.
 */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const tally_stored *in, __global tally_stored *out,
             const tally_fill_box_args a) {
    __local tally_index table[3][TALLY_GROUP];
    const uint lid = (uint)get_local_id(0);
    const tally_index width = (tally_index)(a.high - a.low);
    const bool inverted = a.inverted != 0, in_place = a.in_place != 0;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    {
        TALLY_FN(position) at = {0, 0, 0};
        const uint i = lid;
        TALLY_EVERY_AXIS(TALLY_READ_POSITION)
        table[0][lid] = at.in;
        table[1][lid] = at.out;
        table[2][lid] = at.diagonal;
    }
    TALLY_FN(position) own[TALLY_POSITIONS_PER_ITEM];
#pragma unroll
    for (uint k = 0; k < TALLY_POSITIONS_PER_ITEM; k++) {
        TALLY_FN(position) at = {0, 0, 0 - (tally_index)a.low};
        const uint i = lid + k * TALLY_GROUP;
        TALLY_EVERY_AXIS(TALLY_WRITE_POSITION)
        own[k] = at;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        uint reads = (uint)a.box.reads, writes = (uint)a.box.writes;
        tally_index rest = unit;
        TALLY_FN(position) origin = {0, 0, 0};
        TALLY_EVERY_AXIS(TALLY_ORIGIN_OF)
        for (uint i = 0; i < reads; i++) {
            const tally_index t = origin.diagonal + table[2][i];
            const tally_index from = origin.in + table[0][i], to = origin.out + table[1][i];
            tally_stored element[TALLY_POSITIONS_PER_ITEM];
            bool covered[TALLY_POSITIONS_PER_ITEM];
#pragma unroll
            for (uint k = 0; k < TALLY_POSITIONS_PER_ITEM; k++) {
                covered[k] = (t + own[k].diagonal < width) != inverted;
                element[k] = covered[k] ? (tally_stored)a.value : 0;
#if TALLY_HAS_INPUT
                if (!covered[k] && lid + k * TALLY_GROUP < writes)
                    element[k] = in[from + own[k].in];
#endif
            }
#pragma unroll
            for (uint k = 0; k < TALLY_POSITIONS_PER_ITEM; k++)
                if (lid + k * TALLY_GROUP < writes && (covered[k] || !in_place))
                    out[to + own[k].out] = TALLY_MAPPED(element[k]);
        }
    }
}
