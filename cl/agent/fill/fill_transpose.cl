/*
 * A diagonal fill on GPUs of narrow elements whose input lies in another order than the output. A
 * unit is a box: its read positions lie side by side in the input, its write positions in the
 * output; see fill_positions.cl. A box goes through local memory by dwords: a work-item loads
 * dwords of as many of the input's lines as a dword has elements, TALLY_ROWS_AT_ONCE lines under
 * way, transposes each such square in registers, and stores its dwords where the output's lines
 * have them.
 *
 * Lines begin anywhere in a dword: a dword of a line is shifted together of the two that hold it.
 * So up to 3 bytes before the input are read, and not looked at; a buffer begins at a dword. Dwords
 * of the output are whole where memory has them, those at the ends of a line are stored element by
 * element. A box that the band covers is not read, and one that lies in the band or beside it is
 * not looked up.
 *
 * The output's line of read position i is the image's row i % TALLY_SQUARE * (dwords along the
 * reads) + i / TALLY_SQUARE: so rows of neighbouring squares, a.local_pitch dwords apart, an odd
 * number, meet different banks. Behind the image are the tables of what the positions add to the
 * other memory's offsets and to the diagonal, the reads' first.
 */
#define TALLY_SQUARE (4 / TALLY_BYTES) /* elements of a dword */
#define TALLY_SQUARES (TALLY_ROWS_AT_ONCE / TALLY_SQUARE) /* under way */
#define TALLY_DWORDS_OF(elements) (((elements) + TALLY_SQUARE - 1) / TALLY_SQUARE)
#define TALLY_ALL_OF_ROW ((1u << TALLY_SQUARE) - 1)

/* The dword that begins so many elements behind the first of low. */
static uint TALLY_FN(shifted)(uint low, uint high, uint elements) {
    return (uint)(((ulong)high << 32 | low) >> 8 * TALLY_BYTES * elements);
}

/* Element e of a dword. */
static TALLY_STORAGE TALLY_FN(element)(uint dword, uint e) {
    return (TALLY_STORAGE)(dword >> 8 * TALLY_BYTES * e);
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

/* What the diagonals of a box reach from its origin's; and where the input ends. */
#define TALLY_REACH(k)                                                                             \
    {                                                                                              \
        const tally_index steps = (tally_index)(a.read_box[k] * a.write_box[k] - 1);               \
        const tally_signed span = (tally_signed)(steps * (tally_index)a.diagonal[k]);              \
        least += min(span, (tally_signed)0);                                                       \
        most += max(span, (tally_signed)0);                                                        \
        end += ((tally_index)a.kept_size[k] - 1) * (tally_index)a.kept_in[k];                      \
    }

/* From one of TALLY_GROUP neighbours in lines of such a width to the next of a work-item. */
#define TALLY_STEP(column, line, width)                                                            \
    column += TALLY_GROUP % (width);                                                               \
    line += TALLY_GROUP / (width);                                                                 \
    if (column >= (width)) {                                                                       \
        column -= (width);                                                                         \
        line++;                                                                                    \
    }

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_fill_box_args a) {
    __local ulong space[TALLY_BOX_BYTES / sizeof(ulong)];
    const uint lid = (uint)get_local_id(0), pitch = (uint)a.local_pitch;
    const uint row_dwords = TALLY_DWORDS_OF((uint)a.reads);
    const uint read_entries = row_dwords * TALLY_SQUARE;
    const uint entries = read_entries + TALLY_DWORDS_OF((uint)a.writes) * TALLY_SQUARE;
    __local uint *image = (__local uint *)space;
    const uint dwords = read_entries * pitch; /* and maybe one more, so that tables are aligned */
    __local tally_index *step_of = (__local tally_index *)(image + dwords + (dwords & 1));
    __local tally_index *diagonal_of = step_of + entries;
    const tally_index width = (tally_index)(a.high - a.low);
    const bool inverted = a.inverted != 0;
    const uint values = (uint)((tally_stored)a.value * TALLY_REPEAT);
    tally_signed least = 0, most = 0;
    tally_index end = 1;
    TALLY_EVERY_AXIS(TALLY_REACH)
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    const uint in_lead = (uint)((size_t)in / TALLY_BYTES % TALLY_SQUARE);
    const uint out_lead = (uint)((size_t)out / TALLY_BYTES % TALLY_SQUARE);
    in -= in_lead;
    out -= out_lead;
    __global const uint *in_dwords = (__global const uint *)in;
    __global uint *out_dwords = (__global uint *)out;
    /* Of the input's last dword only what is the input's is read, in a launch that has boxes. */
    const tally_index whole = (end + in_lead) / TALLY_SQUARE;
    uint tail = 0;
#if TALLY_HAS_INPUT
    const uint some = a.head.units > 0 ? (uint)((end + in_lead) % TALLY_SQUARE) : 0;
    for (uint e = 0; e < some; e++)
        tail |= (uint)in[whole * TALLY_SQUARE + e] << 8 * TALLY_BYTES * e;
#endif
    for (uint n = lid; n < entries; n += TALLY_GROUP) {
        TALLY_FN(position) at = {0, 0, 0};
        TALLY_POSITION_OF_BOX(n, read_entries)
        step_of[n] = n < read_entries ? at.out : at.in;
        diagonal_of[n] = at.diagonal;
    }
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        uint reads = (uint)a.reads, writes = (uint)a.writes;
        tally_index rest = unit;
        TALLY_FN(position) origin = {in_lead, out_lead, 0 - (tally_index)a.low};
        TALLY_EVERY_AXIS(TALLY_ORIGIN_OF)
        const tally_signed first = (tally_signed)origin.diagonal + least;
        const tally_signed last = (tally_signed)origin.diagonal + most;
        const bool inside = first >= 0 && last < (tally_signed)width;
        const bool outside = last < 0 || first >= (tally_signed)width;
        const bool covered = inverted ? outside : inside, mixed = !inside && !outside;
        const uint in_row = TALLY_DWORDS_OF(reads), in_line = TALLY_DWORDS_OF(writes);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint c = lid % in_row, g = covered ? in_line : lid / in_row;
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
                            origin.diagonal + diagonal_of[read_entries + g * TALLY_SQUARE + k];
#pragma unroll
                        for (uint e = 0; e < TALLY_SQUARE; e++) {
                            const bool in_band = t + diagonal_of[c * TALLY_SQUARE + e] < width;
                            set[q] |= (in_band != inverted ? 1u : 0u) << (k * TALLY_SQUARE + e);
                        }
                    }
                }
#pragma unroll
                for (uint k = 0; k < TALLY_SQUARE; k++) {
                    const uint j = min(g * TALLY_SQUARE + k, writes - 1);
                    const tally_index at = origin.in + step_of[read_entries + j] + c * TALLY_SQUARE;
                    const tally_index dword = at / TALLY_SQUARE;
                    const uint covers = set[q] >> k * TALLY_SQUARE & TALLY_ALL_OF_ROW;
                    const bool wanted = g < in_line && covers != TALLY_ALL_OF_ROW;
                    off[q][k] = (uint)(at % TALLY_SQUARE);
                    low[q][k] = high[q][k] = tail;
#if TALLY_HAS_INPUT
                    if (wanted && dword < whole)
                        low[q][k] = in_dwords[dword];
                    if (wanted && off[q][k] != 0 && dword + 1 < whole)
                        high[q][k] = in_dwords[dword + 1];
#endif
                }
                TALLY_STEP(c, g, in_row)
            }
#pragma unroll
            for (uint q = 0; q < TALLY_SQUARES; q++) {
                uint row[TALLY_SQUARE];
#pragma unroll
                for (uint k = 0; k < TALLY_SQUARE; k++) {
                    row[k] = TALLY_FN(shifted)(low[q][k], high[q][k], off[q][k]);
                    if (mixed) {
                        const uint ones =
                            TALLY_SPREAD(set[q] >> k * TALLY_SQUARE & TALLY_ALL_OF_ROW);
                        row[k] = (row[k] & ~ones) | (values & ones);
                    }
                }
                TALLY_FN(transpose)(row);
                if (line[q] < in_line) {
#pragma unroll
                    for (uint k = 0; k < TALLY_SQUARE; k++)
                        image[(k * row_dwords + column[q]) * pitch + line[q]] = row[k];
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint squares = (writes + 2 * TALLY_SQUARE - 2) / TALLY_SQUARE;
        uint m = lid % squares, i = lid / squares;
        while (i < reads) {
#pragma unroll
            for (uint q = 0; q < 4; q++) {
                if (i < reads) {
                    const tally_index at = origin.out + step_of[i];
                    const uint lead = (uint)(at % TALLY_SQUARE);
                    const int begin = (int)(m * TALLY_SQUARE) - (int)lead;
                    __local const uint *row =
                        image + (i % TALLY_SQUARE * row_dwords + i / TALLY_SQUARE) * pitch;
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
}
