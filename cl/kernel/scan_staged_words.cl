/*
 * A scan by boxes of few long lines, which are cut into pieces that are spread over groups: tiles,
 * or with TALLY_TILE_PARTS boxes, of a span at least. Launches, by phase:
 *
 *   TOTALS  publishes what each tile of a line comes to, or of parts what each span does; with
 *           TALLY_TILE_TOTALS its units are tiles all the same, and instead of what a span comes to
 *           it publishes what comes before it in its tile
 *   SPINE   turns what tiles come to into what comes before each in its stretch, or what spans come
 *           to into what comes before each in its tile, and adds what comes before each stretch
 *   APPLY   writes pieces, of which what comes before is known
 *   FOLLOW  writes pieces, and folds what all before each came to by itself: there is no spine
 *
 * Either TOTALS, SPINE, APPLY; or, of lines that are not so long, TOTALS and FOLLOW. From a.words on
 * lie rows of words of all lines, in the order of the boxes and of each box's lines, which all have
 * room for as many: a row for each span or tile; from a.stretches on a row for each stretch.
 */
#if TALLY_PHASE != TALLY_FOLLOW && TALLY_PHASE != TALLY_SPINE
/*
 * What comes before a piece of a line that begins with this term: in a first pass nothing. words is
 * where the line's first word is, a row of words is pitch words.
 */
static TALLY_FN(levels) TALLY_FN(look_up)(__global const tally_term *words, tally_index stretches,
                                       tally_index pitch, tally_index begin) {
    TALLY_FN(levels)
    before = {TALLY_IDENTITY, TALLY_IDENTITY, TALLY_IDENTITY, TALLY_IDENTITY};
#if TALLY_PHASE == TALLY_APPLY
    const tally_index tile = begin / TALLY_TILE;
    before.stretches = words[stretches + tile / TALLY_TILES * pitch];
    before.tiles = words[tile * TALLY_TILE_WORDS * pitch];
    if (begin % TALLY_TILE > 0)
        before.spans = words[begin / TALLY_SPAN * pitch];
#endif
    return before;
}
#endif

/* sum combined with count totals that are apart from one another. */
static tally_term TALLY_FN(fold_runs)(tally_term sum, __local const tally_term *totals, uint count,
                                      uint stride) {
    for (uint k = 0; k < count; k += 4) {
        tally_term x[4];
#pragma unroll
        for (uint i = 0; i < 4; i++)
            x[i] = totals[min(k + i, count - 1) * stride];
#pragma unroll
        for (uint i = 0; i < 4; i++)
            sum = k + i < count ? tally_combine_terms(sum, x[i]) : sum;
    }
    return sum;
}

#if TALLY_PUBLISHES_SPANS
/*
 * Publish what the spans of a box come to that end in it, or with their line; the runs of others
 * are in carry. words is where the first line's word of the box's first span is, a row of words is
 * pitch words, totals are apart. Of lines that the last boxes do not have, of as many as any has,
 * what each span comes to is published too. Where a unit is a tile a box has a span at most; its
 * spans so far are in carry, and the word of its first one is left for what it comes to.
 */
static void TALLY_FN(publish_spans)(__global tally_term *words, tally_index pitch, uint lines,
                                 uint box_lines, uint runs, bool ends, bool begins,
                                 bool tile_begins, __local const tally_term *totals,
                                 uint line_stride, uint stride,
                                 __local TALLY_FN(levels) *carry) {
    const uint spans = (runs + TALLY_RUN - 1) / TALLY_RUN;
    for (uint k = get_local_id(0); k < box_lines * spans; k += TALLY_GROUP) {
        const uint span = k / box_lines, line = k - span * box_lines;
        tally_term sum = TALLY_IDENTITY;
        if (!begins && line < lines)
            sum = carry[line].runs;
        if (line < lines)
            sum = TALLY_FN(fold_runs)(sum, totals + line * line_stride + span * TALLY_RUN * stride,
                                      min((uint)TALLY_RUN, runs - span * TALLY_RUN), stride);
        if (!ends) {
            if (line < lines)
                carry[line].runs = sum;
        } else if (!TALLY_TILE_TOTALS) {
            words[span * pitch + line] = sum;
        } else if (line < lines) {
            const tally_term none = TALLY_IDENTITY;
            const tally_term before = tile_begins ? none : carry[line].spans;
            if (!tile_begins)
                words[line] = before;
            carry[line].spans = tally_combine_terms(before, sum);
        }
    }
}

#elif TALLY_PHASE == TALLY_FOLLOW
/* What count words come to that lie so far apart: all are under way together. */
static tally_term TALLY_FN(fold_words)(__global const tally_term *words, tally_index pitch,
                                       uint count) {
    tally_term word[TALLY_TILE_WORDS], sum = TALLY_IDENTITY;
#pragma unroll
    for (uint k = 0; k < TALLY_TILE_WORDS; k++)
        word[k] = words[min(k, count - 1) * pitch];
#pragma unroll
    for (uint k = 0; k < TALLY_TILE_WORDS; k++)
        sum = k < count ? tally_combine_terms(sum, word[k]) : sum;
    return sum;
}

/*
 * Set what comes before a piece that begins with this term, of each line of a box. As many tiles at
 * a time as totals have room for are folded side by side, and the spans behind the last one.
 */
static void TALLY_FN(follow)(__global const tally_term *words, tally_index pitch, uint lines,
                             tally_index begin, __local tally_term *totals,
                             __local TALLY_FN(levels) *carry) {
    const uint item = get_local_id(0), tiles = (uint)(begin / TALLY_TILE);
    const uint spans = (uint)(begin % TALLY_TILE) / TALLY_SPAN;
    uint some = TALLY_TILES;
    while (some > 1 && some * lines > TALLY_TOTALS_ROOM)
        some /= 2;
    for (uint line = item; line < lines; line += TALLY_GROUP)
        carry[line].stretches = carry[line].tiles = carry[line].runs = TALLY_IDENTITY;
    /* The last work-items have no tile, as a rule. */
    for (uint line = TALLY_GROUP - 1 - item; line < lines; line += TALLY_GROUP) {
        tally_term sum = TALLY_IDENTITY;
        if (spans > 0)
            sum = TALLY_FN(fold_words)(words + line + tiles * TALLY_TILE_WORDS * pitch, pitch,
                                       spans);
        carry[line].spans = sum;
    }
    for (uint first = 0; first < tiles; first += some) {
        const uint count = min(some, tiles - first);
        for (uint k = item; k < lines * count; k += TALLY_GROUP) {
            const uint over = k / lines, line = k - over * lines, tile = first + over;
            totals[k] = TALLY_FN(fold_words)(words + line + tile * TALLY_TILE_WORDS * pitch, pitch,
                                             TALLY_TILE_WORDS);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint line = item; line < lines; line += TALLY_GROUP) {
            const tally_term none = TALLY_IDENTITY;
            const tally_term sum =
                TALLY_FN(fold_runs)(carry[line].tiles, totals + line, count, lines);
            const bool ends = (first + count) % TALLY_TILES == 0;
            carry[line].tiles = ends ? none : sum;
            if (ends)
                carry[line].stretches = tally_combine_terms(carry[line].stretches, sum);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* before totals are those of the next tiles, or of runs */
    }
}
#elif TALLY_PHASE == TALLY_SPINE
/* A unit is lines side by side, or one where a box has few. */
#define TALLY_SPINE_LINES (TALLY_SKEWED ? 1 : TALLY_SPINE_COLUMNS)
TALLY_STAGED_KERNEL {
    __local tally_term totals[TALLY_GROUP];
    const tally_index all = (tally_index)(a.all_boxes * a.box_lines);
    const tally_index count = ((tally_index)a.terms - 1) / (TALLY_TILE / TALLY_TILE_WORDS) + 1;
    words += a.words;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        const tally_index line = unit * TALLY_SPINE_LINES + get_local_id(0) % TALLY_SPINE_LINES;
        TALLY_FN(fold_lines)(words + line, words + a.stretches + line, all, count,
                             TALLY_TILE_WORDS, TALLY_SPINE_LINES, TALLY_TILE_TOTALS, line < all,
                             totals);
    }
}
#endif
