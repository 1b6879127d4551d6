/*
 * A fold without swept axes on CPUs: an output is the function of one element, and an index is 0. A
 * unit is a.piece_elements elements of TALLY_MAP_ROWS lines, and a work-item takes a.grain of them
 * in one go. The axes are in the order of the output's memory; the input's innermost axis is the
 * last, a line's, or the last but one: then a unit goes a few vectors of each line in turn, so that
 * what is read of the input stays near.
 */
#if TALLY_STATE_IS_INDEXED
#define TALLY_MAPPED(in, i) (out[i] = 0)
#else
#define TALLY_MAPPED(in, i) tally_store(out, i, tally_end(tally_begin(tally_load(in, 0), 0), count))
#endif

#if !TALLY_STATE_IS_INDEXED
/* A vector of results. */
TALLY_INLINE tally_computes TALLY_FN(results)(tally_computes x, tally_u64 count) {
    return tally_end_all(tally_single_all(x, TALLY_IOTA), count);
}

/* Whole cache lines, past the caches, of n elements; how many elements they have. */
static tally_index TALLY_FN(put_lines)(__global const TALLY_STORAGE *in, __global TALLY_TARGET *out,
                                       tally_index n, tally_u64 count) {
    tally_index i = 0;
    for (; i + TALLY_CACHE_LINE_ELEMENTS <= n; i += TALLY_CACHE_LINE_ELEMENTS) {
        tally_storeds x[TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH];
#pragma unroll
        for (uint v = 0; v < TALLY_CACHE_LINE_ELEMENTS / TALLY_WIDTH; v++)
            x[v] = tally_storeds_of(
                TALLY_FN(results)(tally_load_all(in + i + v * TALLY_WIDTH), count));
        tally_put_cache_line(x, (__global tally_stored *)out + i, true);
    }
    return i;
}
#endif

/* So many elements of a line. */
static void TALLY_FN(line)(__global const TALLY_STORAGE *in, tally_index in_stride,
                           __global TALLY_TARGET *out, tally_index out_stride, tally_index n,
                           tally_u64 count, bool stream) {
    tally_index i = 0;
#if !TALLY_STATE_IS_INDEXED
    const uint skew = (uint)((size_t)out / TALLY_BYTES % TALLY_CACHE_LINE_ELEMENTS);
    const uint head = (TALLY_CACHE_LINE_ELEMENTS - skew) % TALLY_CACHE_LINE_ELEMENTS;
    if (in_stride == 1 && out_stride == 1) {
        if (stream && head < n) {
            for (; i < head; i++)
                TALLY_MAPPED(in + i, i);
            i += TALLY_FN(put_lines)(in + i, out + i, n - i, count);
        }
        for (; i + TALLY_WIDTH <= n; i += TALLY_WIDTH)
            tally_store_all(out + i, TALLY_FN(results)(tally_load_all(in + i), count));
    } else if (out_stride == 1) {
        for (; i + TALLY_WIDTH <= n; i += TALLY_WIDTH)
            tally_store_all(out + i, TALLY_FN(results)(
                                         tally_load_strided(in + i * in_stride, in_stride), count));
    }
#endif
    for (; i < n; i++)
        TALLY_MAPPED(in + i * in_stride, i * out_stride);
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_map_args a) {
    const tally_index units = (tally_index)a.head.units, grain = (tally_index)a.grain;
    const tally_index columns = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
    const tally_index in_stride = (tally_index)a.kept_in[TALLY_KEPT_RANK - 1];
    const tally_index out_stride = (tally_index)a.kept_out[TALLY_KEPT_RANK - 1];
#if TALLY_KEPT_RANK > 1
    const tally_index rows = (tally_index)a.kept_size[TALLY_KEPT_RANK - 2];
    const tally_index row_in = (tally_index)a.kept_in[TALLY_KEPT_RANK - 2];
    const tally_index row_out = (tally_index)a.kept_out[TALLY_KEPT_RANK - 2];
#else
    const tally_index rows = 1, row_in = 0, row_out = 0;
#endif
    const tally_index pieces =
        (columns + (tally_index)a.piece_elements - 1) / (tally_index)a.piece_elements;
    const tally_index bands = (rows + TALLY_MAP_ROWS - 1) / TALLY_MAP_ROWS;
    const bool stream = a.outputs * sizeof(TALLY_TARGET) >= TALLY_STREAM_BYTES;
    in += a.head.in_offset;
    out += a.head.out_offset;
    TALLY_FOR_UNITS(unit, first, units, grain) {
        const tally_index number = unit / pieces, over = number / bands;
        const tally_index column = (unit - number * pieces) * (tally_index)a.piece_elements;
        const tally_index row = (number - over * bands) * TALLY_MAP_ROWS;
        const tally_index at = (over * rows + row) * columns + column;
        const tally_index width = min((tally_index)a.piece_elements, columns - column);
        const bool along = (in_stride <= row_in) | (row_in == 0);
        const tally_index step = along ? width : 2 * TALLY_WIDTH;
        __global const TALLY_STORAGE *from =
            in + TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_in, at);
        __global TALLY_TARGET *to =
            out + TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out, at);
        for (tally_index i = 0; i < width; i += step)
            for (tally_index r = 0; r < min((tally_index)TALLY_MAP_ROWS, rows - row); r++)
                TALLY_FN(line)(from + r * row_in + i * in_stride, in_stride,
                               to + r * row_out + i * out_stride, out_stride,
                               min(step, width - i), a.count, stream);
    }
}
