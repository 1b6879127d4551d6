/*
 * A fold of contiguous rows: a unit is a block of a row. TALLY_BLOCKS_EACH blocks a work-item takes
 * one after the other before their lanes are joined, so that short rows meet few barriers. Groups
 * loop over units with uniform bounds, so every work-item meets every barrier.
 */
#define TALLY_BLOCKS (TALLY_SLOTS * TALLY_BLOCKS_EACH) /* of a group at a time */

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out, const tally_fold_args a TALLY_CLOSING_PARAMETERS) {
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
        for (uint place = slot; place < present; place += TALLY_SLOTS) {
            const tally_index output = (first + place) / (tally_index)a.blocks;
            const tally_index block = first + place - output * (tally_index)a.blocks;
            const tally_index begin = block * TALLY_ROW_BLOCK;
            const uint n = (uint)min((tally_index)TALLY_ROW_BLOCK, (tally_index)a.terms - begin);
            TALLY_FN(lanes)(in + TALLY_ORIGIN(a, output) + begin, n, begin, 0, mate,
                            parts + place * TALLY_PITCH);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_JOIN(parts, present)
        for (uint place = get_local_id(0); place < present; place += TALLY_GROUP) {
            const tally_index output = (first + place) / (tally_index)a.blocks;
            const tally_index block = first + place - output * (tally_index)a.blocks;
            TALLY_PUT(out, a, output, block, parts[place * TALLY_PITCH]);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next units overwrite what was just read */
    }
    TALLY_CLOSE(units, out)
}
