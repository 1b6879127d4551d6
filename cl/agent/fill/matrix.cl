/*
 * What fills of contiguous rows share: where a row of a batch of matrices lies, which of its
 * columns are in the band. Elements are moved as unsigned
 * integers of their size, so their bits survive.
 */

/*
 * Where matrix i of the batch begins. The batch's axes are those before the last two: none of rank
 * 2, and of rank 8 six, before which two of one coordinate stand.
 */
#define TALLY_MATRIX(rank, size, stride, i) TALLY_MATRIX_OF(rank, size, stride, i)
#define TALLY_MATRIX_OF(rank, size, stride, i) TALLY_MATRIX_##rank(size, stride, i)
#define TALLY_MATRIX_2(size, stride, i) ((tally_index)0)
#define TALLY_MATRIX_4(size, stride, i) TALLY_OFFSET_2(size, stride, i)
#define TALLY_MATRIX_8(size, stride, i)                                                            \
    tally_offset_8(i, 1, (tally_index)(size)[0], (tally_index)(size)[1], (tally_index)(size)[2],   \
                   (tally_index)(size)[3], (tally_index)(size)[4], (tally_index)(size)[5], 0, 0,   \
                   (tally_index)(stride)[0], (tally_index)(stride)[1], (tally_index)(stride)[2],   \
                   (tally_index)(stride)[3], (tally_index)(stride)[4], (tally_index)(stride)[5])

/* Where its row y begins, as the argument struct's list of strides says. */
#define TALLY_ROW(a, stride, i, y)                                                                 \
    (TALLY_MATRIX(TALLY_KEPT_RANK, (a).kept_size, (a).stride, i) +                                 \
     (y) * (tally_index)(a).stride[TALLY_KEPT_RANK - 2])

/* Edges far outside of a matrix of so many rows and columns are just outside of it. */
static tally_i64 TALLY_FN(cut)(tally_i64 edge, tally_index rows, tally_index columns) {
    return clamp(edge, -(tally_i64)rows, (tally_i64)columns);
}

/* The column at which an edge of the band is in row y; edge is that of row 0, already cut. */
static tally_index TALLY_FN(edge)(tally_i64 edge, tally_index y, tally_index columns) {
    return (tally_index)clamp(edge + (tally_i64)y, (tally_i64)0, (tally_i64)columns);
}
