/*
 * A scan by boxes of few long lines, which are cut into pieces that are spread over groups: tiles,
 * or with TALLY_TILE_PARTS boxes, of a span at least. Launches, by phase:
 *
 *   TOTALS  publishes what each tile of a line comes to, or of parts what each span does
 *   SPINE   turns what tiles come to into what comes before each in its stretch, or what spans come
 *           to into what comes before each in its tile, and adds what comes before each stretch
 *   APPLY   writes pieces, of which what comes before is known
 *   FOLLOW  writes pieces, and folds what all before each came to by itself: there is no spine
 *
 * Either TOTALS, SPINE, APPLY; or, of lines that are not so long, TOTALS and FOLLOW. From a.words on
 * lie the words of each line, in the order of the lines of each box, which all have room for as
 * many; from a.stretches on those of its stretches.
 */
#if TALLY_PUBLISHES_SPANS
/*
 * Publish what the spans of a box come to that end in it, or with their line; the runs of others
 * are in carry. words is where the first line's word of the box's first span is, totals are apart.
 * Of lines that the last boxes do not have, of as many as any has, something is published too.
 */
static void TALLY_FN(publish_spans)(__global tally_term *words, tally_index pitch, uint lines,
                                 uint box_lines, uint runs, bool ends, bool begins,
                                 __local const tally_term *totals, uint line_stride, uint stride,
                                 __local TALLY_FN(levels) *carry) {
    const uint spans = (runs + TALLY_RUN - 1) / TALLY_RUN;
    for (uint k = get_local_id(0); k < box_lines * spans; k += TALLY_GROUP) {
        const uint line = k / spans, span = k - line * spans;
        tally_term sum = TALLY_IDENTITY;
        if (!begins && line < lines)
            sum = carry[line].runs;
        if (line < lines)
            sum = TALLY_FN(fold_runs)(sum, totals + line * line_stride + span * TALLY_RUN * stride,
                                      min((uint)TALLY_RUN, runs - span * TALLY_RUN), stride);
        if (ends)
            words[line * pitch + span] = sum;
        else if (line < lines)
            carry[line].runs = sum;
    }
}

#elif TALLY_PHASE == TALLY_FOLLOW
/* What count words come to that lie one behind the other: all are under way together. */
static tally_term TALLY_FN(fold_words)(__global const tally_term *words, uint count) {
    tally_term word[TALLY_TILE_WORDS], sum = TALLY_IDENTITY;
#pragma unroll
    for (uint k = 0; k < TALLY_TILE_WORDS; k++)
        word[k] = words[min(k, count - 1)];
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
            sum = TALLY_FN(fold_words)(words + line * pitch + tiles * TALLY_TILE_WORDS, spans);
        carry[line].spans = sum;
    }
    for (uint first = 0; first < tiles; first += some) {
        const uint count = min(some, tiles - first);
        for (uint k = item; k < lines * count; k += TALLY_GROUP) {
            const uint line = k / count, tile = first + (k - line * count);
            totals[k] = TALLY_FN(fold_words)(words + line * pitch + tile * TALLY_TILE_WORDS,
                                             TALLY_TILE_WORDS);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint line = item; line < lines; line += TALLY_GROUP) {
            const tally_term none = TALLY_IDENTITY;
            const tally_term sum =
                TALLY_FN(fold_runs)(carry[line].tiles, totals + line * count, count, 1);
            const bool ends = (first + count) % TALLY_TILES == 0;
            carry[line].tiles = ends ? none : sum;
            if (ends)
                carry[line].stretches = tally_combine_terms(carry[line].stretches, sum);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* before totals are those of the next tiles, or of runs */
    }
}
#endif
