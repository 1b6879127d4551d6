/*
 * Blocks of few rows of at least a vector of columns, of folds down packed columns on a CPU
 * (fold_cpu_packed.cl): a vector of columns is combined in registers.
 */
#if !TALLY_STATE_IS_SHIFTED
/* Rows of such blocks; of those with more, up to that many, a vector takes a call of its own. */
#define TALLY_PACKED_ROWS_FEW 16
#define TALLY_PACKED_ROWS_MANY 64

/* Half of most, a constant, is less than the n rows, and most is not. */
#define TALLY_FEW_ROWS(most)                                                                       \
    {                                                                                              \
        tally_states sum[most / 2];                                                                \
        _Pragma("unroll") for (uint k = 0; k < most / 2; k++) {                                    \
            sum[k] = tally_single_all(tally_load_all(in + k * columns), (tally_positions)(k));     \
            if (k + most / 2 < n)                                                                  \
                sum[k] = tally_combine_all(                                                        \
                    sum[k], tally_single_all(tally_load_all(in + (k + most / 2) * columns),        \
                                             (tally_positions)(k + most / 2)));                    \
        }                                                                                          \
        _Pragma("unroll") for (uint half_rows = most / 4; half_rows > 0; half_rows /= 2)           \
            _Pragma("unroll") for (uint k = 0; k < half_rows; k++)                                 \
                sum[k] = tally_combine_all(sum[k], sum[k + half_rows]);                            \
        return sum[0];                                                                             \
    }
TALLY_INLINE tally_states TALLY_FN(low)(__global const TALLY_STORAGE *in, uint n, uint columns) {
    if (n > 8)
        TALLY_FEW_ROWS(16)
    if (n > 4)
        TALLY_FEW_ROWS(8)
    if (n > 2)
        TALLY_FEW_ROWS(4)
    if (n > 1)
        TALLY_FEW_ROWS(2)
    return tally_single_all(tally_load_all(in), (tally_positions)(0));
}

TALLY_NO_INLINE tally_states TALLY_FN(low_of_many)(__global const TALLY_STORAGE *in, uint n,
                                                   uint columns) {
    if (n > 32)
        TALLY_FEW_ROWS(64)
    TALLY_FEW_ROWS(32)
}

/*
 * All columns of a block of few rows, or of many ones; results from that offset on. The last vector
 * ends with them.
 */
TALLY_INLINE void TALLY_FN(few_rows_block)(__global const TALLY_STORAGE *in, uint n, uint columns,
                                           const bool many, __global TALLY_TARGET *out,
                                           tally_index to, tally_index stride_out,
                                           tally_index blocks, tally_index block,
                                           tally_index begin, tally_index scale,
                                           tally_u64 total) {
    uint c = 0;
    tally_foresee(in, n * columns);
#if TALLY_STATE_IS_KEY
    for (; c + TALLY_RAWS <= columns; c += TALLY_RAWS) {
        tally_terms terms[TALLY_RAWS / TALLY_WIDTH];
        tally_extremes e = tally_extremes_at(in + c);
        for (uint k = 1; k < n; k++)
            e = tally_combine_extremes(e, tally_extremes_at(in + k * columns + c));
        tally_extremes_terms(e, terms);
#pragma unroll
        for (uint i = 0; i < TALLY_RAWS / TALLY_WIDTH; i++)
            TALLY_FN(put_all)(out, to + (c + i * TALLY_WIDTH) * stride_out, stride_out, blocks,
                              block, terms[i], begin, scale, TALLY_WIDTH, total);
    }
#endif
    for (; c < columns; c += TALLY_WIDTH) {
        const uint column = min(c, columns - TALLY_WIDTH);
        TALLY_FN(put_all)(out, to + column * stride_out, stride_out, blocks, block,
                          many ? TALLY_FN(low_of_many)(in + column, n, columns)
                               : TALLY_FN(low)(in + column, n, columns),
                          begin, scale, TALLY_WIDTH, total);
    }
}
#endif
