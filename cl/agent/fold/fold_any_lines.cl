/*
 * A fold of terms whose neighbours in memory are far apart in the order: TALLY_LINES_AT_ONCE lines
 * of terms lie beside each other, and a group goes along a piece of all of them, TALLY_LANES terms
 * at a time, so that work-items which are neighbours read neighbours. It does the blocks that begin
 * in its piece of each line, and so goes on behind the piece, and behind the line, to the last
 * one's end. Terms have no indices here.
 *
 * Terms that are TALLY_LANES apart are one lane's, so a work-item has the same TALLY_WAYS lanes of
 * each block. Which they are depends on where in a line its blocks begin. That changes no halving:
 * combining is symmetric, and those lanes are half of all apart whatever they are rotated by.
 *
 * Groups loop over terms with uniform bounds, so every work-item meets every barrier.
 */
#if TALLY_LINES_AT_ONCE
#define TALLY_SIDES (TALLY_GROUP / TALLY_LINES_AT_ONCE) /* work-items of a line */
#define TALLY_WAYS (TALLY_LANES / TALLY_SIDES)

#if TALLY_CLOSING /* what the last kernel's groups hear of others is in its local memory */
#define TALLY_CLOSING_ROOM , __local tally_state *closing
#define TALLY_CLOSING_HEARD , closing
#else
#define TALLY_CLOSING_ROOM
#define TALLY_CLOSING_HEARD
#endif

/* The blocks of a piece of a line. */
typedef struct {
    tally_index output, from;        /* the piece's first term */
    tally_index begin, end, ends_at; /* of the block that comes next; of the last one */
} TALLY_FN(piece);

static TALLY_FN(piece) TALLY_FN(find)(const tally_fold_any_args a, tally_index unit, uint own) {
    const tally_index line_terms = (tally_index)a.line_terms, lines = (tally_index)a.lines;
    const tally_index piece_terms = (tally_index)a.piece_terms, terms = (tally_index)a.terms;
    const tally_index pieces = (line_terms + piece_terms - 1) / piece_terms;
    const tally_index strips = (lines + TALLY_LINES_AT_ONCE - 1) / TALLY_LINES_AT_ONCE;
    const tally_index strip = unit / pieces, all = strip / strips;
    const tally_index line = (strip - all * strips) * TALLY_LINES_AT_ONCE + own;
    const tally_index outer = terms / (line_terms * lines);
    const tally_index first = (unit - strip * pieces) * piece_terms;
    const tally_index behind = min(first + piece_terms, line_terms) - first;
    TALLY_FN(piece) piece;
    piece.output = all / outer;
    piece.from = ((all - piece.output * outer) * lines + min(line, lines - 1)) * line_terms + first;
    piece.begin = (piece.from + TALLY_BLOCK - 1) / TALLY_BLOCK * TALLY_BLOCK;
    piece.end = min(piece.begin + TALLY_BLOCK, terms);
    piece.ends_at = min((piece.from + behind + TALLY_BLOCK - 1) / TALLY_BLOCK * TALLY_BLOCK, terms);
    if (line >= lines)
        piece.ends_at = 0;
    return piece;
}

/* Combine a work-item's lanes by halving; they are the identity again. */
static tally_state TALLY_FN(halved)(tally_state *sum) {
#pragma unroll
    for (uint half_ways = TALLY_WAYS / 2; half_ways > 0; half_ways /= 2)
#pragma unroll
        for (uint j = 0; j < half_ways; j++)
            sum[j] = tally_combine(sum[j], sum[j + half_ways]);
    const tally_state all = sum[0];
#pragma unroll
    for (uint j = 0; j < TALLY_WAYS; j++)
        sum[j] = tally_identity();
    return all;
}

/* Those of a work-item's terms, from the first one on, before a border, or those behind it. */
static void TALLY_FN(add)(const tally_raw *raw, tally_index first, const TALLY_FN(piece) *piece,
                          bool is_behind, tally_index border, tally_state *sum) {
#pragma unroll
    for (uint j = 0; j < TALLY_WAYS; j++) {
        const tally_index term = first + j * TALLY_SIDES;
        const tally_compute x = tally_of_raw(raw[j]);
        if (term >= piece->begin && term < piece->ends_at && (term >= border) == is_behind)
            sum[j] = tally_take(sum[j], &x, 1, 0, 1);
    }
}

/*
 * The state of a line's block: its sides in left, each TALLY_LINES_AT_ONCE behind the one before,
 * combined by halving. One work-item combines them all: there are few, once in as many terms as a
 * block.
 */
static tally_state TALLY_FN(combine_sides)(__local tally_state *left) {
    for (uint half_sides = TALLY_SIDES / 2; half_sides > 0; half_sides /= 2)
        for (uint k = 0; k < half_sides; k++) {
            __local tally_state *own = left + k * TALLY_LINES_AT_ONCE;
            own[0] = tally_combine(own[0], own[half_sides * TALLY_LINES_AT_ONCE]);
        }
    return left[0];
}

/*
 * A unit: a piece of lines. What work-items have of a block goes to left, by turns to its halves.
 */
static void TALLY_FN(fold_lines)(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
                                 const tally_fold_any_args a, tally_index unit,
                                 __local tally_state *left TALLY_CLOSING_ROOM) {
    const uint item = get_local_id(0);
    const uint own_line = item % TALLY_LINES_AT_ONCE, side = item / TALLY_LINES_AT_ONCE;
    const tally_index steps =
        ((tally_index)a.piece_terms + TALLY_BLOCK + TALLY_LANES - 1) / TALLY_LANES;
    TALLY_FN(piece) piece = TALLY_FN(find)(a, unit, own_line);
    __global const TALLY_SOURCE *row = in + TALLY_ORIGIN(a, piece.output);
    tally_index at[TALLY_SWEPT_RANK], first = piece.from + side;
    tally_state sum[TALLY_WAYS];
    TALLY_FN(coordinates)(first, a, at);
    tally_index position = TALLY_FN(position_of)(a, at);
#pragma unroll
    for (uint j = 0; j < TALLY_WAYS; j++)
        sum[j] = tally_identity();
    for (tally_index s = 0; s < steps; s++) {
        tally_raw raw[TALLY_WAYS];
#pragma unroll
        for (uint j = 0; j < TALLY_WAYS; j++) {
            const tally_index term = first + j * TALLY_SIDES;
            const bool is_there = term >= piece.begin && term < piece.ends_at;
            raw[j] = ((__global const tally_raw *)row)[is_there ? position : 0];
            TALLY_FN(go_on)(a, TALLY_SIDES, at, &position);
        }
        const tally_index next = first - side + TALLY_LANES, block = piece.begin / TALLY_BLOCK;
        const bool ends = piece.end <= next && piece.begin < piece.ends_at;
        __local tally_state *own = left + (uint)(s % 2) * TALLY_GROUP;
        TALLY_FN(add)(raw, first, &piece, false, ends ? piece.end : next, sum);
        if (ends) {
            own[item] = TALLY_FN(halved)(sum);
            piece.begin = piece.end;
            TALLY_FN(add)(raw, first, &piece, true, piece.end, sum);
            piece.end = min(piece.begin + TALLY_BLOCK, piece.ends_at);
        }
        first += TALLY_LANES;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ends && side == 0)
            TALLY_PUT(out, a, piece.output, block, TALLY_FN(combine_sides)(own + own_line));
    }
}
#endif
