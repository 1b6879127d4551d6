/*
 * Units of long lines that are too few for all cores: a unit of lines is cut into a.unit_pieces
 * pieces, which begin at tiles. Launches, by phase:
 *
 *   TOTALS  what the tiles before the last piece come to: a work-item has a share of them, of as
 *           many shares as there are pieces
 *   APPLY   a work-item scans a piece, beginning with what all tiles before it come to
 *
 * What lies before the last piece is read twice, for which all cores work. In place is right: the
 * first launch writes no result. The scratch has a.tile_terms terms for each tile of each unit,
 * from a.words on: whole vectors of the unit's lines. Without a phase a unit is not cut.
 */
#if TALLY_PHASE == 0
#define TALLY_WORDS_PARAMETER
#define TALLY_PIECE_OF(a, number)                                                                  \
    { number, 0, (tally_index)(a).terms }

/* A unit's number, and the terms of its lines to visit. */
typedef struct {
    tally_index unit, begin, end;
} TALLY_FN(piece);

#else
#define TALLY_WORDS_PARAMETER , __global tally_term *words
#define TALLY_PIECE_OF(a, number)                                                                  \
    TALLY_FN(find_piece)((number), (tally_index)(a).terms, (tally_index)(a).unit_pieces,           \
                         (tally_index)(a).tiles_per_row, (tally_index)(a).tile_terms,              \
                         words + (a).words)

/* A piece, or a share of tiles; told: what the unit's first tile comes to, and the next ones do. */
typedef struct {
    tally_index unit, begin, end;
    tally_index pitch; /* from a tile's terms to the next tile's */
    __global tally_term *told;
} TALLY_FN(piece);

/* The tile that a piece begins with, or a share of so many tiles. */
static tally_index TALLY_FN(cut)(tally_index tiles, tally_index piece, tally_index pieces) {
    return (tally_index)((ulong)tiles * piece / pieces);
}

static TALLY_FN(piece) TALLY_FN(find_piece)(tally_index number, tally_index terms,
                                            tally_index pieces, tally_index tiles,
                                            tally_index pitch, __global tally_term *words) {
    const tally_index unit = number / pieces, at = number % pieces;
    const tally_index shared =
        TALLY_PHASE == TALLY_TOTALS ? TALLY_FN(cut)(tiles, pieces - 1, pieces) : tiles;
    TALLY_FN(piece)
    piece = {unit, TALLY_FN(cut)(shared, at, pieces) * TALLY_TILE,
             min(TALLY_FN(cut)(shared, at + 1, pieces) * TALLY_TILE, terms), pitch,
             words + unit * tiles * pitch};
    return piece;
}
#endif

#if TALLY_PHASE == TALLY_TOTALS
/*
 * A run's total goes to what is complete of its tile, of a vector of the unit's lines from this one
 * on; the next run begins with the i-th term.
 */
TALLY_INLINE void TALLY_FN(add_run)(const TALLY_FN(piece) * piece, uint line, tally_index i,
                                    tally_terms run, tally_terms *runs, tally_terms *spans) {
    *runs = tally_combine_all_terms(*runs, run);
    if (i % TALLY_SPAN != 0)
        return;
    *spans = tally_combine_all_terms(*spans, *runs);
    *runs = tally_identity_all();
    if (i % TALLY_TILE != 0)
        return;
    TALLY_VSTORE(*spans, 0, piece->told + (i / TALLY_TILE - 1) * piece->pitch + line);
    *spans = tally_identity_all();
}
#elif TALLY_PHASE == TALLY_APPLY
/* What is complete before a piece, of a vector of the unit's lines from this one on. */
TALLY_INLINE void TALLY_FN(fold_tiles)(const TALLY_FN(piece) * piece, uint line,
                                       tally_terms *stretches, tally_terms *tiles) {
    __global const tally_term *told = piece->told + line;
    for (tally_index i = 0; i < piece->begin; i += TALLY_TILE, told += piece->pitch) {
        *tiles = tally_combine_all_terms(*tiles, TALLY_VLOAD(0, told));
        if ((i + TALLY_TILE) % TALLY_STRETCH != 0)
            continue;
        *stretches = tally_combine_all_terms(*stretches, *tiles);
        *tiles = tally_identity_all();
    }
}
#endif
