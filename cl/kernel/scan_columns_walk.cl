/*
 * A scan down columns: rows of the scan that are neighbours lie side by side in memory. With
 * TALLY_WHOLE_SPANS work-items go down their columns alone, run after run. Else they share a span,
 * a run each, or what there is of one: they publish to each other their runs' totals in local
 * memory, where one of them for each column scans these, and go on to the next span together;
 * a.slices are the runs that they have at a time. Of few long columns they have TALLY_SPANS_AT_ONCE
 * spans at a time, a part of a tile, and publish to each other what these come to as well.
 *
 * A unit is a piece of a strip of columns. What a piece is, and where what comes before it is from,
 * is in scan_columns_whole.cl and scan_columns_passes.cl.
 *
 * While a span's terms arrive, the rows of the next one are asked for where that has been found to
 * pay: its loads then take less time.
 *
 * Groups loop over units and spans with uniform bounds, so every work-item meets every barrier.
 */
#if TALLY_PHASE != TALLY_SPINE
#if !TALLY_WHOLE_SPANS
/*
 * Totals in two buffers by turns, as those of the next span need not wait until all have looked up
 * theirs. Where results are staged, or there are several spans, another barrier sees to that.
 */
#define TALLY_BUFFERS ((TALLY_STAGED && !TALLY_PUBLISHES) || TALLY_SPANS_AT_ONCE > 1 ? 1 : 2)

/*
 * Whether the next span is brought into the device's last cache: of packs of wider elements that
 * took more time than it gave, and where nothing is written its loads begin as early.
 */
#define TALLY_AHEAD(aligned) (!TALLY_PUBLISHES && (TALLY_BYTES < 4 || !(aligned)))

/* Bring the rows of a run there; those that have it share them. */
static void TALLY_FN(prefetch)(__global const TALLY_STORAGE *in, tally_index begin,
                               tally_index terms, const TALLY_FN(position) *position) {
    const uint count = begin < terms ? (uint)min((tally_index)TALLY_RUN, terms - begin) : 0;
    for (uint k = position->x; k < count && position->width > 0; k += position->team_width) {
        const tally_index row = position->from + (begin + k) * position->pitch_in;
        const uint skew = (uint)((size_t)(in + row) / TALLY_BYTES % TALLY_GPU_CACHE_LINE);
        for (uint e = 0; e < position->width + skew; e += TALLY_GPU_CACHE_LINE)
            TALLY_FN(bring)(in + row + (e > skew ? e - skew : 0));
    }
}

/*
 * Turn the totals of a span's runs, across apart from the first one's position on, into what the
 * span comes to with each: each column's by one of its work-items. PoCL 3.1 runs a loop that goes
 * from a work-item's own slice on in steps of slices as the first work-item's.
 */
static void TALLY_FN(scan_span)(__local tally_term (*totals)[TALLY_GROUP], uint first,
                                uint team_width, uint slice, uint slices) {
    uint owner = 0;
#pragma unroll 1
    for (uint v = 0; v < TALLY_PACK; v++) {
        if (owner == slice)
            TALLY_FN(scan_totals)(TALLY_IDENTITY, totals[v] + first, slices, team_width);
        owner = owner + 1 < slices ? owner + 1 : 0;
    }
}

/*
 * From what a span comes to with each of its runs, across apart from the first one's position on:
 * what comes before the slice-th, and what the span comes to.
 */
static void TALLY_FN(look_up_span)(__local const tally_term (*totals)[TALLY_GROUP], uint first,
                                   uint team_width, uint slice, uint slices,
                                   TALLY_FN(levels) *before, tally_term *span) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        const tally_term none = TALLY_IDENTITY;
        before->runs[v] = slice > 0 ? totals[v][first + (slice - 1) * team_width] : none;
        span[v] = totals[v][first + (slices - 1) * team_width];
#if TALLY_EXACT && TALLY_SPANS_AT_ONCE <= 1
        before->runs[v] = tally_combine_terms(before->spans[v], before->runs[v]);
        span[v] = tally_combine_terms(before->spans[v], span[v]);
#endif
    }
}

#if TALLY_SPANS_AT_ONCE > 1
/*
 * From the totals of count spans, across apart from the first one's position on, and what comes
 * before them all: what comes before the own-th, and what comes before the span behind them.
 */
static void TALLY_FN(fold_spans)(__local const tally_term (*totals)[TALLY_GROUP / TALLY_RUN],
                                 uint first, uint team_width, uint own, uint count,
                                 TALLY_FN(levels) *before, tally_term *next) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        tally_term sum = before->spans[v], earlier = sum;
#pragma unroll
        for (uint k = 0; k < TALLY_SPANS_AT_ONCE; k++) {
            if (k >= count)
                continue;
            earlier = k == own ? sum : earlier;
            sum = tally_combine_terms(sum, totals[v][first + k * team_width]);
        }
        next[v] = sum;
#if TALLY_EXACT
        before->runs[v] = tally_combine_terms(earlier, before->runs[v]);
#else
        before->spans[v] = earlier;
#endif
    }
}
#endif
#endif

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_WALK_ARGUMENTS) {
#if TALLY_STAGED && !TALLY_PUBLISHES
    __local tally_pack_bits stage[TALLY_GROUP / TALLY_RUN * TALLY_PACK * TALLY_STAGE_PITCH];
#endif
#if !TALLY_WHOLE_SPANS
    __local tally_term totals[TALLY_BUFFERS][TALLY_PACK][TALLY_GROUP];
#if TALLY_SPANS_AT_ONCE > 1
    __local tally_term spans[TALLY_PACK][TALLY_GROUP / TALLY_RUN];
#endif
#if TALLY_PHASE == TALLY_FOLLOW
    __local tally_term past[TALLY_FOLLOWED_BYTES / TALLY_STATE_BYTES];
#endif
    uint buffer = 0;
#endif
    const uint item = get_local_id(0);
    const uint team_width = TALLY_TEAM_WIDTH(a), slices = TALLY_SLICES(a);
    const uint team = team_width * slices;
    const uint slots = TALLY_GROUP / team;
    const uint slot = min(item / team, slots - 1);
    const uint slice = item % team / team_width;
    const tally_index terms = (tally_index)a.terms;
    const tally_index units = (tally_index)a.head.units;
    const tally_index columns = (tally_index)a.columns;
    const uint strip_width = team_width * TALLY_PACK;
    const tally_index strips = (columns + strip_width - 1) / strip_width;
    const tally_index pieces = TALLY_PIECES(a);
    TALLY_FN(position) position;
    position.team_width = team_width;
    position.x = item % team_width;
    position.pitch_in = (tally_index)a.axis_in;
    position.pitch_out = (tally_index)a.axis_out;
    position.column_out = TALLY_STRIDED_RESULTS ? (tally_index)a.kept_out[TALLY_KEPT_RANK - 1] : 1;
#if TALLY_STAGED && !TALLY_PUBLISHES
    position.stage = stage + slot * position.team_width * TALLY_PACK * TALLY_STAGE_PITCH;
    position.own =
        position.stage + position.x * TALLY_STAGE_PITCH + slice * (TALLY_RUN / TALLY_PACK);
#endif
    TALLY_VIEW(in, a.head.in_offset);
    TALLY_VIEW(out, a.head.out_offset);
    for (tally_index first = get_group_id(0) * slots; first < units;
         first += get_num_groups(0) * slots) {
        const bool is_there = item < slots * team && first + slot < units;
        const tally_index job = is_there ? first + slot : 0;
        const tally_index unit = TALLY_LAST_FIRST ? units - 1 - job : job;
        const tally_index column = unit % strips * strip_width;
        const tally_index piece = unit / strips % pieces, outer = unit / strips / pieces;
        position.from = TALLY_START_IN(a, outer * columns + column);
        position.to = TALLY_START_OUT(a, outer * columns + column);
        position.width = is_there ? (uint)min((tally_index)strip_width, columns - column) : 0;
        const bool aligned = TALLY_FN(align)(in, out, &position);
        const tally_index start = piece * TALLY_PIECE(a);
        const tally_index end = min(terms, start + TALLY_PIECE(a));
        tally_index begin = start + slice * TALLY_RUN, done = 0;
        uint count = TALLY_FN(count)(&position, aligned, begin, end);
        tally_pack pack[TALLY_RUN];
        TALLY_FN(load_run)(in, begin, aligned, count, &position, pack);
        TALLY_FN(levels) before;
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            before.runs[v] = before.spans[v] = before.tiles[v] = before.stretches[v] =
                TALLY_IDENTITY;
        TALLY_LOOK_UP
        for (tally_index at = 0; at < TALLY_PIECE(a); at += slices * TALLY_RUN) {
            const tally_index next = begin + slices * TALLY_RUN;
            const uint next_count = TALLY_FN(count)(&position, aligned, next, end);
            tally_term sum[TALLY_PACK];
#if !TALLY_WHOLE_SPANS
            tally_term span[TALLY_PACK];
            if (TALLY_AHEAD(aligned))
                TALLY_FN(prefetch)(in, next, end, &position);
            TALLY_FN(fold_run)(pack, count, sum);
            if (TALLY_PUBLISHES)
                TALLY_FN(load_run)(in, next, aligned, next_count, &position, pack);
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++)
                totals[buffer][v][item] = sum[v];
            barrier(CLK_LOCAL_MEM_FENCE);
            /* Which of the spans at hand. */
            const uint own = TALLY_SPANS_AT_ONCE > 1 ? slice / TALLY_RUN : 0;
            const uint own_slice = slice - own * TALLY_RUN;
            const uint span_slices = min(slices, (uint)TALLY_RUN);
            const uint own_span = slot * team + own * TALLY_RUN * position.team_width + position.x;
            if (slices > 1) {
                if (item < slots * team)
                    TALLY_FN(scan_span)(totals[buffer], own_span, position.team_width, own_slice,
                                        span_slices);
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            TALLY_FN(look_up_span)(totals[buffer], own_span, position.team_width, own_slice,
                                   span_slices, &before, span);
            buffer = TALLY_BUFFERS - 1 - buffer;
            TALLY_PUBLISH_SPAN
#if TALLY_SPANS_AT_ONCE > 1
            const uint first_span = slot * (team / TALLY_RUN) + position.x;
            if (slice % TALLY_RUN == 0)
#pragma unroll
                for (uint v = 0; v < TALLY_PACK; v++)
                    spans[v][first_span + own * position.team_width] = span[v];
            barrier(CLK_LOCAL_MEM_FENCE);
            TALLY_FN(fold_spans)(spans, first_span, position.team_width, own, slices / TALLY_RUN,
                                 &before,
                                 span);
#endif
#endif
#if !TALLY_PUBLISHES
            const bool later = (TALLY_STAGED | (TALLY_ORDER_LEVELS == 1)) != 0;
            const uint load_count = later ? 0 : next_count;
            if (aligned) {
                TALLY_FN(put_run)(in, out, begin, next, true, count, load_count, &position, &before,
                                  pack, sum);
            } else {
                TALLY_FN(put_run)(in, out, begin, next, false, count,
                                  TALLY_BY_SINGLES ? 0 : load_count, &position, &before, pack,
                                  sum);
                if ((TALLY_BY_SINGLES & !later) != 0)
                    TALLY_FN(load_run)(in, next, false, next_count, &position, pack);
            }
#if TALLY_STAGED
            barrier(CLK_LOCAL_MEM_FENCE);
            TALLY_FN(load_run)(in, next, aligned, next_count, &position, pack);
            TALLY_FN(drain)(out, position.to + (start + at) * position.pitch_out, aligned,
                            (uint)min((tally_index)TALLY_SPAN, end - min(start + at, end)),
                            item % team, &position);
#endif
#endif
            done += TALLY_SPANS_AT_ONCE > 1 ? TALLY_SPANS_AT_ONCE : 1;
#if TALLY_WHOLE_SPANS
            TALLY_FN(end_run)(&before, sum, done);
#else
            TALLY_FN(end_span)(&before, span, done);
#endif
            begin = next;
            count = next_count;
        }
        TALLY_PUBLISH_UNIT
    }
}
#endif
