/*
 * A scan along contiguous rows on a CPU, or of few columns that lie as one. A work-item walks a
 * line from end to end: a unit is a line, and a work-item takes a.grain of them in one go. Few long
 * lines are cut into a piece more than there are work-items for each, at tiles, the first half as
 * long as the others. Launches, by phase:
 *
 *   PASS    a work-item scans the first piece of a line, or says of another one but the last what
 *           its tiles come to; that takes less time
 *   APPLY   a work-item scans one of the other pieces, beginning with what all tiles before it
 *           come to
 *
 * Half the line and some is read twice, for which all cores work on it. A unit is a piece,
 * a.line_pieces of each line. In place is right: PASS writes where no other unit of it reads.
 *
 * The scratch has a term for each tile of each column, from a.words on.
 */
#if TALLY_PHASE == TALLY_PASS
/* What the tiles from begin to end, which are whole ones, come to. */
TALLY_INLINE void TALLY_FN(skim_to)(const TALLY_FN(line) *line, tally_index begin, tally_index end,
                                    const bool back) {
    TALLY_FN(levels) before = TALLY_NO_LEVELS;
    for (tally_index i = begin; i < end; i += TALLY_BATCH) {
        tally_terms x[TALLY_RUN];
        TALLY_FN(level) total[TALLY_RUNS];
        TALLY_FN(read_line)(line, i, TALLY_BATCH, back, x);
        TALLY_FN(split)(TALLY_FN(fold_runs)(x), total);
#pragma unroll
        for (uint r = 0; r < TALLY_RUNS; r++)
            before.runs = TALLY_COMBINE_LEVELS(before.runs, total[r]);
        TALLY_FN(pass)(&before, (i + TALLY_BATCH) / TALLY_MERGED, line->tiles);
    }
}

static void TALLY_FN(skim)(const TALLY_FN(line) *line, tally_index begin, tally_index end) {
    if (line->back)
        TALLY_FN(skim_to)(line, begin, end, true);
    else
        TALLY_FN(skim_to)(line, begin, end, false);
}
#elif TALLY_PHASE == TALLY_APPLY
/* What is complete after so many tiles from a line's beginning. */
static void TALLY_FN(fold_tiles)(__global const tally_term *tiles, tally_index count,
                                 TALLY_FN(levels) *before) {
    for (tally_index tile = 0; tile < count; tile++, tiles += TALLY_MERGED) {
#if TALLY_MERGED == 1
        const tally_term total = *tiles;
#else
        tally_term each[TALLY_WIDTH];
        for (uint c = 0; c < TALLY_WIDTH; c++)
            each[c] = tiles[c % TALLY_MERGED];
        const tally_terms total = TALLY_VLOAD(0, each);
#endif
        TALLY_FN(pass_tile)(before, total, (tile + 1) % TALLY_TILES == 0);
    }
}
#endif

#if TALLY_PHASE == TALLY_STRETCHES
#define TALLY_WORDS_OF tally_term
#define TALLY_TILE_TOTAL(a, row, tile)                                                             \
    words[(tally_index)(a).words +                                                                 \
          ((row) / TALLY_MERGED * (tally_index)(a).tiles_per_row + (tile)) * TALLY_MERGED +        \
          (row) % TALLY_MERGED]

#else
/* What comes before a line, of a part that goes on from it. */
#if TALLY_PARTIAL == TALLY_PART_CARRIED
#define TALLY_CARRY_OF , carry + (tally_index)a.carry
#define TALLY_BEGIN_LEVELS(before, row) TALLY_FN(begin_levels)(before, carry + (row) * TALLY_MERGED)
static void TALLY_FN(begin_levels)(TALLY_FN(levels) *before, __global const tally_term *carry) {
#if TALLY_MERGED == 1
    before->stretches = *carry;
#else
    tally_term each[TALLY_WIDTH];
    for (uint c = 0; c < TALLY_WIDTH; c++)
        each[c] = carry[c % TALLY_MERGED];
    before->stretches = TALLY_VLOAD(0, each);
#endif
}
#else
#define TALLY_CARRY_OF
#define TALLY_BEGIN_LEVELS(before, row)
#endif

#if TALLY_PHASE != 0
/* The tile that a piece of a line begins with, of so many pieces besides the first. */
static tally_index TALLY_FN(cut)(tally_index tiles, tally_index piece, tally_index pieces) {
#if TALLY_PARTIAL == TALLY_PART_STATES
    return (tally_index)((ulong)tiles * piece / pieces); /* nobody writes the first one */
#else
    return piece == 0 ? 0 : (tally_index)((ulong)tiles * (2 * piece - 1) / (2 * pieces + 1));
#endif
}

static void TALLY_FN(do_unit)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                              const tally_scan_cpu_rows_args *a, tally_index unit,
                              __global tally_term *words TALLY_CARRY_PARAMETER) {
    const tally_index pieces = (tally_index)a->line_pieces, row = unit / pieces;
    const tally_index terms = (tally_index)a->terms, tiles = (tally_index)a->tiles_per_row;
    const tally_index piece = unit % pieces + (TALLY_PHASE == TALLY_APPLY ? 1 : 0);
    const tally_index first = TALLY_FN(cut)(tiles, piece, pieces);
    const tally_index begin = first * TALLY_TILE * TALLY_MERGED;
    const tally_index end =
        min(TALLY_FN(cut)(tiles, piece + 1, pieces) * TALLY_TILE, terms) * TALLY_MERGED;
    __global tally_term *told = words + row * tiles * TALLY_MERGED;
    TALLY_FN(levels) before = TALLY_NO_LEVELS;
    TALLY_BEGIN_LEVELS(&before, row);
#if TALLY_PHASE == TALLY_PASS
    const TALLY_FN(line) line = TALLY_LINE_OF(*a, row, told);
    if (((piece > 0) | (TALLY_PARTIAL == TALLY_PART_STATES)) != 0)
        TALLY_FN(skim)(&line, begin, end);
    else
        TALLY_FN(walk)(&line, 0, end, &before);
#else
    const TALLY_FN(line) line = TALLY_LINE_OF(*a, row, 0);
    TALLY_FN(fold_tiles)(told, first, &before);
    TALLY_FN(walk)(&line, begin, end, &before);
#endif
}
#define TALLY_WORDS , __global tally_term *words
#define TALLY_THEIRS words + a.words
#else
static void TALLY_FN(do_unit)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                              const tally_scan_cpu_rows_args *a, tally_index row,
                              __global tally_term *words TALLY_CARRY_PARAMETER) {
    const TALLY_FN(line) line = TALLY_LINE_OF(*a, row, words);
    TALLY_FN(levels) before = TALLY_NO_LEVELS;
    TALLY_BEGIN_LEVELS(&before, row);
    TALLY_FN(walk)(&line, 0, (tally_index)a->terms * TALLY_MERGED, &before);
}
#define TALLY_WORDS
#define TALLY_THEIRS 0
#endif

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_cpu_rows_args a TALLY_WORDS TALLY_CARRY_PARAMETER) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    TALLY_FOR_UNITS(unit, first, units, grain)
        TALLY_FN(do_unit)(in + a.head.in_offset, out + a.head.out_offset, &a, unit,
                          TALLY_THEIRS TALLY_CARRY_OF);
}
#endif
