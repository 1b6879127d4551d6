/*
 * Lines of terms beside each other in memory: of the innermost swept axes, one for each coordinate
 * of the next axis, which is the nearest. A unit is a piece of some of them, TALLY_LINES_AT_ONCE at
 * most, and has the blocks that begin in it. So it goes on behind the piece, and behind the line,
 * to the last one's end. Positions are counted from the piece's first term of each line on.
 */
#if TALLY_LINES_AT_ONCE
/* Lines that a work-item has: a pack of a group's, or all. */
#define TALLY_LINES_TOGETHER (TALLY_GROUP > 1 ? TALLY_PACK : TALLY_LINES_AT_ONCE)

/*
 * A piece of lines; line: the first one; from: the piece's first term of it; left: how many there
 * are from there to the lines' ends.
 */
typedef struct {
    tally_index output, line, from;
    uint terms, left, lines;
} TALLY_FN(piece);

/* The n-th so many lines of a unit. */
static TALLY_FN(piece) TALLY_FN(find)(const TALLY_ARGS a, tally_index unit, uint n) {
    const tally_index line_terms = (tally_index)a.line_terms, lines = (tally_index)a.lines;
    const tally_index piece_terms = (tally_index)a.piece_terms, terms = (tally_index)a.terms;
    const tally_index pieces = (line_terms + piece_terms - 1) / piece_terms;
    const tally_index strips = (lines + TALLY_LINES_AT_ONCE - 1) / TALLY_LINES_AT_ONCE;
    const tally_index strip = unit / pieces, all = strip / strips;
    const tally_index line =
        (strip - all * strips) * TALLY_LINES_AT_ONCE + n * TALLY_LINES_TOGETHER;
    const tally_index outer = terms / (line_terms * lines);
    const tally_index first = (unit - strip * pieces) * piece_terms;
    TALLY_FN(piece) piece;
    piece.output = all / outer;
    piece.line = line < lines ? line : 0;
    piece.from = ((all - piece.output * outer) * lines + piece.line) * line_terms + first;
    piece.terms = (uint)(min(first + piece_terms, line_terms) - first);
    piece.left = (uint)min(line_terms - first, (tally_index)INT_MAX);
    piece.lines = (uint)min(lines - min(line, lines), (tally_index)TALLY_LINES_TOGETHER);
    return piece;
}

/* Where the k-th line's first block begins in the piece, and where the last one of these ends. */
static uint TALLY_FN(begin)(const TALLY_ARGS a, const TALLY_FN(piece) *piece, uint k) {
    return (uint)(0 - (piece->from + k * (tally_index)a.line_terms)) % TALLY_BLOCK;
}

static uint TALLY_FN(end)(const TALLY_ARGS a, const TALLY_FN(piece) *piece, uint k) {
    const tally_index from = piece->from + k * (tally_index)a.line_terms;
    const uint whole = piece->terms + (uint)(0 - (from + piece->terms)) % TALLY_BLOCK;
    return (uint)min((tally_index)whole, (tally_index)a.terms - from);
}

/* Where a block of the k-th line begins or ends next, from its first one on; ~0u: nowhere. */
static uint TALLY_FN(first_border)(const TALLY_ARGS a, const TALLY_FN(piece) *piece, uint k) {
    const uint begin = TALLY_FN(begin)(a, piece, k);
    return k < piece->lines && begin < TALLY_FN(end)(a, piece, k) ? begin : ~0u;
}

static uint TALLY_FN(next_border)(const TALLY_ARGS a, const TALLY_FN(piece) *piece, uint k,
                                  uint border) {
    const uint end = TALLY_FN(end)(a, piece, k);
    return border < end ? min(border + TALLY_BLOCK, end) : ~0u;
}
#endif
