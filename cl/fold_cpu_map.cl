/*
 * A fold without swept axes on CPUs: an output is the function of one element, and an index is 0. A
 * unit is a.piece_elements elements of TALLY_MAP_ROWS lines, and a work-item takes a.turn of them
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
/* A vector of results; past the caches to whole lines, which are aligned. */
TALLY_INLINE void TALLY_FN(put_vector)(__global TALLY_TARGET *out, tally_computes x,
                                       tally_u64 count, const bool stream) {
    const tally_computes value = tally_end_all(tally_single_all(x, TALLY_IOTA), count);
    if (stream)
        TALLY_STREAM(tally_storeds_of(value), out);
    else
        tally_store_all(out, value);
}
#endif

/* So many elements of a line. */
static void TALLY_FN(line)(__global const TALLY_STORAGE *in, tally_index in_stride,
                           __global TALLY_TARGET *out, tally_index out_stride, tally_index n,
                           tally_u64 count, bool stream) {
    tally_index i = 0;
#if !TALLY_STATE_IS_INDEXED
    const uint off = (uint)((size_t)out / TALLY_BYTES % TALLY_WIDTH);
    const bool streams = stream && in_stride == 1 && out_stride == 1;
    if (streams && off != 0)
        for (; i < min((tally_index)(TALLY_WIDTH - off), n); i++)
            TALLY_MAPPED(in + i, i);
    if (streams)
        for (; i + TALLY_WIDTH <= n; i += TALLY_WIDTH)
            TALLY_FN(put_vector)(out + i, tally_load_all(in + i), count, true);
    else if (in_stride == 1 && out_stride == 1)
        for (; i + TALLY_WIDTH <= n; i += TALLY_WIDTH)
            TALLY_FN(put_vector)(out + i, tally_load_all(in + i), count, false);
    else if (out_stride == 1)
        for (; i + TALLY_WIDTH <= n; i += TALLY_WIDTH)
            TALLY_FN(put_vector)(out + i, tally_load_apart(in + i * in_stride, in_stride), count,
                                 false);
#endif
    for (; i < n; i++)
        TALLY_MAPPED(in + i * in_stride, i * out_stride);
}

__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
             const tally_fold_cpu_map_args a) {
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.turn;
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
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index unit = first; unit < min(first + turn, units); unit++) {
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
