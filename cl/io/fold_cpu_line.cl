/*
 * Terms of a single output on a CPU, brought into private memory one after the other: in the order
 * of the fold where its innermost axis is the nearest in memory or no other would do, else in the
 * order of memory, by squares that are transposed in registers.
 */
#define TALLY_BRING_VECTORS(step)                                                                  \
    for (; i < n && i + TALLY_WIDTH <= room; i += TALLY_WIDTH)                                     \
        TALLY_STAGE(tally_every(in + i * (step), step), to + i);

/* So many elements a step apart, for which there is room; vectors may go beyond them. */
static void TALLY_FN(bring_run)(__global const tally_stored *in, tally_index step, uint n,
                                uint room, tally_stored *to) {
    uint i = 0;
    if (step == 1)
        TALLY_BRING_VECTORS(1)
    else if (step == 2)
        TALLY_BRING_VECTORS(2)
    else if (step == 3)
        TALLY_BRING_VECTORS(3)
    else if (step == 4)
        TALLY_BRING_VECTORS(4)
    TALLY_ONE_BY_ONE
    for (; i < n; i++)
        to[i] = in[i * step];
}

/* A square, or count rows of it: terms from the at-th on of a vector of columns, side by side. */
TALLY_INLINE void TALLY_FN(bring_square)(__global const tally_stored *in,
                                         const tally_index *column, uint at, uint count,
                                         uint pitch, tally_stored *to) {
    tally_storeds t[TALLY_WIDTH];
#pragma unroll
    for (uint k = 0; k < TALLY_WIDTH; k++)
        t[k] = TALLY_BROUGHT(in + column[k] + at);
    {
        TALLY_TRANSPOSE(tally_storeds, t)
    }
#pragma unroll
    for (uint k = 0; k < TALLY_WIDTH; k++)
        if (k < count)
            TALLY_STAGE(t[k], to + (at + k) * pitch);
}

/* So many terms of some vectors of columns: at those offsets, to such rows. */
TALLY_INLINE void TALLY_FN(bring_block)(__global const tally_stored *in, const tally_index *column,
                                        uint columns, uint count, uint pitch, tally_stored *to) {
    for (uint i = 0; i < count; i += TALLY_WIDTH) {
        const uint at = count < TALLY_WIDTH ? 0 : min(i, count - TALLY_WIDTH);
        for (uint c = 0; c < columns; c += TALLY_WIDTH) {
            const uint first = min(c, columns - TALLY_WIDTH);
            TALLY_FN(bring_square)(in, column + first, at, count, pitch, to + first);
        }
    }
}

/* Lines of the innermost axis, in the order of the fold. */
static void TALLY_FN(bring_straight)(const tally_fold_cpu_panel_args *a,
                                     __global const tally_stored *in,
                                     __global const tally_stored *end, tally_index term,
                                     uint count, tally_index *at, tally_stored *panel) {
    const tally_index inner = (tally_index)a->swept_size[TALLY_SWEPT_RANK - 1];
    const tally_index step = (tally_index)a->swept_in[TALLY_SWEPT_RANK - 1];
    tally_index line = term / inner, position = term - line * inner;
    for (uint r = 0; r < count;) {
        const tally_index wanted = (count - r + position + inner - 1) / inner;
        const uint lines = (uint)min(wanted, (tally_index)TALLY_BLOCK);
        at[0] = 0;
#if TALLY_SWEPT_RANK > 1
        TALLY_FN(walk)(at, lines, line, TALLY_SWEPT_RANK - 1, a->swept_size, a->swept_in);
#endif
        for (uint i = 0; i < lines; i++) {
            const uint n = (uint)min((tally_index)(count - r), inner - position);
            __global const tally_stored *from = in + at[i] + position * step;
            const bool over = end - from >= (long)((n + TALLY_WIDTH) * step);
            TALLY_FN(bring_run)(from, step, n,
                                over ? n + TALLY_WIDTH - 1 : step == 1 ? n : n - 1, panel + r);
            r += n;
            position = 0;
        }
        line += lines;
    }
}

/* Columns that are brought together: a line of the panel, so that it is written at once. */
#define TALLY_TRANSPOSED (TALLY_CACHE_LINE / TALLY_BYTES)

/* Rows of a matrix of the axis that is the nearest and those inside it, row by row. */
static void TALLY_FN(bring_transposed)(__global const tally_stored *in,
                                   __global const tally_stored *end, const tally_index *column,
                                   uint columns, uint rows, tally_stored *panel) {
    const uint stride = TALLY_CACHE_LINE / TALLY_BYTES;
    for (uint c = 0; c < columns; c += TALLY_TRANSPOSED) {
        const uint first = min(c, columns - min(columns, (uint)TALLY_TRANSPOSED));
        const uint behind = min(first + (uint)TALLY_TRANSPOSED, columns);
        tally_index reach = 0;
        for (uint k = first; k < behind; k++) {
            reach = max(reach, column[k] + max(rows, (uint)TALLY_WIDTH));
            if (k + TALLY_TRANSPOSED < columns)
                for (uint r = 0; r < rows; r += stride)
                    TALLY_PREFETCH(in + column[k + TALLY_TRANSPOSED] + r);
        }
        if (end - in >= (long)reach)
            TALLY_FN(bring_block)(in, column + first, behind - first, rows, columns,
                                  panel + first);
        else
            for (uint k = first; k < behind; k++)
                for (uint r = 0; r < rows; r++)
                    panel[r * columns + k] = in[column[k] + r];
    }
}

/*
 * Count terms of an output, from that one on; returns where they begin. What is transposed is
 * brought in whole rows.
 */
static const tally_stored *TALLY_FN(bring_line)(const tally_fold_cpu_panel_args *a,
                                                __global const tally_stored *in,
                                                __global const tally_stored *end,
                                                tally_index term, uint count, tally_index *at,
                                                tally_stored *panel) {
    const uint axis = (uint)a->transposed_axis;
    if (axis == TALLY_SWEPT_RANK) {
        TALLY_FN(bring_straight)(a, in, end, term, count, at, panel);
        return panel;
    }
    const tally_index size = (tally_index)a->swept_size[axis];
    uint columns = 1;
    for (uint k = axis + 1; k < TALLY_SWEPT_RANK; k++)
        columns *= (uint)a->swept_size[k];
    const tally_index row = term / columns;
    const uint skip = (uint)(term - row * columns);
    const uint rows = (skip + count + columns - 1) / columns;
    TALLY_FN(walk)(at, columns, 0, TALLY_SWEPT_RANK - 1 - axis, a->swept_size + axis + 1,
                   a->swept_in + axis + 1);
    for (uint r = 0; r < rows;) {
        const uint n = (uint)min((tally_index)(rows - r), size - (row + r) % size);
        TALLY_FN(bring_transposed)(in + TALLY_AT(*a, (row + r) * columns), end, at, columns, n,
                               panel + r * columns);
        r += n;
    }
    return panel + skip;
}
