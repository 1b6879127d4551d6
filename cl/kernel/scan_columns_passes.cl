/*
 * A scan down few long columns, which are cut into pieces that are spread over groups: tiles, or
 * with TALLY_TILE_PARTS the spans that a group has at a time. Launches, by phase:
 *
 *   TOTALS  publishes what each tile comes to, or of parts what each span does
 *   SPINE   turns what tiles come to into what comes before each in its stretch, or what spans come
 *           to into what comes before each in its tile, and adds what comes before each stretch
 *   APPLY   writes pieces, of which what comes before is known
 *   FOLLOW  writes pieces, and folds what all before each came to by itself: there is no spine
 *
 * Either TOTALS, SPINE, APPLY; or, of columns that are not so long, TOTALS and FOLLOW.
 * All but SPINE are the walk down a piece. What writes begins with what TOTALS read last, which
 * some cache may still have.
 *
 * The scratch has plain terms, TALLY_PACK for each work-item of a strip, whether there are columns
 * for them or not: a.columns rounded up to whole strips. From a.words on: those of each tile, or of
 * each span; from a.stretches on of each stretch.
 */
#define TALLY_WALK_ARGUMENTS                                                                       \
    __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,                                 \
        const tally_scan_columns_args a, __global tally_term *words

#define TALLY_SPANS (TALLY_SPANS_AT_ONCE > 1 ? TALLY_SPANS_AT_ONCE : 1)
#define TALLY_SLICES(a) (TALLY_SPANS * TALLY_RUN)
#define TALLY_TEAM_WIDTH(a) (TALLY_GROUP / TALLY_SLICES(a))
#define TALLY_PIECE(a) (TALLY_TILE_PARTS ? TALLY_SPANS * TALLY_SPAN : TALLY_TILE)
#define TALLY_PIECES(a) (((tally_index)(a).terms - 1) / TALLY_PIECE(a) + 1)

/* Rows of words of a piece, and of a tile. */
#define TALLY_PIECE_WORDS (TALLY_TILE_PARTS ? TALLY_SPANS : 1)
#define TALLY_TILE_WORDS (TALLY_TILE_PARTS ? TALLY_RUN : 1)

#if TALLY_PHASE == TALLY_SPINE
/* A unit is columns side by side, all the way down. */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_WALK_ARGUMENTS) {
    __local tally_term totals[TALLY_GROUP];
    const tally_index units = (tally_index)a.head.units;
    const uint strip_width = (uint)a.team_width * TALLY_PACK;
    const tally_index rows = TALLY_PIECES(a) * TALLY_PIECE_WORDS;
    const tally_index count = ((tally_index)a.terms - 1) / (TALLY_TILE / TALLY_TILE_WORDS) + 1;
    const tally_index columns =
        ((tally_index)a.columns + strip_width - 1) / strip_width * strip_width;
    const tally_index blocks = (columns + TALLY_SPINE_COLUMNS - 1) / TALLY_SPINE_COLUMNS;
    const tally_index stretches = (tally_index)a.stretches_per_row;
    words += a.words;
    for (tally_index unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const tally_index column =
            unit % blocks * TALLY_SPINE_COLUMNS + get_local_id(0) % TALLY_SPINE_COLUMNS;
        TALLY_FN(fold_lines)(words + unit / blocks * rows * columns + column,
                             words + a.stretches + unit / blocks * stretches * columns + column,
                             columns, count, TALLY_TILE_WORDS, TALLY_SPINE_COLUMNS,
                             false, column < columns, totals);
    }
}

#else
#define TALLY_PUBLISHES (TALLY_PHASE == TALLY_TOTALS)
#define TALLY_LAST_FIRST (!TALLY_PUBLISHES)

/* Where a work-item's words of a row begin. */
#define TALLY_WORDS_AT(row)                                                                        \
    (words + a.words + column + position.x * TALLY_PACK +                                          \
     (outer * pieces * TALLY_PIECE_WORDS + (row)) * (strips * strip_width))

#if TALLY_PHASE == TALLY_TOTALS
static void TALLY_FN(publish)(__global tally_term *words, const tally_term *total) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        words[v] = total[v];
}

#define TALLY_LOOK_UP
#define TALLY_PUBLISH_SPAN                                                                         \
    if (TALLY_TILE_PARTS && slice % TALLY_RUN == 0)                                                \
        TALLY_FN(publish)(TALLY_WORDS_AT(piece * TALLY_PIECE_WORDS + own), span);
#define TALLY_PUBLISH_UNIT                                                                         \
    if (!TALLY_TILE_PARTS && slice == 0)                                                           \
        TALLY_FN(publish)(TALLY_WORDS_AT(piece), TALLY_EXACT ? before.spans : before.tiles);

#else
#define TALLY_PUBLISH_SPAN
#define TALLY_PUBLISH_UNIT

/* What comes before a piece: where combining is exact all of it is in spans. */
static void TALLY_FN(set_before)(uint v, tally_term stretches, tally_term tiles, tally_term spans,
                                 TALLY_FN(levels) *before) {
    before->stretches[v] = stretches;
    before->tiles[v] = tiles;
    before->spans[v] =
        TALLY_EXACT ? tally_combine_terms(stretches, tally_combine_terms(tiles, spans)) : spans;
}
#endif

#if TALLY_PHASE == TALLY_APPLY
#define TALLY_LOOK_UP                                                                              \
    const tally_index row = piece * TALLY_PIECE_WORDS, tile = row / TALLY_TILE_WORDS;              \
    TALLY_FN(look_up)(words + a.words + a.stretches + column + position.x * TALLY_PACK +           \
                          (outer * (tally_index)a.stretches_per_row + tile / TALLY_TILES) *        \
                              (strips * strip_width),                                              \
                      TALLY_WORDS_AT(tile * TALLY_TILE_WORDS), TALLY_WORDS_AT(row), &before);
static void TALLY_FN(look_up)(__global const tally_term *stretch_at,
                              __global const tally_term *tile_at,
                              __global const tally_term *span_at, TALLY_FN(levels) *before) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        tally_term spans = TALLY_IDENTITY;
        if (TALLY_TILE_PARTS && span_at != tile_at)
            spans = span_at[v];
        TALLY_FN(set_before)(v, stretch_at[v], tile_at[v], spans, before);
    }
}

#elif TALLY_PHASE == TALLY_FOLLOW
/*
 * In past is what comes before a piece, a row of the strip's columns each: first the tiles, then
 * the spans since. A stretch's total is kept at that of its first tile.
 */
#define TALLY_LOOK_UP                                                                              \
    const uint rows = (uint)piece * TALLY_PIECE_WORDS;                                             \
    __local tally_term *own_past = past + position.x * TALLY_PACK;                                 \
    TALLY_FN(gather)(TALLY_WORDS_AT(0), strips * strip_width, rows, slice, slices, strip_width,    \
                     own_past);                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(fold_stretches)(rows / TALLY_TILE_WORDS, slice, slices, strip_width, own_past);       \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(take)(rows, strip_width, own_past, &before);

/* Totals that a work-item has under way: it has a run of terms as well. */
#define TALLY_TOTALS_ABREAST 8

/* What a tile came to, from a column's words of it. */
static tally_term TALLY_FN(fold_words)(__global const tally_term *words, tally_index pitch) {
    tally_term sum = TALLY_IDENTITY;
#pragma unroll 1
    for (uint first = 0; first < TALLY_TILE_WORDS; first += TALLY_TOTALS_ABREAST) {
        tally_term total[TALLY_TOTALS_ABREAST];
#pragma unroll
        for (uint k = 0; k < TALLY_TOTALS_ABREAST; k++)
            total[k] = words[(first + k) * pitch];
#pragma unroll
        for (uint k = 0; k < TALLY_TOTALS_ABREAST; k++)
            sum = tally_combine_terms(sum, total[k]);
    }
    return sum;
}

/* Bring what all before a piece came to, so many rows of words. */
static void TALLY_FN(gather)(__global const tally_term *words, tally_index pitch, uint rows,
                             uint slice, uint slices, uint width, __local tally_term *past) {
    const uint tiles = rows / TALLY_TILE_WORDS;
    for (uint tile = slice; tile < tiles; tile += slices)
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            past[tile * width + v] =
                TALLY_TILE_PARTS
                    ? TALLY_FN(fold_words)(words + tile * TALLY_TILE_WORDS * pitch + v, pitch)
                    : words[tile * pitch + v];
    for (uint span = slice; span < rows % TALLY_TILE_WORDS; span += slices)
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            past[(tiles + span) * width + v] = words[(tiles * TALLY_TILE_WORDS + span) * pitch + v];
}

/* Fold values of a column, pitch apart; several are loaded before the first is combined. */
static tally_term TALLY_FN(fold_past)(__local const tally_term *past, uint pitch, uint count) {
    const tally_term none = TALLY_IDENTITY;
    tally_term sum = none;
    for (uint first = 0; first < count; first += TALLY_TOTALS_ABREAST) {
        tally_term value[TALLY_TOTALS_ABREAST];
#pragma unroll
        for (uint k = 0; k < TALLY_TOTALS_ABREAST; k++) {
            const tally_term there = past[min(first + k, count - 1) * pitch];
            value[k] = first + k < count ? there : none;
        }
#pragma unroll
        for (uint k = 0; k < TALLY_TOTALS_ABREAST; k++)
            sum = tally_combine_terms(sum, value[k]);
    }
    return sum;
}

/* What each stretch before a tile came to, and the tiles since, if there are any. */
static void TALLY_FN(fold_stretches)(uint tiles, uint slice, uint slices, uint width,
                                     __local tally_term *past) {
    for (uint first = slice * TALLY_TILES; first < tiles; first += slices * TALLY_TILES)
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            past[first * width + v] = TALLY_FN(fold_past)(past + first * width + v, width,
                                                          min((uint)TALLY_TILES, tiles - first));
}

static void TALLY_FN(take)(uint rows, uint width, __local const tally_term *past,
                           TALLY_FN(levels) *before) {
    const tally_term none = TALLY_IDENTITY;
    const uint tiles = rows / TALLY_TILE_WORDS, since = tiles % TALLY_TILES;
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        const tally_term stretches =
            TALLY_FN(fold_past)(past + v, TALLY_TILES * width, tiles / TALLY_TILES);
        TALLY_FN(set_before)(v, stretches, since > 0 ? past[(tiles - since) * width + v] : none,
                             TALLY_FN(fold_past)(past + tiles * width + v, width,
                                                 rows % TALLY_TILE_WORDS),
                             before);
    }
}
#endif
#endif
