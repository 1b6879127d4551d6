/*
 * What groups that share a long row publish to each other: totals of complete parts of the row, in
 * words. A word holds bits of a value and above them a tag, so that one store publishes both and
 * nobody needs a fence. Groups of several launches publish to each other in the scratch, whose
 * words are all written before they are read. Those of one launch do so in a board of the
 * operator's: the tag is the launch's number, so that nothing is cleared: each launch writes all
 * words that it looks for.
 *
 *   spans      of each span its total, where a unit is less than a tile
 *   tiles      of each tile its total
 *   stretches  of each stretch its total
 *   prefixes   of each stretch the fold of all up to and with it
 *
 * A unit publishes its own totals before it looks at any other's; the one that ends a tile or a
 * stretch publishes that one's total as soon as it has the others. What comes before a stretch is
 * an inclusive prefix and the totals of at most TALLY_CHAIN_WINDOW stretches since, so that nobody
 * waits for the one just before to have waited. All of it is folded in order, whoever comes when.
 *
 * Waits are bounded: nothing can stop a kernel that runs. A group that has reached its spin limit
 * leaves its unit as it is and marks it; the closing group, the last to have looked, writes what is
 * marked.
 *
 * A unit is what the file before this one says: TALLY_UNIT terms of each of TALLY_MERGED columns,
 * so TALLY_SPANS spans, a power of two, and a tile at most. Stretches of many columns take longer,
 * so fewer are on their way.
 */
#define TALLY_CHAIN_WINDOW (TALLY_MERGED < 8 ? TALLY_WINDOW / TALLY_MERGED : TALLY_WINDOW / 8)
#define TALLY_TILE_UNITS (TALLY_TILE / TALLY_UNIT)

#if TALLY_WORD_BYTES == 8
#define TALLY_WORD ulong
#define TALLY_PART_BITS 32
#else
#define TALLY_WORD uint
#define TALLY_PART_BITS 16
#endif
#if TALLY_STATE_BYTES == 8
#define TALLY_TERM_BITS ulong
#else
#define TALLY_TERM_BITS uint
#endif
#define TALLY_WORD_PARTS (TALLY_STATE_BYTES * 8 / TALLY_PART_BITS)
#define TALLY_VALUE_BITS (((TALLY_WORD)1 << TALLY_PART_BITS) - 1)

/* The tag of a launch's words, in its place. */
#define TALLY_TAG(a) ((TALLY_WORD)(a).tag << TALLY_PART_BITS)

#define TALLY_CHAIN_ARGUMENTS                                                                      \
    __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out, const TALLY_ARGS a,             \
        __global TALLY_WORD *words TALLY_CARRY_PARAMETER

/* What comes before a row of columns, of the work-item's column. */
#define TALLY_CARRIED_COLUMN(a, row)                                                               \
    TALLY_CARRIED(a, (row) * TALLY_MERGED + get_local_id(0) % TALLY_MERGED)

/* Values that a work-item loads before it combines the first; more took time of narrow elements. */
#define TALLY_ABREAST (TALLY_BYTES < 4 ? 4 : 16)

/* Words of a part, those of its columns, and where a row's parts of a level begin. */
#define TALLY_PART_WORDS (TALLY_MERGED * TALLY_WORD_PARTS)
#define TALLY_SPANS_AT(words, a, row)                                                              \
    ((words) + (a).spans + (row) * (a).tiles_per_row * (TALLY_RUN * TALLY_PART_WORDS))
#define TALLY_TILES_AT(words, a, row)                                                              \
    ((words) + (a).tiles + (row) * (a).tiles_per_row * TALLY_PART_WORDS)
#define TALLY_STRETCHES_AT(words, a, row)                                                          \
    ((words) + (a).stretches + (row) * (a).stretches_per_row * TALLY_PART_WORDS)
#define TALLY_PREFIXES_AT(words, a, row)                                                           \
    ((words) + (a).prefixes + (row) * (a).stretches_per_row * TALLY_PART_WORDS)

static void TALLY_FN(publish)(__global TALLY_WORD *words, uint column, TALLY_WORD tag,
                              tally_term term) {
    union {
        tally_term term;
        TALLY_TERM_BITS bits;
    } value = {term};
    volatile __global TALLY_WORD *word = words + column * TALLY_WORD_PARTS;
#pragma unroll
    for (uint part = 0; part < TALLY_WORD_PARTS; part++)
        word[part] =
            tag | ((TALLY_WORD)(value.bits >> (part * TALLY_PART_BITS)) & TALLY_VALUE_BITS);
}

/* Whether a value is there, and then which. */
static bool TALLY_FN(look)(__global const TALLY_WORD *words, uint column, TALLY_WORD tag,
                           tally_term *term) {
    union {
        TALLY_TERM_BITS bits;
        tally_term term;
    } value = {0};
    volatile __global const TALLY_WORD *word = words + column * TALLY_WORD_PARTS;
    bool there = true;
#pragma unroll
    for (uint part = 0; part < TALLY_WORD_PARTS; part++) {
        const TALLY_WORD seen = word[part];
        there = there && (seen & ~TALLY_VALUE_BITS) == tag;
        value.bits |= (TALLY_TERM_BITS)(seen & TALLY_VALUE_BITS) << (part * TALLY_PART_BITS);
    }
    *term = value.term;
    return there;
}

#define TALLY_FOLLOWED TALLY_FOLLOWED_STRETCHES(TALLY_STATE_BYTES, TALLY_MERGED)

/* Where the tiles of a stretch begin in local memory: neighbours' meet different banks. */
#define TALLY_STRETCH_AT(stretch) ((stretch) * (TALLY_TILES * TALLY_MERGED + 1))

/*
 * Local memory of a group that looks back. All that it knows of its unit from one barrier to the
 * next is here and in the arguments: PoCL 3.1 lost what work-items had in variables.
 */
typedef struct {
    tally_term spans[TALLY_RUN * TALLY_MERGED]; /* values told, by part and column */
#if TALLY_PHASE == TALLY_FOLLOW
    tally_term tiles[TALLY_STRETCH_AT(TALLY_FOLLOWED)];
    tally_term totals[TALLY_FOLLOWED * TALLY_MERGED]; /* of stretches, and of the tiles since */
#else
    tally_term tiles[TALLY_TILES * TALLY_MERGED];
    tally_term stretches[TALLY_CHAIN_WINDOW * TALLY_MERGED];
    tally_term prefix[TALLY_MERGED];
    tally_term total[TALLY_MERGED]; /* of the tile, then of the stretch, up to and with the unit */
#endif
    uint job, terms, gave_up; /* no terms: there is nothing to do */
    uint looked;              /* what the count of units that were looked for was before it */
} TALLY_FN(past);

/* Bring values of parts that lie one after the other, count in all. */
static void TALLY_FN(gather)(__global const TALLY_WORD *words, uint count, TALLY_WORD tag,
                             uint spin_limit, __local tally_term *values, __local uint *gave_up) {
    for (uint k = get_local_id(0); k < count; k += TALLY_GROUP) {
        tally_term term;
        bool there = TALLY_FN(look)(words, k, tag, &term);
        for (uint tries = 0; tries < spin_limit && !there; tries++)
            there = TALLY_FN(look)(words, k, tag, &term);
        if (!there)
            *gave_up = 1;
        values[k] = term;
    }
}

/*
 * Fold a column's values onto sum; several are loaded before the first is combined. A group waits
 * for this chain of combinations, so nothing else is in it: what is not there is the identity.
 */
static tally_term TALLY_FN(fold_values)(tally_term sum, __local const tally_term *values,
                                        uint count, uint column) {
    const tally_term none = TALLY_IDENTITY;
    for (uint first = 0; first < count; first += TALLY_ABREAST) {
        tally_term value[TALLY_ABREAST];
#pragma unroll
        for (uint k = 0; k < TALLY_ABREAST; k++) {
            const tally_term there = values[min(first + k, count - 1) * TALLY_MERGED + column];
            value[k] = first + k < count ? there : none;
        }
#pragma unroll
        for (uint k = 0; k < TALLY_ABREAST; k++)
            sum = tally_combine_terms(sum, value[k]);
    }
    return sum;
}

/* Of the unit at hand: its position in the row, whether it publishes, and what it ends. */
#define TALLY_ROW_OF(past, a) ((past)->job % (uint)TALLY_CHAINS(a))
#define TALLY_UNIT_OF(past, a) ((past)->job / (uint)TALLY_CHAINS(a))
#define TALLY_TILE_OF(past, a) (TALLY_UNIT_OF(past, a) / TALLY_TILE_UNITS)
#define TALLY_SPAN_OF(past, a) (TALLY_UNIT_OF(past, a) % TALLY_TILE_UNITS * TALLY_SPANS)
#define TALLY_PUBLISHES(past) (TALLY_CARRY == TALLY_CARRY_LOOK_BACK && (past)->terms == TALLY_UNIT)
#define TALLY_ENDS_TILE(past, a)                                                                   \
    (TALLY_PUBLISHES(past) && TALLY_SPAN_OF(past, a) + TALLY_SPANS == TALLY_RUN)
#define TALLY_ENDS_STRETCH(past, a)                                                                \
    (TALLY_ENDS_TILE(past, a) && TALLY_TILE_OF(past, a) % TALLY_TILES == TALLY_TILES - 1)

/* Publish the totals of a whole unit: of its spans, or if it is a tile its total. */
#define TALLY_PUBLISH(words, a, past, spans)                                                       \
    TALLY_FN(publish_own)(TALLY_UNIT < TALLY_TILE                                                  \
                       ? TALLY_SPANS_AT(words, a, TALLY_ROW_OF(past, a)) +                         \
                             (TALLY_TILE_OF(past, a) * TALLY_RUN + TALLY_SPAN_OF(past, a)) *       \
                                 TALLY_PART_WORDS                                                  \
                       : TALLY_TILES_AT(words, a, TALLY_ROW_OF(past, a)) +                         \
                             TALLY_TILE_OF(past, a) * TALLY_PART_WORDS,                            \
                   TALLY_PUBLISHES(past), TALLY_TAG(a), spans)
static void TALLY_FN(publish_own)(__global TALLY_WORD *own, bool publishes, TALLY_WORD tag,
                           __local const tally_term *spans) {
    const uint item = get_local_id(0);
#if TALLY_UNIT < TALLY_TILE
    for (uint k = item; publishes && k < TALLY_SPANS * TALLY_MERGED; k += TALLY_GROUP)
        TALLY_FN(publish)(own + k % TALLY_SPANS * TALLY_PART_WORDS, k / TALLY_SPANS, tag, spans[k]);
#else
    if (publishes && item < TALLY_MERGED) {
        tally_term total = TALLY_IDENTITY;
#pragma unroll
        for (uint span = 0; span < TALLY_SPANS; span++)
            total = tally_combine_terms(total, spans[item * TALLY_SPANS + span]);
        TALLY_FN(publish)(own, item, tag, total);
    }
#endif
}

/*
 * The steps of finding what comes before a unit, with a barrier behind each: of its tile, which
 * goes into spans; of its stretch, into tiles; of its row, into stretches. A unit that ends a tile
 * or a stretch publishes that one's total on the way, before it looks for what would make each wait
 * for the one before. Where rows are short (TALLY_FOLLOW) all tiles before a unit are looked for at
 * once, and stretches are told by nobody.
 */
#define TALLY_LOOK_FOR_SPANS(words, a, past, spin_limit)                                           \
    TALLY_FN(gather)(TALLY_SPANS_AT(words, a, TALLY_ROW_OF(past, a)) +                             \
                         TALLY_TILE_OF(past, a) * (TALLY_RUN * TALLY_PART_WORDS),                  \
                     TALLY_SPAN_OF(past, a) * TALLY_MERGED, TALLY_TAG(a), spin_limit, (past)->spans, \
                     &(past)->gave_up)

/* The first two steps; what tiles are looked for is for look_for_tiles to know. */
#define TALLY_LOOK_FOR_TILES(words, a, past, spin_limit, spans)                                    \
    TALLY_LOOK_FOR_SPANS(words, a, past, spin_limit);                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(look_for_tiles)(TALLY_TILES_AT(words, a, TALLY_ROW_OF(past, a)), TALLY_TAG(a),        \
                             TALLY_TILE_OF(past, a), TALLY_SPAN_OF(past, a),                       \
                             TALLY_ENDS_TILE(past, a), spin_limit, spans, past);                   \
    barrier(CLK_LOCAL_MEM_FENCE);

/* Combine the spans before a unit with its own, each of which becomes what comes before it. */
static tally_term TALLY_FN(end_spans)(__global TALLY_WORD *at_tile, TALLY_WORD tag, uint span,
                                      bool ends_tile, __local tally_term *spans,
                                      __local const TALLY_FN(past) *past) {
    const uint item = get_local_id(0);
    const tally_term before = TALLY_FN(fold_values)(TALLY_IDENTITY, past->spans, span, item);
    const tally_term total = TALLY_FN(fold_spans)(before, spans, item);
    if (TALLY_UNIT < TALLY_TILE && ends_tile && !past->gave_up)
        TALLY_FN(publish)(at_tile, item, tag, total);
    return total;
}

#if TALLY_PHASE != TALLY_FOLLOW
static void TALLY_FN(look_for_tiles)(__global TALLY_WORD *at_tiles, TALLY_WORD tag, uint tile,
                                     uint span, bool ends_tile, uint spin_limit,
                                     __local tally_term *spans,
                                     __local TALLY_FN(past) *past) {
    const uint item = get_local_id(0), behind = tile % TALLY_TILES;
    if (item < TALLY_MERGED)
        past->total[item] = TALLY_FN(end_spans)(at_tiles + tile * TALLY_PART_WORDS, tag, span,
                                                ends_tile, spans, past);
    TALLY_FN(gather)(at_tiles + (tile - behind) * TALLY_PART_WORDS, behind * TALLY_MERGED, tag,
                     spin_limit, past->tiles, &past->gave_up);
}

static void TALLY_FN(look_for_stretches)(__global TALLY_WORD *at_stretches,
                                         __global const TALLY_WORD *at_prefixes, TALLY_WORD tag,
                                         uint tile, bool ends_stretch, uint spin_limit,
                                         __local tally_term *tiles,
                                         __local TALLY_FN(past) *past) {
    const uint item = get_local_id(0), stretch = tile / TALLY_TILES;
    const uint since = min(stretch, (uint)TALLY_CHAIN_WINDOW), first = stretch - since;
    if (item < TALLY_MERGED) {
        tiles[item] =
            TALLY_FN(fold_values)(TALLY_IDENTITY, past->tiles, tile % TALLY_TILES, item);
        past->total[item] = tally_combine_terms(tiles[item], past->total[item]);
        if (ends_stretch && !past->gave_up)
            TALLY_FN(publish)(at_stretches + stretch * TALLY_PART_WORDS, item, tag,
                              past->total[item]);
    }
    TALLY_FN(gather)(at_prefixes + (first > 0 ? first - 1 : 0) * TALLY_PART_WORDS,
                     first > 0 ? TALLY_MERGED : 0, tag, spin_limit, past->prefix, &past->gave_up);
    TALLY_FN(gather)(at_stretches + first * TALLY_PART_WORDS, since * TALLY_MERGED, tag, spin_limit,
                     past->stretches, &past->gave_up);
}

static void TALLY_FN(end_look)(__global TALLY_WORD *at_prefixes, TALLY_WORD tag, uint tile,
                               bool ends_stretch, tally_term carried,
                               __local tally_term *stretches, __local TALLY_FN(past) *past) {
    const uint item = get_local_id(0), stretch = tile / TALLY_TILES;
    if (item < TALLY_MERGED) {
        const tally_term prefix = past->prefix[item];
        stretches[item] = TALLY_FN(fold_values)(stretch > TALLY_CHAIN_WINDOW ? prefix : carried,
                                                past->stretches,
                                                min(stretch, (uint)TALLY_CHAIN_WINDOW), item);
        if (ends_stretch && !past->gave_up)
            TALLY_FN(publish)(at_prefixes + stretch * TALLY_PART_WORDS, item, tag,
                              tally_combine_terms(stretches[item], past->total[item]));
    }
}

#define TALLY_LOOK_BY_LEVELS(words, a, past, spin_limit, spans, tiles, stretches)                  \
    TALLY_LOOK_FOR_TILES(words, a, past, spin_limit, spans)                                        \
    TALLY_FN(look_for_stretches)(TALLY_STRETCHES_AT(words, a, TALLY_ROW_OF(past, a)),              \
                                 TALLY_PREFIXES_AT(words, a, TALLY_ROW_OF(past, a)), TALLY_TAG(a), \
                                 TALLY_TILE_OF(past, a), TALLY_ENDS_STRETCH(past, a), spin_limit,  \
                                 tiles, past);                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(end_look)(TALLY_PREFIXES_AT(words, a, TALLY_ROW_OF(past, a)), TALLY_TAG(a),           \
                       TALLY_TILE_OF(past, a), TALLY_ENDS_STRETCH(past, a),                        \
                       TALLY_CARRIED_COLUMN(a, TALLY_ROW_OF(past, a)), stretches, past);           \
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
