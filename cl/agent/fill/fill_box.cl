/*
 * A diagonal fill on GPUs of any strides. A unit is a box: its write positions lie along the
 * output's innermost axes. What the band covers is not read; of what is read fill_map.cl makes the
 * result.
 *
 * Without TALLY_LOADS_AT_ONCE input and output lie in one order, or there is no input: read
 * positions lie along further axes of the output. A work-item has TALLY_POSITIONS_PER_ITEM of the
 * write positions, the same in all boxes, and owns their elements at each read position, one after
 * the other. What stays in its position is not touched.
 *
 * Else they lie in different orders: a box goes through local memory, and its read positions lie
 * along the input's innermost axes. Work-items go over the box twice, first side by side along the
 * one, with TALLY_LOADS_AT_ONCE elements under way, then along the other. Rows of the image are
 * a.local_pitch elements apart, an odd number of dwords, so that both ways meet all banks. Behind
 * them are the tables of what the positions add, the reads' first.
 */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const tally_stored *in, __global tally_stored *out,
             const tally_fill_box_args a) {
#if TALLY_LOADS_AT_ONCE == 0
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
        uint reads = (uint)a.reads, writes = (uint)a.writes;
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
#else
    __local tally_index space[TALLY_BOX_BYTES / sizeof(tally_index)]
        __attribute__((aligned(8)));
    const uint lid = (uint)get_local_id(0), pitch = (uint)a.local_pitch;
    const uint all = (uint)(a.reads + a.writes), reads_of_all = (uint)a.reads;
    const uint entries = all + (all & 1); /* so that the image is aligned */
    __local tally_index *in_of = space, *out_of = in_of + entries;
    __local tally_index *diagonal_of = out_of + entries;
    __local tally_stored *image = (__local tally_stored *)(diagonal_of + entries);
    const uint read_width = min((uint)TALLY_GROUP, (uint)a.reads);
    const uint write_width = min((uint)TALLY_GROUP, (uint)a.writes);
    const uint read_lines = TALLY_GROUP / read_width, write_lines = TALLY_GROUP / write_width;
    const uint read_line = lid / read_width, read_first = lid - read_line * read_width;
    const uint write_line = lid / write_width, write_first = lid - write_line * write_width;
    const tally_index width = (tally_index)(a.high - a.low);
    const bool inverted = a.inverted != 0;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    for (uint n = lid; n < all; n += TALLY_GROUP) {
        TALLY_FN(position) at = {0, 0, 0};
        TALLY_POSITION_OF_BOX(n, reads_of_all)
        in_of[n] = at.in;
        out_of[n] = at.out;
        diagonal_of[n] = at.diagonal;
    }
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        uint reads = reads_of_all, writes = (uint)a.writes;
        tally_index rest = unit;
        TALLY_FN(position) origin = {0, 0, 0 - (tally_index)a.low};
        TALLY_EVERY_AXIS(TALLY_ORIGIN_OF)
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint lines = read_line < read_lines ? writes : 0;
        for (uint column = read_first; column < reads; column += read_width) {
            __global const tally_stored *from = in + (tally_index)(origin.in + in_of[column]);
            const tally_index at = origin.diagonal + diagonal_of[column];
            for (uint i = read_line; i < lines; i += read_lines * TALLY_LOADS_AT_ONCE) {
                tally_stored element[TALLY_LOADS_AT_ONCE];
#pragma unroll
                for (uint k = 0; k < TALLY_LOADS_AT_ONCE; k++) {
                    const uint j = reads_of_all + min(i + k * read_lines, lines - 1);
                    element[k] = (tally_stored)a.value;
                    if ((at + diagonal_of[j] < width) == inverted && i + k * read_lines < lines)
                        element[k] = TALLY_HAS_INPUT ? from[in_of[j]] : 0;
                }
#pragma unroll
                for (uint k = 0; k < TALLY_LOADS_AT_ONCE; k++)
                    if (i + k * read_lines < lines)
                        image[(i + k * read_lines) * pitch + column] = TALLY_MAPPED(element[k]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint columns = write_line < write_lines ? reads : 0;
        for (uint line = write_first; line < writes; line += write_width) {
            __global tally_stored *to =
                out + (tally_index)(origin.out + out_of[reads_of_all + line]);
            for (uint i = write_line; i < columns; i += write_lines * 4) {
#pragma unroll
                for (uint k = 0; k < 4; k++)
                    if (i + k * write_lines < columns)
                        to[out_of[i + k * write_lines]] = image[line * pitch + i + k * write_lines];
            }
        }
    }
#endif
}
