/*
 * A scan down few long columns, whose tiles are spread over groups. Launches, by phase:
 *
 *   TOTALS  a group for each tile of a strip of columns: what each span comes to, and from that
 *           what comes before it in its tile, and what the tile comes to
 *   SPINE   turns what tiles come to into what comes before each in its stretch, and adds what
 *           comes before each stretch
 *   APPLY   a group for each tile of a strip, of which what comes before is known, writes it
 *
 * In TOTALS and APPLY a work-item has a span of its columns to itself, which it walks run after
 * run; a.down, one for each of a tile's spans, times a.across share a tile. APPLY begins with
 * what TOTALS read last, which some cache may still have.
 *
 * The scratch has plain terms, TALLY_PACK for each work-item of a strip, whether there are columns
 * for them or not: a.columns rounded up to whole strips. From a.words on: those of each span; from
 * a.tiles on of each tile; from a.stretches on of each stretch.
 */
#define TALLY_STRIPS_KERNEL                                                                        \
    __attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void TALLY_KERNEL(           \
        __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,                             \
        const tally_scan_columns_args a, __global tally_term *words)

#if TALLY_PHASE == TALLY_SPINE
/* A unit is columns side by side, all the way down. */
TALLY_STRIPS_KERNEL {
    __local tally_term totals[TALLY_GROUP];
    const tally_index units = (tally_index)a.head.units;
    const uint strip_width = (uint)a.across * TALLY_PACK;
    const tally_index columns =
        ((tally_index)a.columns + strip_width - 1) / strip_width * strip_width;
    const tally_index blocks = (columns + TALLY_SPINE_COLUMNS - 1) / TALLY_SPINE_COLUMNS;
    const tally_index tiles = (tally_index)a.tiles_each;
    const tally_index stretches = (tally_index)a.stretches_each;
    words += a.words;
    for (tally_index unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const tally_index column =
            unit % blocks * TALLY_SPINE_COLUMNS + get_local_id(0) % TALLY_SPINE_COLUMNS;
        TALLY_FN(fold_lines)(words + a.tiles + unit / blocks * tiles * columns + column,
                             words + a.stretches + unit / blocks * stretches * columns + column,
                             columns, tiles, stretches, TALLY_SPINE_COLUMNS, column < columns,
                             totals);
    }
}

#else
#if TALLY_PHASE == TALLY_TOTALS
/* What the terms from the begin-th to the end-th come to, a span at most. */
static void TALLY_FN(fold_terms)(__global const TALLY_STORAGE *in, tally_index begin,
                                 tally_index end, bool aligned, const TALLY_FN(place) *place,
                                 tally_term *total) {
    uint count = TALLY_FN(count)(place, aligned, begin, end);
    tally_pack pack[TALLY_RUN];
    TALLY_FN(load_run)(in, begin, aligned, count, place, pack);
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        total[v] = TALLY_NEUTRAL;
    while (count > 0) {
        tally_term sum[TALLY_PACK];
        TALLY_FN(fold_run)(pack, count, sum);
        begin += TALLY_RUN;
        count = TALLY_FN(count)(place, aligned, begin, end);
        TALLY_FN(load_run)(in, begin, aligned, count, place, pack);
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            total[v] = tally_join_terms(total[v], sum[v]);
    }
}

/* From what spans came to, across apart: what comes before the slice-th, and what the tile does. */
static void TALLY_FN(fold_spans)(__local const tally_term (*totals)[TALLY_GROUP], uint first,
                                 uint across, uint slice, __global tally_term *span_at,
                                 __global tally_term *tile_at) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        tally_term before = TALLY_NEUTRAL, sum = TALLY_NEUTRAL;
#pragma unroll
        for (uint k = 0; k < TALLY_RUN; k++) {
            before = k == slice ? sum : before;
            sum = tally_join_terms(sum, totals[v][first + k * across]);
        }
        span_at[v] = before;
        if (slice == 0)
            tile_at[v] = sum;
    }
}
#else
/* Write the results of the terms from the begin-th to the end-th, a span at most. */
static void TALLY_FN(put_terms)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                                tally_index begin, tally_index end, bool aligned,
                                const TALLY_FN(place) *place, TALLY_FN(levels) *before) {
    uint count = TALLY_FN(count)(place, aligned, begin, end);
    tally_pack pack[TALLY_RUN];
    TALLY_FN(load_run)(in, begin, aligned, count, place, pack);
    for (uint run = 1; count > 0; run++) {
        const tally_index next = begin + TALLY_RUN;
        const uint next_count = TALLY_FN(count)(place, aligned, next, end);
        tally_term sum[TALLY_PACK];
        TALLY_FN(put_run)(in, out, begin, next, aligned, count, next_count, place, before, pack,
                          sum);
        TALLY_FN(end_run)(before, sum, run);
        begin = next;
        count = next_count;
    }
}

/* What comes before a work-item's span. */
static void TALLY_FN(look_up)(__global const tally_term *stretch_at,
                              __global const tally_term *tile_at,
                              __global const tally_term *span_at, TALLY_FN(levels) *before) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        before->stretches[v] = stretch_at[v];
        before->tiles[v] = tile_at[v];
        before->spans[v] = span_at[v];
        before->runs[v] = TALLY_NEUTRAL;
#if TALLY_EXACT
        before->runs[v] = tally_join_terms(
            before->stretches[v], tally_join_terms(before->tiles[v], before->spans[v]));
#endif
    }
}
#endif

TALLY_STRIPS_KERNEL {
#if TALLY_PHASE == TALLY_TOTALS
    __local tally_term totals[TALLY_PACK][TALLY_GROUP];
#endif
    const uint item = get_local_id(0);
    const uint team = (uint)a.across * TALLY_RUN;
    const uint slots = TALLY_GROUP / team;
    const uint slot = min(item / team, slots - 1);
    const uint slice = item % team / (uint)a.across;
    const tally_index units = (tally_index)a.head.units;
    const tally_index columns = (tally_index)a.columns;
    const uint strip_width = (uint)a.across * TALLY_PACK;
    const tally_index strips = (columns + strip_width - 1) / strip_width;
    const tally_index pitch = strips * strip_width;
    const tally_index tiles = (tally_index)a.tiles_each;
    const tally_index stretches = (tally_index)a.stretches_each;
    TALLY_FN(place) place;
    place.across = (uint)a.across;
    place.x = item % place.across;
    place.pitch_in = (tally_index)a.axis_in;
    place.pitch_out = (tally_index)a.axis_out;
    place.column_out = TALLY_APART ? (tally_index)a.kept_out[TALLY_KEPT_RANK - 1] : 1;
    in += a.head.in_offset;
    out += a.head.out_offset;
    words += a.words;
    for (tally_index first = get_group_id(0) * slots; first < units;
         first += get_num_groups(0) * slots) {
        const bool is_there = item < slots * team && first + slot < units;
        const tally_index turn = is_there ? first + slot : 0;
        const tally_index unit = TALLY_PHASE == TALLY_APPLY ? units - 1 - turn : turn;
        const tally_index column = unit % strips * strip_width;
        const tally_index tile = unit / strips % tiles, outer = unit / strips / tiles;
        const tally_index at = column + place.x * TALLY_PACK;
        __global tally_term *tile_at = words + a.tiles + (outer * tiles + tile) * pitch + at;
        __global tally_term *span_at =
            words + ((outer * tiles + tile) * TALLY_RUN + slice) * pitch + at;
        place.width = is_there ? (uint)min((tally_index)strip_width, columns - column) : 0;
        place.from = TALLY_START_IN(a, outer * columns + column);
        place.to = TALLY_START_OUT(a, outer * columns + column);
        const tally_index begin = tile * TALLY_TILE + slice * TALLY_SPAN;
        const tally_index end = min((tally_index)a.terms, begin + TALLY_SPAN);
        const bool aligned = TALLY_FN(align)(in, out, &place);
#if TALLY_PHASE == TALLY_TOTALS
        tally_term total[TALLY_PACK];
        if (aligned)
            TALLY_FN(fold_terms)(in, begin, end, true, &place, total);
        else
            TALLY_FN(fold_terms)(in, begin, end, false, &place, total);
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            totals[v][item] = total[v];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_there)
            TALLY_FN(fold_spans)(totals, slot * team + place.x, place.across, slice, span_at,
                                 tile_at);
        barrier(CLK_LOCAL_MEM_FENCE); /* before totals are those of the next unit */
#else
        TALLY_FN(levels) before;
        TALLY_FN(look_up)(words + a.stretches +
                              (outer * stretches + tile / TALLY_TILES) * pitch + at,
                          tile_at, span_at, &before);
        if (aligned)
            TALLY_FN(put_terms)(in, out, begin, end, true, &place, &before);
        else
            TALLY_FN(put_terms)(in, out, begin, end, false, &place, &before);
#endif
    }
}
#endif
