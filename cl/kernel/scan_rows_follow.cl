/*
 * A scan of few rows that are not long: a group for each unit folds what all tiles before its unit
 * came to by itself, and writes the unit. A row has up to TALLY_FOLLOWED stretches. Tiles are told
 * by the launch before, TOTALS, or as groups look back by those of this launch.
 */
#if TALLY_PHASE == TALLY_FOLLOW
/*
 * Totals that a work-item has under way at a time: each time takes as long as memory, but registers
 * count as well where groups wait for one another.
 */
#define TALLY_TOTALS_ABREAST (TALLY_CARRY == TALLY_CARRY_LOOK_BACK && TALLY_GROUP < 256 ? 8 : 4)

/* Look for some of the first tiles; whether all are there. */
static bool TALLY_FN(look_abreast)(__global const TALLY_WORD *at_tiles, uint first, uint count,
                                   TALLY_WORD tag, tally_term *total) {
    bool there = true;
#pragma unroll
    for (uint k = 0; k < TALLY_TOTALS_ABREAST; k++)
        there = TALLY_FN(look)(at_tiles, min(first + k * TALLY_GROUP, count - 1), tag, &total[k]) &&
                there;
    return there;
}

/* Bring the totals of a row's first tiles, count of all columns; whether they are there. */
static bool TALLY_FN(gather_tiles)(__global const TALLY_WORD *at_tiles, uint count, TALLY_WORD tag,
                                   uint spin_limit, __local tally_term *past) {
    bool all = true;
    for (uint first = get_local_id(0); first < count; first += TALLY_TOTALS_ABREAST * TALLY_GROUP) {
        tally_term total[TALLY_TOTALS_ABREAST];
        bool there = TALLY_FN(look_abreast)(at_tiles, first, count, tag, total);
        for (uint tries = 0; tries < spin_limit && !there; tries++)
            there = TALLY_FN(look_abreast)(at_tiles, first, count, tag, total);
        all = all && there;
#pragma unroll
        for (uint k = 0; k < TALLY_TOTALS_ABREAST; k++) {
            const uint at = first + k * TALLY_GROUP, each = TALLY_TILES * TALLY_MERGED;
            if (at < count)
                past[TALLY_STRETCH_AT(at / each) + at % each] = total[k];
        }
    }
    return all;
}

/* What each stretch before a tile came to, and the tiles since, of each column. */
static void TALLY_FN(fold_stretches)(__local const tally_term *past, uint tile,
                                     __local tally_term *totals) {
    const uint stretch = tile / TALLY_TILES;
    for (uint k = get_local_id(0); k < (stretch + 1) * TALLY_MERGED; k += TALLY_GROUP)
        totals[k] = TALLY_FN(fold_values)(TALLY_IDENTITY, past + TALLY_STRETCH_AT(k / TALLY_MERGED),
                                          k / TALLY_MERGED < stretch ? TALLY_TILES
                                                                    : tile % TALLY_TILES,
                                          k % TALLY_MERGED);
}

/* What comes before a unit, from the totals of stretches: of its stretch, and of its row. */
static void TALLY_FN(end_follow)(uint tile, tally_term carried, __local tally_term *tiles,
                                 __local tally_term *stretches,
                                 __local const TALLY_FN(past) *past) {
    const uint item = get_local_id(0), stretch = tile / TALLY_TILES;
    if (item < TALLY_MERGED) {
        tiles[item] = past->totals[stretch * TALLY_MERGED + item];
        stretches[item] = TALLY_FN(fold_values)(carried, past->totals, stretch, item);
    }
}

#if TALLY_CARRY == TALLY_CARRY_LOOK_BACK
static void TALLY_FN(look_for_tiles)(__global TALLY_WORD *at_tiles, TALLY_WORD tag, uint tile,
                                     uint span, bool ends_tile, uint spin_limit,
                                     __local tally_term *spans,
                                     __local TALLY_FN(past) *past) {
    if (get_local_id(0) < TALLY_MERGED)
        (void)TALLY_FN(end_spans)(at_tiles + tile * TALLY_PART_WORDS, tag, span, ends_tile, spans,
                                  past);
    if (!TALLY_FN(gather_tiles)(at_tiles, tile * TALLY_MERGED, tag, spin_limit, past->tiles))
        past->gave_up = 1;
}

#define TALLY_LOOK_AT_TILES(words, a, past, spin_limit, spans, tiles, stretches)                   \
    TALLY_LOOK_FOR_TILES(words, a, past, spin_limit, spans)                                        \
    TALLY_FN(fold_stretches)((past)->tiles, TALLY_TILE_OF(past, a), (past)->totals);               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(end_follow)(TALLY_TILE_OF(past, a),                                                   \
                         TALLY_CARRIED_COLUMN(a, TALLY_ROW_OF(past, a)), tiles, stretches, past);  \
    barrier(CLK_LOCAL_MEM_FENCE);

#else
/* Bring a unit of count elements, and the totals before it. */
static void TALLY_FN(read_both)(__global const TALLY_STORAGE *unit, uint count, bool reversed,
                                __global const TALLY_WORD *at_tiles, uint tiles,
                                __global const TALLY_WORD *at_spans, uint spans, TALLY_WORD tag,
                                __local uint4 *image, __local TALLY_FN(past) *past) {
    tally_pack own[TALLY_CHUNK_PACKS];
    const bool early = TALLY_FN(ask)(unit, own, count, reversed);
    (void)TALLY_FN(gather_tiles)(at_tiles, tiles, tag, 0, past->tiles);
    TALLY_FN(gather)(at_spans, spans, tag, 0, past->spans, &past->gave_up);
    TALLY_FN(settle)(early, unit, own, image, count, reversed);
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    __local uint4 image[TALLY_GROUP * TALLY_PITCH];
    __local tally_term runs[TALLY_MERGED * (TALLY_UNIT_RUNS + TALLY_SPANS)];
    __local tally_term spans[TALLY_MERGED * TALLY_SPANS];
    __local tally_term tiles[TALLY_MERGED], stretches[TALLY_MERGED];
    __local TALLY_FN(past) past;
    const uint item = get_local_id(0);
    const bool reversed = (long)a.axis_in < 0;
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
        TALLY_FN(read_both)(in + TALLY_UNIT_AT(from, a.axis_in, begin, present, reversed),
                            present * TALLY_MERGED, reversed, TALLY_TILES_AT(words, a, row),
                            at * TALLY_MERGED,
                            TALLY_SPANS_AT(words, a, row) + at * (TALLY_RUN * TALLY_PART_WORDS),
                            span * TALLY_MERGED, TALLY_TAG(a), image, &past);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(fold_chunk)(image, runs);
        TALLY_FN(fold_stretches)(past.tiles, at, past.totals);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(fold_runs)(runs, spans);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < TALLY_MERGED)
            (void)TALLY_FN(fold_spans)(
                TALLY_FN(fold_values)(TALLY_IDENTITY, past.spans, span, item), spans, item);
        TALLY_FN(end_follow)(at, TALLY_CARRIED_COLUMN(a, row), tiles, stretches, &past);
        TALLY_PUT_UNIT(out + TALLY_UNIT_AT(to, a.axis_out, begin, present, reversed),
                       present * TALLY_MERGED, begin == 0)
    }
}
#endif
#endif
