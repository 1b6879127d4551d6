/*
 * The launch between two passes, for words that are plain terms: what tiles come to becomes what
 * comes before each in its stretch, and what comes before each stretch is added. Where words are of
 * spans, what these come to becomes what comes before each in its tile, unless it is that already;
 * nothing does before a tile's first span, so its word is the tile's.
 */
#if TALLY_PHASE == TALLY_SPINE
/* What count words come to, pitch apart, each of which becomes what comes before it. */
static tally_term TALLY_FN(fold_words)(__global tally_term *words, tally_index pitch, uint count) {
    tally_term sum = TALLY_IDENTITY;
    for (uint first = 0; first < count; first += TALLY_RUN) {
        tally_term total[TALLY_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_RUN; k++)
            total[k] = words[min(first + k, count - 1) * pitch];
#pragma unroll
        for (uint k = 0; k < TALLY_RUN; k++)
            if (first + k < count) {
                words[(first + k) * pitch] = sum;
                sum = tally_combine_terms(sum, total[k]);
            }
    }
    return sum;
}

/* The spans of every at_a_time-th tile of a line, from the first one on. */
static void TALLY_FN(fold_tiles)(__global tally_term *words, tally_index pitch, tally_index spans,
                                 tally_index first, uint at_a_time) {
    for (tally_index span = first * TALLY_RUN; span < spans; span += at_a_time * TALLY_RUN) {
        __global tally_term *tile = words + span * pitch;
        const uint some = (uint)min((tally_index)TALLY_RUN, spans - span);
        const tally_term total = TALLY_FN(fold_words)(tile, pitch, some);
        *tile = total;
    }
}

/*
 * A group's unit: so many lines side by side, a constant, all the way down. A work-item has a tile
 * of one of them at a time, and then a stretch. A line has count words, tile_words of each tile,
 * one or those of its spans; they are pitch apart, as are stretches. is_folded: spans are, into
 * tiles.
 */
static void TALLY_FN(fold_lines)(__global tally_term *words, __global tally_term *at_stretches,
                                 tally_index pitch, tally_index count, uint tile_words, uint lines,
                                 bool is_folded, bool is_there, __local tally_term *totals) {
    const uint x = get_local_id(0) % lines, y = get_local_id(0) / lines;
    const uint at_a_time = TALLY_GROUP / lines;
    const tally_index tiles = (count - 1) / tile_words + 1;
    const tally_index stretches = (tiles - 1) / TALLY_TILES + 1;
    const tally_index tile_pitch = pitch * tile_words;
    tally_term sum = TALLY_IDENTITY;
    if (tile_words > 1 && !is_folded) {
        TALLY_FN(fold_tiles)(words, pitch, is_there ? count : 0, y, at_a_time);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (tally_index first = 0; first < stretches; first += at_a_time) {
        const tally_index tile = (first + y) * TALLY_TILES;
        const uint some = is_there && tile < tiles
                              ? (uint)min((tally_index)TALLY_TILES, tiles - tile)
                              : 0;
        totals[y * lines + x] =
            TALLY_FN(fold_words)(words + tile * tile_pitch, tile_pitch, some);
        barrier(CLK_LOCAL_MEM_FENCE);
        /* Few are combined whether they are there or not. */
        const uint combined = lines > 1 ? at_a_time
                                        : (uint)min((tally_index)at_a_time, stretches - first);
        tally_term before = TALLY_IDENTITY;
        for (uint k = 0; k < combined; k++) {
            before = k == y ? sum : before;
            sum = tally_combine_terms(sum, totals[k * lines + x]);
        }
        if (some > 0)
            at_stretches[(first + y) * pitch] = before;
        barrier(CLK_LOCAL_MEM_FENCE); /* before totals are those of the next stretches */
    }
}
#endif
