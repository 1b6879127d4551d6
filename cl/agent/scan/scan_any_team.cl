/*
 * A scan by groups: each walks one row tile by tile. A work-item owns runs of a tile: it folds
 * them, the group turns the totals into what comes before each run, and the owner walks its runs
 * again. All loops around barriers have uniform bounds. In place is right: only its owner reads and
 * writes a run.
 */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_args a TALLY_CARRY_PARAMETER) {
    __local tally_term runs[TALLY_SPAN]; /* of each run: its total, then the runs before it */
    __local tally_term spans[TALLY_RUN + 1]; /* of each span: the spans before it; last the tile */
    const uint item = get_local_id(0);
    const tally_term none = TALLY_IDENTITY;
    const tally_index terms = (tally_index)a.terms;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index row = get_group_id(0); row < (tally_index)a.head.units;
         row += get_num_groups(0)) {
        const tally_index from = TALLY_START_IN(a, row);
        const tally_index to = TALLY_START_OUT(a, row);
        tally_term stretches = TALLY_CARRIED(a, row), tiles = none;
        for (tally_index tile = 0; tile < terms; tile += TALLY_TILE) {
            for (uint run = item; run < TALLY_SPAN; run += TALLY_GROUP) {
                const tally_index begin = tile + run * TALLY_RUN;
                tally_term total = none;
                for (tally_index i = begin; i < min(begin + TALLY_RUN, terms); i++)
                    total = tally_combine_terms(
                        total, tally_map(tally_load(in, from + i * (tally_index)a.axis_in)));
                runs[run] = total;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint span = item; span < TALLY_RUN; span += TALLY_GROUP) {
                tally_term before = none;
                for (uint run = span * TALLY_RUN; run < (span + 1) * TALLY_RUN; run++) {
                    const tally_term total = runs[run];
                    runs[run] = before;
                    before = tally_combine_terms(before, total);
                }
                spans[span] = before;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item == 0) {
                tally_term before = none;
                for (uint span = 0; span < TALLY_RUN; span++) {
                    const tally_term total = spans[span];
                    spans[span] = before;
                    before = tally_combine_terms(before, total);
                }
                spans[TALLY_RUN] = before;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (tile % TALLY_STRETCH == 0) {
                stretches = tally_combine_terms(stretches, tiles);
                tiles = none;
            }
            for (uint run = item; run < TALLY_SPAN; run += TALLY_GROUP) {
                const tally_index begin = tile + run * TALLY_RUN;
                tally_term total = none;
                for (tally_index i = begin; i < min(begin + TALLY_RUN, terms); i++) {
                    const tally_term before = total;
                    total = tally_combine_terms(
                        total, tally_map(tally_load(in, from + i * (tally_index)a.axis_in)));
                    const tally_term sum =
                        TALLY_JOIN4(tiles, spans[run / TALLY_RUN], runs[run],
                                    TALLY_EXCLUSIVE ? before : total);
                    TALLY_FN(put)(out, to + i * (tally_index)a.axis_out, i,
                                  tally_combine_terms(stretches, sum));
                }
            }
            tiles = tally_combine_terms(tiles, spans[TALLY_RUN]);
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next tile overwrites what was just read */
        }
    }
}
