/*
 * The carry of a part, from states of all parts before it: a work-item folds those of a line one
 * after the other, as a scan does with what its stretches come to. As many as a run are under way
 * at once.
 */
__kernel void TALLY_KERNEL(__global const tally_term *in, __global tally_term *out,
                           const tally_scan_args a) {
    in += a.head.in_offset;
    out += a.head.out_offset;
    const uint last = TALLY_RUN - 1;
    for (tally_index line = get_global_id(0); line < (tally_index)a.head.units;
         line += get_global_size(0)) {
        __global const tally_term *states = in + line;
        tally_term sum = TALLY_IDENTITY;
        for (tally_index first = 0; first < (tally_index)a.terms; first += TALLY_RUN) {
            const uint count = (uint)min((tally_index)a.terms - first, (tally_index)TALLY_RUN);
            tally_term state[TALLY_RUN];
            for (uint k = 0; k <= last; k++)
                state[k] = states[(first + min(k, count - 1)) * (tally_index)a.axis_in];
            for (uint k = 0; k < count; k++)
                sum = tally_combine_terms(sum, state[k]);
        }
        out[line] = sum;
    }
}
