/*
 * A box of a fill on GPUs by dwords of narrow elements: into its image in local memory along the
 * input's memory, and out of it along the output's. Read positions lie side by side in the input,
 * write positions in the output. A work-item loads dwords of as many of the input's lines as a
 * dword has elements, TALLY_ROWS_AT_ONCE lines under way, transposes each such square in registers,
 * and stores its dwords where the output's lines have them.
 *
 * Lines begin anywhere in a dword: a dword of a line is shifted together of the two that hold it.
 * So up to 3 bytes before the input are read, and not looked at; a buffer begins at a dword. Dwords
 * of the output are whole where memory has them, those at the ends of a line are stored element by
 * element.
 *
 * The output's line of read position i is the image's row i % TALLY_SQUARE * (dwords along the
 * reads) + i / TALLY_SQUARE: so rows of neighbouring squares, a.local_pitch dwords apart, an odd
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
#if TALLY_SQUARE == 4
    const uint a = (row[0] & 0x00FF00FF) | (row[1] & 0x00FF00FF) << 8;
    const uint b = (row[0] >> 8 & 0x00FF00FF) | (row[1] & 0xFF00FF00);
    const uint c = (row[2] & 0x00FF00FF) | (row[3] & 0x00FF00FF) << 8;
    const uint d = (row[2] >> 8 & 0x00FF00FF) | (row[3] & 0xFF00FF00);
    row[0] = (a & 0xFFFF) | c << 16;
    row[1] = (b & 0xFFFF) | d << 16;
    row[2] = a >> 16 | (c & 0xFFFF0000);
    row[3] = b >> 16 | (d & 0xFFFF0000);
#else
    const uint a = row[0], b = row[1];
    row[0] = (a & 0xFFFF) | b << 16;
    row[1] = a >> 16 | (b & 0xFFFF0000);
#endif
}

/* What is known of a box: of its read positions and, from read_entries on, its write positions. */
typedef struct {
    __local uint *image;
    __local const tally_index *step_of, *diagonal_of; /* in the other memory */
    uint read_entries, pitch, reads, writes;
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

/* Of the input's dwords those before the last are whole; tail is what the input has of it. */
TALLY_INLINE void TALLY_FN(bring)(__global const uint *in, tally_index whole, uint tail,
                                  const TALLY_FN(box) *box, tally_index width, bool mixed,
                                  bool inverted, uint values) {
    const uint in_row = TALLY_DWORDS_OF(box->reads), in_line = TALLY_DWORDS_OF(box->writes);
    const uint lid = (uint)get_local_id(0), row_dwords = box->read_entries / TALLY_SQUARE;
    uint c = lid % in_row, g = lid / in_row;
    while (g < in_line) {
        uint low[TALLY_SQUARES][TALLY_SQUARE], high[TALLY_SQUARES][TALLY_SQUARE];
        uint off[TALLY_SQUARES][TALLY_SQUARE], set[TALLY_SQUARES];
        uint column[TALLY_SQUARES], line[TALLY_SQUARES];
#pragma unroll
        for (uint q = 0; q < TALLY_SQUARES; q++) {
            column[q] = c;
            line[q] = g;
            set[q] = 0;
            if (mixed && g < in_line) {
#pragma unroll
                for (uint k = 0; k < TALLY_SQUARE; k++) {
                    const tally_index t =
                        box->t + box->diagonal_of[box->read_entries + g * TALLY_SQUARE + k];
#pragma unroll
                    for (uint e = 0; e < TALLY_SQUARE; e++) {
                        const bool in_band = t + box->diagonal_of[c * TALLY_SQUARE + e] < width;
                        set[q] |= (in_band != inverted ? 1u : 0u) << (k * TALLY_SQUARE + e);
                    }
                }
            }
#pragma unroll
            for (uint k = 0; k < TALLY_SQUARE; k++) {
                const uint j = min(g * TALLY_SQUARE + k, box->writes - 1);
                const tally_index at =
                    box->in + box->step_of[box->read_entries + j] + c * TALLY_SQUARE;
                const tally_index dword = at / TALLY_SQUARE;
                const uint covers = set[q] >> k * TALLY_SQUARE & TALLY_ALL_OF_ROW;
                const bool wanted = g < in_line && covers != TALLY_ALL_OF_ROW;
                off[q][k] = (uint)(at % TALLY_SQUARE);
                low[q][k] = high[q][k] = tail;
#if TALLY_HAS_INPUT
                if (wanted && dword < whole)
                    low[q][k] = in[dword];
                if (wanted && off[q][k] != 0 && dword + 1 < whole)
                    high[q][k] = in[dword + 1];
#endif
            }
            TALLY_STEP(c, g, in_row)
        }
#pragma unroll
        for (uint q = 0; q < TALLY_SQUARES; q++) {
            uint row[TALLY_SQUARE];
#pragma unroll
            for (uint k = 0; k < TALLY_SQUARE; k++) {
                row[k] =
                    TALLY_FN(mapped_dword)(TALLY_FN(shifted)(low[q][k], high[q][k], off[q][k]));
                if (mixed) {
                    const uint ones = TALLY_SPREAD(set[q] >> k * TALLY_SQUARE & TALLY_ALL_OF_ROW);
                    row[k] = (row[k] & ~ones) | (values & ones);
                }
            }
            TALLY_FN(transpose)(row);
            if (line[q] < in_line) {
#pragma unroll
                for (uint k = 0; k < TALLY_SQUARE; k++)
                    box->image[(k * row_dwords + column[q]) * box->pitch + line[q]] = row[k];
            }
        }
    }
}

/* Writes the image, or the value where the band covers all of the box. */
TALLY_INLINE void TALLY_FN(take)(__global tally_stored *out, const TALLY_FN(box) *box,
                                 bool covered, uint values) {
    __global uint *out_dwords = (__global uint *)out;
    const uint lid = (uint)get_local_id(0), row_dwords = box->read_entries / TALLY_SQUARE;
    const uint writes = box->writes, in_line = TALLY_DWORDS_OF(writes);
    const uint squares = (writes + 2 * TALLY_SQUARE - 2) / TALLY_SQUARE;
    uint m = lid % squares, i = lid / squares;
    while (i < box->reads) {
#pragma unroll
        for (uint q = 0; q < 4; q++) {
            if (i < box->reads) {
                const tally_index at = box->out + box->step_of[i];
                const uint lead = (uint)(at % TALLY_SQUARE);
                const int begin = (int)(m * TALLY_SQUARE) - (int)lead;
                __local const uint *row =
                    box->image + (i % TALLY_SQUARE * row_dwords + i / TALLY_SQUARE) * box->pitch;
                const uint high = row[min(m, in_line - 1)];
                const uint low = row[max(m, 1u) - 1];
                uint dword = TALLY_FN(shifted)(low, high, TALLY_SQUARE - lead);
                if (covered)
                    dword = values;
                if (begin >= 0 && begin + TALLY_SQUARE <= (int)writes) {
                    out_dwords[at / TALLY_SQUARE + m] = dword;
                } else {
#pragma unroll
                    for (uint e = 0; e < TALLY_SQUARE; e++)
                        if ((uint)(begin + (int)e) < writes)
                            out[at - lead + m * TALLY_SQUARE + e] = TALLY_FN(element)(dword, e);
                }
            }
            TALLY_STEP(m, i, squares)
        }
    }
}
#endif
