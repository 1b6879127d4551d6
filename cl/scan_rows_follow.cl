/*
 * The other launch of a scan of few rows that are not long, behind TOTALS: a group for each unit
 * folds what all tiles before its unit came to by itself, and writes the unit. A row has up to
 * TALLY_FOLLOWED stretches.
 */
#if TALLY_PHASE == TALLY_FOLLOW
#define TALLY_FOLLOWED TALLY_FOLLOWED_STRETCHES(TALLY_STATE_BYTES, TALLY_MERGED)

/* Where the tiles of a stretch begin in local memory: neighbours' meet different banks. */
#define TALLY_STRETCH_AT(stretch) ((stretch) * (TALLY_TILES * TALLY_MERGED + 1))

/* Totals that a work-item has under way at a time. */
#define TALLY_TOTALS_ABREAST 4

/* Bring the totals of a row's first tiles, count of all columns. */
static void TALLY_FN(gather_tiles)(__global const TALLY_WORD *at_tiles, uint count,
                                   __local tally_term *past) {
    for (uint first = get_local_id(0); first < count; first += TALLY_TOTALS_ABREAST * TALLY_GROUP) {
        tally_term total[TALLY_TOTALS_ABREAST];
#pragma unroll
        for (uint k = 0; k < TALLY_TOTALS_ABREAST; k++)
            (void)TALLY_FN(look)(at_tiles, min(first + k * TALLY_GROUP, count - 1), &total[k]);
#pragma unroll
        for (uint k = 0; k < TALLY_TOTALS_ABREAST; k++) {
            const uint at = first + k * TALLY_GROUP, each = TALLY_TILES * TALLY_MERGED;
            if (at < count)
                past[TALLY_STRETCH_AT(at / each) + at % each] = total[k];
        }
    }
}

/* Bring the totals of a tile's first spans. */
static void TALLY_FN(gather_spans)(__global const TALLY_WORD *at_spans, uint count,
                                   __local tally_term *past) {
    for (uint k = get_local_id(0); k < count; k += TALLY_GROUP) {
        tally_term total;
        (void)TALLY_FN(look)(at_spans, k, &total);
        past[k] = total;
    }
}

/* What each stretch before a tile came to, and the tiles since, of each column. */
static void TALLY_FN(fold_stretches)(__local const tally_term *past, uint tile,
                                     __local tally_term *totals) {
    const uint stretch = tile / TALLY_TILES;
    for (uint k = get_local_id(0); k < (stretch + 1) * TALLY_MERGED; k += TALLY_GROUP)
        totals[k] = TALLY_FN(fold_values)(TALLY_NEUTRAL, past + TALLY_STRETCH_AT(k / TALLY_MERGED),
                                          k / TALLY_MERGED < stretch ? TALLY_TILES
                                                                    : tile % TALLY_TILES,
                                          k % TALLY_MERGED);
}

/* Bring a unit of count elements, and the totals before it. */
static void TALLY_FN(read_both)(__global const TALLY_STORAGE *unit, uint count, bool turned,
                                __global const TALLY_WORD *at_tiles, uint tiles,
                                __global const TALLY_WORD *at_spans, uint spans,
                                __local uint4 *tile, __local tally_term *past_tiles,
                                __local tally_term *past_spans) {
    tally_pack own[TALLY_CHUNK_PACKS];
    const bool early = TALLY_FN(ask)(unit, own, count, turned);
    TALLY_FN(gather_tiles)(at_tiles, tiles, past_tiles);
    TALLY_FN(gather_spans)(at_spans, spans, past_spans);
    TALLY_FN(settle)(early, unit, own, tile, count, turned);
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    __local uint4 tile[TALLY_GROUP * TALLY_PITCH];
    __local tally_term runs[TALLY_MERGED * (TALLY_UNIT_RUNS + TALLY_SPANS)];
    __local tally_term spans[TALLY_MERGED * TALLY_SPANS];
    __local tally_term tiles[TALLY_MERGED], stretches[TALLY_MERGED];
    __local tally_term past_spans[TALLY_MERGED * TALLY_RUN];
    __local tally_term past_tiles[TALLY_STRETCH_AT(TALLY_FOLLOWED)];
    __local tally_term totals[TALLY_FOLLOWED * TALLY_MERGED];
    const uint item = get_local_id(0);
    const bool turned = (long)a.axis_in < 0;
    in += a.head.in_offset;
    out += a.head.out_offset;
    words += a.words;
    for (tally_index job = get_group_id(0); job < (tally_index)a.head.units;
         job += get_num_groups(0)) {
        const tally_index row = job % (tally_index)a.rows;
        const uint begin = (uint)(job / (tally_index)a.rows) * TALLY_UNIT;
        const uint present = min((uint)TALLY_UNIT, (uint)a.terms - begin);
        const uint at = begin / TALLY_TILE, span = begin % TALLY_TILE / TALLY_SPAN;
        const tally_index from = TALLY_START_IN(a, row * TALLY_MERGED);
        const tally_index to = TALLY_START_OUT(a, row * TALLY_MERGED);
        TALLY_FN(read_both)(in + TALLY_UNIT_AT(from, a.axis_in, begin, present, turned),
                            present * TALLY_MERGED, turned, TALLY_TILES_AT(words, a, row),
                            at * TALLY_MERGED,
                            TALLY_SPANS_AT(words, a, row) + at * (TALLY_RUN * TALLY_PART_WORDS),
                            span * TALLY_MERGED, tile, past_tiles, past_spans);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(fold_chunk)(tile, runs);
        TALLY_FN(fold_stretches)(past_tiles, at, totals);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(fold_runs)(runs, spans);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < TALLY_MERGED) {
            const uint stretch = at / TALLY_TILES;
            const tally_term sum = TALLY_FN(fold_values)(TALLY_NEUTRAL, past_spans, span, item);
            TALLY_FN(fold_spans)(sum, spans, item);
            tiles[item] = totals[stretch * TALLY_MERGED + item];
            stretches[item] = TALLY_FN(fold_values)(TALLY_NEUTRAL, totals, stretch, item);
        }
        TALLY_PUT_UNIT(out + TALLY_UNIT_AT(to, a.axis_out, begin, present, turned),
                       present * TALLY_MERGED, begin == 0)
    }
}
#endif
