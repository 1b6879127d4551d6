/*
 * The rows of a strip of columns (fold_columns.cl): which columns of them a work-item has, how they
 * are loaded, and how every n-th row is combined. Knows nothing of lanes and blocks.
 */

/* The element of the strip that is the v-th of a work-item's. */
#define TALLY_ELEMENT_OF(x, v, aligned) ((aligned) ? (x)*TALLY_PACK + (v) : (x) + (v) * team_width)

/* What a work-item needs to know of its position. */
typedef struct {
    uint x, team_width;             /* its position among those side by side, and their number */
    uint slice, slices;             /* its position among those that share a block */
    tally_index column[TALLY_PACK]; /* its columns, if they are no pack */
    tally_index columns;            /* of a row */
} TALLY_FN(position);

/* Of narrow elements packs may begin before a view's columns: one by one they are dear to load. */
#define TALLY_NARROW (TALLY_BYTES < 4)

/* Elements of a row's packs, and the column of one of them; all of them if it is in none. */
#define TALLY_PACKED(columns) (((columns) + TALLY_PACK - 1) / TALLY_PACK * TALLY_PACK)
static tally_index TALLY_FN(column_of)(tally_index element, uint lead, tally_index columns) {
    const tally_index packed = TALLY_PACKED(columns);
    const tally_index column = element - lead + (element < lead ? packed : 0);
    return element < packed ? min(column, columns) : columns;
}

/*
 * Set a work-item's columns in a strip that begins there: of narrow elements the row's first one
 * for those that are not there, so that no load has to ask.
 */
static void TALLY_FN(set_columns)(tally_index begin, uint lead, tally_index columns,
                                  TALLY_FN(position) *position) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        const tally_index column =
            TALLY_FN(column_of)(begin + position->x + v * position->team_width, lead, columns);
        position->column[v] = TALLY_NARROW && column >= columns ? 0 : column;
    }
    position->columns = columns;
}

/*
 * A row, as far as it is in a work-item's columns. Here and below, aligned says that these are a
 * pack of memory, which begins at `row`, or else the row does; it is a constant where these
 * functions are put to use.
 */
static void TALLY_FN(load)(__global const TALLY_STORAGE *row, bool aligned,
                           const TALLY_FN(position) *position, tally_pack *pack) {
    if (aligned) {
        pack->bits = tally_load_pack(row);
    } else {
        pack->bits = (tally_pack_bits)(0);
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            if (TALLY_NARROW || position->column[v] < position->columns)
                tally_put_in_pack(pack, v, row + position->column[v]);
    }
}

/*
 * The first count of so many rows, a constant, that are pitch elements apart. Single elements come
 * several packs at a time, and a column that is not there is the row's first one; where combining
 * is exact, the registers that this takes cost more than it gives.
 */
static void TALLY_FN(load_rows)(__global const TALLY_STORAGE *row, tally_index pitch, bool aligned,
                                uint most, uint count, const TALLY_FN(position) *position,
                                tally_pack *pack) {
#if TALLY_NARROW && TALLY_PACK > 1 && !TALLY_EXACT
    if (!aligned) {
        __global const tally_stored *from = (__global const tally_stored *)row;
        TALLY_LOAD_SINGLES(pack, most, k < count, from[k * pitch + position->column[v]])
        return;
    }
#endif
#pragma unroll
    for (uint k = 0; k < most; k++)
        if (k < count)
            TALLY_FN(load)(row + k * pitch, aligned, position, &pack[k]);
}

/*
 * A lane's next count elements in each column: of strip rows from the one at `at` on, step of them
 * and so pitch elements apart; the first is the index-th term.
 */
static void TALLY_FN(run)(__global const TALLY_STORAGE *at, tally_index pitch, bool aligned,
                          uint step, uint count, tally_index index,
                          const TALLY_FN(position) * position, tally_state *sum) {
    tally_pack pack[TALLY_LANE_RUN];
    TALLY_FN(load_rows)(at, pitch, aligned, TALLY_LANE_RUN, count, position, pack);
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        tally_compute x[TALLY_LANE_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            if (k < count)
                x[k] = tally_unpack(&pack[k], v);
        sum[v] = tally_take(sum[v], x, count, index, step);
    }
}

/*
 * Every lanes-th strip row of a block of n, from the lane-th on, combined with sum in each column.
 */
static void TALLY_FN(fold_down)(__global const TALLY_STORAGE *in, tally_index stride, bool aligned,
                           uint n, uint lane, uint lanes, tally_index index,
                           const TALLY_FN(position) *position, tally_state *sum) {
    const tally_index pitch = lanes * stride;
    __global const TALLY_STORAGE *at = in + lane * stride;
    uint row = lane;
    for (; row + (TALLY_LANE_RUN - 1) * lanes < n; row += TALLY_LANE_RUN * lanes) {
        TALLY_FN(run)(at, pitch, aligned, lanes, TALLY_LANE_RUN, index + row, position, sum);
        at += TALLY_LANE_RUN * pitch;
    }
    if (row >= n)
        return;
    if (row + lanes >= n) {
        TALLY_FN(run)(at, pitch, aligned, lanes, 1, index + row, position, sum);
        return;
    }
    TALLY_FN(run)(at, pitch, aligned, lanes, (n - row + lanes - 1) / lanes, index + row, position,
                  sum);
}
