/*
 * A box of a fill on GPUs by dwords of bytes: into its image in local memory along the input's
 * memory, and out of it along the output's (box_share.cl). Read positions lie side by side in the
 * input, write positions in the output. A work-item loads dwords of TALLY_ROWS_AT_ONCE of the
 * input's lines, transposes a square of as many lines as a dword has bytes in registers, and stores
 * its dwords where the output's lines have them.
 *
 * Lines begin anywhere in a dword: a dword of a line is shifted together of the two that hold it.
 * So up to 3 bytes before the input are read, and not looked at; a buffer begins at a dword. Dwords
 * of the output are whole where memory has them, those at the ends of a line are stored element by
 * element.
 *
 * The output's line of read position i is the image's row i % TALLY_SQUARE * (dwords along the
 * reads) + i / TALLY_SQUARE: so rows of neighbouring squares, a.box.local_pitch dwords apart, an odd
 * number, meet different banks.
 */
#if TALLY_SQUARE > 1
#define TALLY_SQUARES (TALLY_ROWS_AT_ONCE / TALLY_SQUARE) /* under way */
#define TALLY_DWORDS_OF(elements) (((elements) + TALLY_SQUARE - 1) / TALLY_SQUARE)
#define TALLY_ALL_OF_ROW ((1u << TALLY_SQUARE) - 1)

/* The dword that begins so many elements behind the first of low. */
static uint TALLY_FN(shifted)(uint low, uint high, uint elements) {
    return (uint)(((ulong)high << 32 | low) >> 8 * TALLY_BYTES * elements);
}

/* Element e of a dword. */
static tally_stored TALLY_FN(element)(uint dword, uint e) {
    return (tally_stored)(dword >> 8 * TALLY_BYTES * e);
}

/* Rows to columns. */
static void TALLY_FN(transpose)(uint *row) {
    const uint a = (row[0] & 0x00FF00FF) | (row[1] & 0x00FF00FF) << 8;
    const uint b = (row[0] >> 8 & 0x00FF00FF) | (row[1] & 0xFF00FF00);
    const uint c = (row[2] & 0x00FF00FF) | (row[3] & 0x00FF00FF) << 8;
    const uint d = (row[2] >> 8 & 0x00FF00FF) | (row[3] & 0xFF00FF00);
    row[0] = (a & 0xFFFF) | c << 16;
    row[1] = (b & 0xFFFF) | d << 16;
    row[2] = a >> 16 | (c & 0xFFFF0000);
    row[3] = b >> 16 | (d & 0xFFFF0000);
}

/* What is known of a box: of its read positions and, from read_entries on, its write positions. */
typedef struct {
    __local uint *image;
    __local const tally_index *step_of, *diagonal_of; /* in the other memory */
    uint read_entries, pitch, reads, writes;
    uint plane; /* dwords of the image from a row of a square to the square's next one */
    bool ends; /* the last dword of the input may be among its */
    tally_index in, out, t;
} TALLY_FN(box);

/* A dword of what is made of its elements. */
static uint TALLY_FN(mapped_dword)(uint dword) {
#if TALLY_MAPS
    uint mapped = 0;
#pragma unroll
    for (uint e = 0; e < TALLY_SQUARE; e++)
        mapped |= (uint)TALLY_MAPPED((tally_stored)(dword >> 8 * TALLY_BYTES * e))
                  << 8 * TALLY_BYTES * e;
    return mapped;
#else
    return dword;
#endif
}

/*
 * A square's elements that the band covers, a bit for each, one line after the other; column, line:
 * of its first element.
 */
static uint TALLY_FN(covered)(const TALLY_FN(box) *box, uint column, uint line, tally_index width,
                              bool inverted) {
    uint set = 0;
#pragma unroll
    for (uint k = 0; k < TALLY_SQUARE; k++) {
        const tally_index t = box->t + box->diagonal_of[box->read_entries + line + k];
#pragma unroll
        for (uint e = 0; e < TALLY_SQUARE; e++) {
            const bool in_band = t + box->diagonal_of[column + e] < width;
            set |= (in_band != inverted ? 1u : 0u) << (k * TALLY_SQUARE + e);
        }
    }
    return set;
}

/*
 * Squares of a column of dwords. Of the input's dwords those before the last are whole; tail is
 * what the input has of it. Careful: the box has it, or the band covers some of its elements.
 */
TALLY_INLINE void TALLY_FN(bring_squares)(__global const uint *in, tally_index whole, uint tail,
                                          const TALLY_FN(box) *box, uint column, uint line,
                                          const bool careful, bool mixed, tally_index width,
                                          bool inverted, uint values) {
    const tally_index from = box->in + column * TALLY_SQUARE;
    __local uint *to = box->image + column * box->pitch + line / TALLY_SQUARE;
    uint low[TALLY_ROWS_AT_ONCE], high[TALLY_ROWS_AT_ONCE], off[TALLY_ROWS_AT_ONCE];
    uint set[TALLY_SQUARES];
    tally_index step[TALLY_ROWS_AT_ONCE];
    TALLY_FN(entries)(box->step_of + box->read_entries + line, TALLY_ROWS_AT_ONCE, step);
#pragma unroll
    for (uint q = 0; q < TALLY_ROWS_AT_ONCE; q++) {
        const tally_index at = from + step[q];
        __global const uint *dword = in + at / TALLY_SQUARE;
        bool wanted = line + q < box->writes;
        if (careful) {
            if (q % TALLY_SQUARE == 0)
                set[q / TALLY_SQUARE] =
                    mixed ? TALLY_FN(covered)(box, column * TALLY_SQUARE, line + q, width, inverted)
                          : 0;
            wanted = wanted && (set[q / TALLY_SQUARE] >> q % TALLY_SQUARE * TALLY_SQUARE &
                                TALLY_ALL_OF_ROW) != TALLY_ALL_OF_ROW;
        }
        off[q] = (uint)(at % TALLY_SQUARE);
        low[q] = high[q] = tail;
#if TALLY_HAS_INPUT
        if (wanted && (!careful || at / TALLY_SQUARE < whole))
            low[q] = dword[0];
        if (wanted && off[q] != 0 && (!careful || at / TALLY_SQUARE + 1 < whole))
            high[q] = dword[1];
#endif
    }
#pragma unroll
    for (uint q = 0; q < TALLY_SQUARES; q++) {
        uint rows[TALLY_SQUARE];
#pragma unroll
        for (uint k = 0; k < TALLY_SQUARE; k++) {
            const uint n = q * TALLY_SQUARE + k;
            rows[k] = TALLY_FN(mapped_dword)(TALLY_FN(shifted)(low[n], high[n], off[n]));
            if (careful) {
                const uint ones = TALLY_SPREAD(set[q] >> k * TALLY_SQUARE & TALLY_ALL_OF_ROW);
                rows[k] = (rows[k] & ~ones) | (values & ones);
            }
        }
        TALLY_FN(transpose)(rows);
        if (line + q * TALLY_SQUARE < box->writes) {
#pragma unroll
            for (uint k = 0; k < TALLY_SQUARE; k++)
                to[k * box->plane + q] = rows[k];
        }
    }
}

/* Reads what the band does not cover; mixed: it may. */
TALLY_INLINE void TALLY_FN(bring)(__global const uint *in, tally_index whole, uint tail,
                                  const TALLY_FN(box) *box, tally_index width, bool mixed,
                                  bool inverted, uint values) {
    const uint columns = TALLY_DWORDS_OF(box->reads);
    const TALLY_FN(share) share = TALLY_FN(share_of)(columns);
    const uint step = share.blocks * TALLY_ROWS_AT_ONCE;
    for (uint column = share.column; column < columns; column += TALLY_GROUP)
        for (uint line = share.block * TALLY_ROWS_AT_ONCE; line < box->writes; line += step)
            if (mixed || box->ends)
                TALLY_FN(bring_squares)(in, whole, tail, box, column, line, true, mixed, width,
                                        inverted, values);
            else
                TALLY_FN(bring_squares)(in, whole, tail, box, column, line, false, false, width,
                                        inverted, values);
}

/*
 * The m-th dword that some of the output's lines touch: if the line begins at an element of its
 * first dword from least to most, all of it is the line's.
 */
TALLY_INLINE void TALLY_FN(take_lines)(__global tally_stored *out, const TALLY_FN(box) *box, uint m,
                                       uint line, bool covered, uint values) {
    __global uint *dwords = (__global uint *)out + m;
    const uint writes = box->writes;
    const int begin = (int)(m * TALLY_SQUARE), end = begin + TALLY_SQUARE;
    const int least = max(end - (int)writes, 0), most = min(begin, TALLY_SQUARE - 1);
    __local const uint *rows = box->image + line / TALLY_SQUARE * box->pitch;
    __local const uint *high = rows + min(m, TALLY_DWORDS_OF(writes) - 1);
    __local const uint *low = rows + max(m, 1u) - 1;
    tally_index step[TALLY_FILL_TAKEN];
    TALLY_FN(entries)(box->step_of + line, TALLY_FILL_TAKEN, step);
#pragma unroll
    for (uint q = 0; q < TALLY_FILL_TAKEN; q++) {
        const uint slot = q % TALLY_SQUARE * box->plane + q / TALLY_SQUARE * box->pitch;
        const tally_index at = box->out + step[q];
        const int lead = (int)(at % TALLY_SQUARE);
        if (line + q >= box->reads)
            continue;
        const uint dword = covered ? values
                                   : TALLY_FN(shifted)(low[slot], high[slot],
                                                       TALLY_SQUARE - (uint)lead);
        if (lead >= least && lead <= most) {
            dwords[at / TALLY_SQUARE] = dword;
        } else {
#pragma unroll
            for (uint e = 0; e < TALLY_SQUARE; e++)
                if ((uint)(begin + (int)e - lead) < writes)
                    out[at - (uint)lead + (uint)begin + e] = TALLY_FN(element)(dword, e);
        }
    }
}

/* Writes the image, or the value where the band covers all of the box. */
TALLY_INLINE void TALLY_FN(take)(__global tally_stored *out, const TALLY_FN(box) *box,
                                 bool covered, uint values) {
    const uint dwords = (box->writes + 2 * TALLY_SQUARE - 2) / TALLY_SQUARE;
    const TALLY_FN(share) share = TALLY_FN(share_of)(dwords);
    const uint step = share.blocks * TALLY_FILL_TAKEN;
    for (uint m = share.column; m < dwords; m += TALLY_GROUP)
        for (uint line = share.block * TALLY_FILL_TAKEN; line < box->reads; line += step)
            TALLY_FN(take_lines)(out, box, m, line, covered, values);
}
#endif
