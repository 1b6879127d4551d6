/*
 * A fold on a CPU of terms whose neighbours in memory are far apart in the order: a work-item goes
 * along some lines of them beside each other (fold_lines.cl), a term of each at a time, in vectors.
 * Terms that are TALLY_LANES apart are one lane's, whatever line they are of, so the lanes of all
 * lines lie in rows, and a row of terms is combined with a row of them. Which lane of a block that
 * is depends on where in a line the block begins. That changes no halving: combining is symmetric,
 * and lanes that are combined are as far apart whatever all are rotated by.
 *
 * What a line adds up before its first block, and behind its last one, nobody asks for. Behind a
 * line its next one follows, whose terms are an element further: only the last line is done there
 * term by term. Nothing is read outside of the input.
 */
#define TALLY_LINE_VECTORS (TALLY_LINES_AT_ONCE / TALLY_WIDTH)
#define TALLY_ROWS_AHEAD 16

/* The lanes of all lines, and where in the piece a block of each ends that is under way. */
typedef struct {
    tally_states lane[TALLY_LANES][TALLY_LINE_VECTORS];
    uint border[TALLY_LINES_AT_ONCE];
    uint vectors; /* that have lines */
} TALLY_FN(lines);

/* A vector of lines takes its next terms. */
TALLY_INLINE void TALLY_FN(take)(tally_states *lane, tally_storeds x) {
    *lane = tally_combine_all(*lane, tally_single_all(tally_computes_of(x), 0));
}

/* The next rows of terms, from that lane on. */
static void TALLY_FN(add_rows)(__global const tally_stored *in, __global const tally_stored *end,
                               tally_index stride, uint first, uint count,
                               TALLY_FN(lines) *lines) {
    const uint vectors = lines->vectors, row = vectors * TALLY_WIDTH;
    const bool is_far = stride > 2 * row;
    for (uint r = 0; r < count; r++, in += stride) {
        tally_states *lane = lines->lane[first + r];
        if (is_far)
            for (uint c = 0; c < row; c += TALLY_CACHE_LINE / TALLY_BYTES)
                TALLY_PREFETCH(in + TALLY_ROWS_AHEAD * stride + c);
        if (end - in >= (long)row) {
            for (uint v = 0; v < vectors; v++)
                TALLY_FN(take)(lane + v, TALLY_BROUGHT(in + v * TALLY_WIDTH));
            continue;
        }
        tally_stored some[TALLY_LINES_AT_ONCE];
        TALLY_ONE_BY_ONE
        for (uint c = 0; c < row; c++)
            some[c] = in + c < end ? in[c] : 0;
        for (uint v = 0; v < vectors; v++)
            TALLY_FN(take)(lane + v, TALLY_STAGED(some + v * TALLY_WIDTH));
    }
}

/* The lanes of a line, which are the identity again. */
static void TALLY_FN(take_lanes)(TALLY_FN(lines) *lines, uint k, tally_state *lane) {
    tally_state *at = (tally_state *)lines->lane[0] + k;
    for (uint i = 0; i < TALLY_LANES; i++, at += TALLY_LINES_AT_ONCE) {
        lane[i] = *at;
        *at = tally_identity();
    }
}

/* Terms of a line one by one, from the first-th to the last of a block; at: the output's first. */
static void TALLY_FN(add_terms)(__global const TALLY_STORAGE *at, const TALLY_ARGS *a,
                                const TALLY_FN(piece) *piece, uint k, uint first, uint end,
                                tally_state *lane) {
    const tally_index from = piece->from + k * (tally_index)a->line_terms;
    for (uint i = first; i < end; i++) {
        const tally_index position =
            TALLY_OFFSET(TALLY_SWEPT_RANK, a->swept_size, a->swept_in, from + i);
        const tally_compute x = tally_load(at, position);
        lane[i % TALLY_LANES] = tally_take(lane[i % TALLY_LANES], &x, 1, 0, 1);
    }
}

/*
 * Those lines whose blocks end behind so many terms of the piece are told the next ones. The last
 * line of all comes to its end before its block does. The nearest border after that.
 */
static uint TALLY_FN(end_blocks)(__global const TALLY_STORAGE *at, const TALLY_ARGS *a,
                                 const TALLY_FN(piece) *piece, uint n, TALLY_FN(lines) *lines,
                                 __global TALLY_TARGET *out) {
    uint nearest = ~0u;
    for (uint k = 0; k < piece->lines; k++) {
        const uint border = lines->border[k];
        const bool is_last = piece->line + k + 1 == (tally_index)a->lines;
        const uint end = is_last && border != ~0u && n == piece->left ? border : n;
        if (border == end) {
            const tally_index behind = piece->from + k * (tally_index)a->line_terms + end;
            tally_state lane[TALLY_LANES];
            TALLY_FN(take_lanes)(lines, k, lane);
            TALLY_FN(add_terms)(at, a, piece, k, n, end, lane);
            if (end > TALLY_FN(begin)(*a, piece, k))
                TALLY_PUT(out, *a, piece->output, (behind - 1) / TALLY_BLOCK,
                          TALLY_FN(halve)(lane, TALLY_LANES));
            lines->border[k] =
                end == n ? TALLY_FN(next_border)(*a, piece, k, end) : ~0u;
        }
        nearest = min(nearest, lines->border[k]);
    }
    return nearest;
}

/* A unit: a piece of lines. */
static void TALLY_FN(fold_lines)(__global const TALLY_STORAGE *in, __global TALLY_TARGET *out,
                                 const TALLY_ARGS *a, __global const tally_stored *end,
                                 tally_index unit, TALLY_FN(lines) *lines) {
    const TALLY_FN(piece) piece = TALLY_FN(find)(*a, unit, 0);
    const uint last = TALLY_SWEPT_RANK - 1;
    const tally_index inner = (tally_index)a->swept_size[last];
    const tally_index stride = (tally_index)a->swept_in[last];
    __global const TALLY_STORAGE *at = in + TALLY_ORIGIN(*a, piece.output);
    uint n = 0, nearest = ~0u;
    lines->vectors = (piece.lines + TALLY_WIDTH - 1) / TALLY_WIDTH;
    for (uint i = 0; i < TALLY_LANES; i++)
        for (uint v = 0; v < lines->vectors; v++)
            lines->lane[i][v] = tally_identity_all();
    for (uint k = 0; k < piece.lines; k++) {
        lines->border[k] = TALLY_FN(first_border)(*a, &piece, k);
        nearest = min(nearest, lines->border[k]);
    }
    while (nearest != ~0u) {
        const uint to = n < piece.left ? min(nearest, piece.left) : nearest;
        while (n < to) {
            const tally_index term = piece.from + n, left = inner - term % inner;
            const uint count = (uint)min((tally_index)min(to - n, TALLY_LANES - n % TALLY_LANES),
                                         left);
            const tally_index position =
                TALLY_OFFSET(TALLY_SWEPT_RANK, a->swept_size, a->swept_in, term);
            TALLY_FN(add_rows)((__global const tally_stored *)at + position, end, stride,
                               n % TALLY_LANES, count, lines);
            n += count;
        }
        nearest = TALLY_FN(end_blocks)(at, a, &piece, n, lines, out);
    }
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_lines_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    TALLY_FN(lines) lines;
    in += a.head.in_offset;
    out += a.head.out_offset;
    __global const tally_stored *end =
        (__global const tally_stored *)in +
        (1 + TALLY_FN(reach)(TALLY_KEPT_RANK, a.kept_size, a.kept_in) +
         TALLY_FN(reach)(TALLY_SWEPT_RANK, a.swept_size, a.swept_in));
    TALLY_FOR_UNITS(unit, first, units, grain)
    TALLY_FN(fold_lines)(in, out, &a, end, unit, &lines);
}
