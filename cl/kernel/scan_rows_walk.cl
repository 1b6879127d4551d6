/*
 * A scan of many long contiguous rows: a group walks a row unit by unit, and carries what comes
 * before.
 */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_rows_args a TALLY_CARRY_PARAMETER) {
    __local uint4 image[TALLY_GROUP * TALLY_PITCH];
    __local tally_term runs[TALLY_MERGED * (TALLY_UNIT_RUNS + TALLY_SPANS)];
    __local tally_term spans[TALLY_MERGED * TALLY_SPANS];
    __local tally_term tiles[TALLY_MERGED], stretches[TALLY_MERGED];
    const uint item = get_local_id(0);
    const tally_term none = TALLY_IDENTITY;
    const tally_index terms = (tally_index)a.terms;
    const bool reversed = (long)a.axis_in < 0;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index row = get_group_id(0); row < (tally_index)a.head.units;
         row += get_num_groups(0)) {
        const tally_index from = TALLY_START_IN(a, row * TALLY_MERGED);
        const tally_index to = TALLY_START_OUT(a, row * TALLY_MERGED);
        tally_term before_stretch = TALLY_CARRIED(a, row * TALLY_MERGED + item % TALLY_MERGED);
        tally_term before_tile = none, total = none;
        for (tally_index begin = 0; begin < terms; begin += TALLY_UNIT) {
            const uint present = (uint)min((tally_index)TALLY_UNIT, terms - begin);
            TALLY_FN(fill)(in + TALLY_UNIT_AT(from, a.axis_in, begin, present, reversed), image,
                           present * TALLY_MERGED, reversed);
            TALLY_FOLD_UNIT(image, runs, spans)
            if (item < TALLY_MERGED) {
                if (begin % TALLY_TILE == 0) {
                    before_tile = tally_combine_terms(before_tile, total);
                    total = none;
                }
                if (begin % TALLY_STRETCH == 0) {
                    before_stretch = tally_combine_terms(before_stretch, before_tile);
                    before_tile = none;
                }
                total = TALLY_FN(fold_spans)(total, spans, item);
                tiles[item] = before_tile;
                stretches[item] = before_stretch;
            }
            TALLY_PUT_UNIT(out + TALLY_UNIT_AT(to, a.axis_out, begin, present, reversed),
                           present * TALLY_MERGED, begin == 0)
        }
    }
}
