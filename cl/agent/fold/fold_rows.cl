/*
 * A fold of contiguous rows. A unit is a block of a row; TALLY_BLOCKS_PER_ITEM blocks a work-item
 * takes one after the other before their lanes are combined, so that short rows meet few barriers.
 * Or, of TALLY_WHOLE_ROWS, a unit is a row of elements or of states, of up to TALLY_WHOLE_BLOCKS
 * blocks, whose results the group combines as well, which saves a launch where rows are few. Groups
 * loop over units and blocks with uniform bounds, so every work-item meets every barrier.
 */
#if TALLY_WHOLE_ROWS
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_rows_args a TALLY_CLOSING_PARAMETERS) {
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
                                (uint)min((tally_index)TALLY_ROW_BLOCK,
                                          (tally_index)a.terms - begin),
                                begin, (tally_index)a.index_scale, mate,
                                parts + slot * TALLY_PITCH);
            barrier(CLK_LOCAL_MEM_FENCE);
            TALLY_COMBINE(parts, present)
            if (item < present)
                results[first + item] = parts[item * TALLY_PITCH];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (uint half_blocks = TALLY_WHOLE_BLOCKS / 2; half_blocks > 0; half_blocks /= 2) {
            if (item < half_blocks && item + half_blocks < blocks)
                results[item] = tally_combine(results[item], results[item + half_blocks]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (item == 0)
            TALLY_PUT(out, a, output, 0, results[0]);
    }
    TALLY_CLOSE(a.head.units, out)
}
#else
#define TALLY_BLOCKS (TALLY_SLOTS * TALLY_BLOCKS_PER_ITEM) /* of a group at a time */

/* The row that a unit is of, and which of its blocks: without a division where it has one. */
#if TALLY_STRIPES
#define TALLY_ROW_OF(unit) (unit)
#define TALLY_BLOCK_OF(unit, row) 0
#else
#define TALLY_ROW_OF(unit) ((unit) / (tally_index)a.blocks)
#define TALLY_BLOCK_OF(unit, row) ((unit) - (row) * (tally_index)a.blocks)
#endif

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_rows_args a TALLY_CLOSING_PARAMETERS) {
    TALLY_CLOSING_LOCAL
    __local tally_state parts[TALLY_BLOCKS * TALLY_PITCH] __attribute__((aligned(16)));
    const uint mate = get_local_id(0) % TALLY_MATES;
    const uint slot = get_local_id(0) / TALLY_MATES;
    const tally_index units = (tally_index)a.head.units;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * TALLY_BLOCKS; first < units;
         first += get_num_groups(0) * TALLY_BLOCKS) {
        const uint present = (uint)min((tally_index)TALLY_BLOCKS, units - first);
        for (uint position = slot; position < present; position += TALLY_SLOTS) {
            const tally_index output = TALLY_ROW_OF(first + position);
            const tally_index block = TALLY_BLOCK_OF(first + position, output);
            const tally_index begin = block * TALLY_ROW_BLOCK;
            const uint n = (uint)min((tally_index)TALLY_ROW_BLOCK, (tally_index)a.terms - begin);
            TALLY_FN(lanes)(in + TALLY_ORIGIN(a, output) + begin, n, begin, 0, mate,
                            parts + position * TALLY_PITCH);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_COMBINE(parts, present)
        for (uint position = get_local_id(0); position < present; position += TALLY_GROUP) {
            const tally_index output = TALLY_ROW_OF(first + position);
            const tally_index block = TALLY_BLOCK_OF(first + position, output);
            TALLY_PUT(out, a, output, block, parts[position * TALLY_PITCH]);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next units overwrite what was just read */
    }
    TALLY_CLOSE(units, out)
}
#endif
