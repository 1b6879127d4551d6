/*
 * The launch between two passes over tiles, for words that are plain terms: what tiles come to
 * becomes what comes before each in its stretch, and what comes before each stretch is added.
 */
#if TALLY_PHASE == TALLY_SPINE
/* What count tiles come to, pitch apart, each of which becomes what comes before it. */
static tally_term TALLY_FN(fold_tiles)(__global tally_term *tiles, tally_index pitch, uint count) {
    tally_term sum = TALLY_IDENTITY;
    for (uint first = 0; first < count; first += TALLY_RUN) {
        tally_term total[TALLY_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_RUN; k++)
            total[k] = tiles[min(first + k, count - 1) * pitch];
#pragma unroll
        for (uint k = 0; k < TALLY_RUN; k++)
            if (first + k < count) {
                tiles[(first + k) * pitch] = sum;
                sum = tally_combine_terms(sum, total[k]);
            }
    }
    return sum;
}

/*
 * A group's unit: so many lines side by side, a constant, all the way down. A work-item has a
 * stretch of one of them at a time, whose tiles are pitch apart, as are stretches.
 */
static void TALLY_FN(fold_lines)(__global tally_term *at_tiles, __global tally_term *at_stretches,
                                 tally_index pitch, tally_index tiles, tally_index stretches,
                                 uint lines, bool is_there, __local tally_term *totals) {
    const uint x = get_local_id(0) % lines, y = get_local_id(0) / lines;
    const uint at_a_time = TALLY_GROUP / lines;
    tally_term sum = TALLY_IDENTITY;
    for (tally_index first = 0; first < stretches; first += at_a_time) {
        const tally_index tile = (first + y) * TALLY_TILES;
        const uint count = is_there && tile < tiles
                               ? (uint)min((tally_index)TALLY_TILES, tiles - tile)
                               : 0;
        totals[y * lines + x] = TALLY_FN(fold_tiles)(at_tiles + tile * pitch, pitch, count);
        barrier(CLK_LOCAL_MEM_FENCE);
        /* Few are combined whether they are there or not. */
        const uint some = lines > 1 ? at_a_time
                                    : (uint)min((tally_index)at_a_time, stretches - first);
        tally_term before = TALLY_IDENTITY;
        for (uint k = 0; k < some; k++) {
            before = k == y ? sum : before;
            sum = tally_combine_terms(sum, totals[k * lines + x]);
        }
        if (count > 0)
            at_stretches[(first + y) * pitch] = before;
        barrier(CLK_LOCAL_MEM_FENCE); /* before totals are those of the next stretches */
    }
}
#endif
