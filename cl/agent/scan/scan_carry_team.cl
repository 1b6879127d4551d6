/*
 * The carry of a part where lines are few: a group brings states of a line into local memory, many
 * at a time, and one work-item folds them one after the other.
 */
#define TALLY_STATES_AT_ONCE (TALLY_GROUP * TALLY_CARRY_STATES)

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const tally_term *in, __global tally_term *out, const tally_scan_args a) {
    __local tally_term states[TALLY_STATES_AT_ONCE];
    const uint item = get_local_id(0);
    const tally_index terms = (tally_index)a.terms;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index line = get_group_id(0); line < (tally_index)a.head.units;
         line += get_num_groups(0)) {
        tally_term sum = TALLY_IDENTITY;
        for (tally_index first = 0; first < terms; first += TALLY_STATES_AT_ONCE) {
            const uint count = (uint)min(terms - first, (tally_index)TALLY_STATES_AT_ONCE);
            for (uint k = item; k < count; k += TALLY_GROUP)
                states[k] = in[line + (first + k) * (tally_index)a.axis_in];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint k = 0; item == 0 && k < count; k++)
                sum = tally_combine_terms(sum, states[k]);
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next states overwrite them */
        }
        if (item == 0)
            out[line] = sum;
    }
}
