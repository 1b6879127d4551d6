/*
 * A fold down columns: outputs that are neighbours have terms that are neighbours. A work-item has
 * TALLY_PACK columns, 16 bytes, and of each block of their terms TALLY_EACH lanes; a.slices
 * work-items share the block, a.across stand side by side over a strip of columns, and a group has
 * several such strips at a time where they are narrow. Groups loop over units with uniform bounds,
 * so every work-item meets every barrier.
 */

/* The column of the strip that is the v-th of a work-item's. */
#define TALLY_COLUMN_OF(x, v, aligned) ((aligned) ? (x)*TALLY_PACK + (v) : (x) + (v) * across)

/* Halvings that join a work-item's lanes. */
#if TALLY_EACH == 1
#define TALLY_LEVELS 0
#elif TALLY_EACH == 2
#define TALLY_LEVELS 1
#elif TALLY_EACH == 4
#define TALLY_LEVELS 2
#elif TALLY_EACH == 8
#define TALLY_LEVELS 3
#else
#define TALLY_LEVELS 4
#endif

/* What a work-item needs to know of its place. */
typedef struct {
    uint x, across;     /* its place among those side by side, and their number */
    uint slice, slices; /* its place among those that share a block */
    uint width;         /* columns of the strip */
    bool aligned;       /* each row begins at a multiple of 16 bytes, and so does its end */
} TALLY_FN(place);

/* The elements of one row in a work-item's columns. */
static void TALLY_FN(load)(__global const TALLY_STORAGE *row, const TALLY_FN(place) *place,
                           tally_pack *pack) {
    const uint across = place->across;
    if (place->aligned) {
        pack->bits = tally_load_pack(row + place->x * TALLY_PACK);
    } else {
        pack->bits = (uint4)(0);
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            if (TALLY_COLUMN_OF(place->x, v, false) < place->width)
                tally_put_in_pack(pack, v, row + TALLY_COLUMN_OF(place->x, v, false));
    }
}

/* A lane's next count elements in each column, stride apart; the first row is the index-th. */
static void TALLY_FN(run)(__global const TALLY_STORAGE *row, tally_index stride, uint count,
                          tally_index index, const TALLY_FN(place) *place, tally_state *sum) {
    tally_pack pack[TALLY_LANE_RUN];
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (k < count)
            TALLY_FN(load)(row + k * stride, place, &pack[k]);
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        tally_compute x[TALLY_LANE_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            if (k < count)
                x[k] = tally_unpack(&pack[k], v);
        sum[v] = tally_take(sum[v], x, count, index);
    }
}

/* One lane of a block of n rows in each column: the rows lane, lane + lanes and so on. */
static void TALLY_FN(down)(__global const TALLY_STORAGE *in, tally_index stride, uint n, uint lane,
                           uint lanes, tally_index index, const TALLY_FN(place) *place,
                           tally_state *sum) {
    uint row = lane;
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        sum[v] = tally_neutral();
    for (; row + (TALLY_LANE_RUN - 1) * lanes < n; row += TALLY_LANE_RUN * lanes)
        TALLY_FN(run)(in + row * stride, lanes * stride, TALLY_LANE_RUN, index + row, place, sum);
    if (row >= n)
        return;
    if (row + lanes >= n)
        TALLY_FN(run)(in + row * stride, 0, 1, index + row, place, sum);
    else
        TALLY_FN(run)(in + row * stride, lanes * stride, (n - row + lanes - 1) / lanes,
                      index + row, place, sum);
}

/* The same where a lane has one row at most: all are under way before the first is needed. */
static void TALLY_FN(low_block)(__global const TALLY_STORAGE *in, tally_index stride, uint n,
                                tally_index index, const TALLY_FN(place) *place,
                                tally_state *sum) {
    tally_pack pack[TALLY_EACH];
#pragma unroll
    for (uint m = 0; m < TALLY_EACH; m++)
        if (place->slice + place->slices * m < n)
            TALLY_FN(load)(in + (place->slice + place->slices * m) * stride, place, &pack[m]);
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        tally_state lane[TALLY_EACH];
#pragma unroll
        for (uint m = 0; m < TALLY_EACH; m++) {
            const uint row = place->slice + place->slices * m;
            lane[m] = tally_neutral();
            if (row < n) {
                const tally_compute x = tally_unpack(&pack[m], v);
                lane[m] = tally_take(lane[m], &x, 1, index + row);
            }
        }
#pragma unroll
        for (uint half_lanes = TALLY_EACH / 2; half_lanes > 0; half_lanes /= 2)
#pragma unroll
            for (uint m = 0; m < half_lanes; m++)
                lane[m] = tally_join(lane[m], lane[m + half_lanes]);
        sum[v] = lane[0];
    }
}

/*
 * A work-item's part of one block of n rows, the first of which is the index-th: its lanes one after
 * the other, in bit-reversed order, in which joining by halving needs one state per halving, like
 * the digits of a counter. Array indices are constants, so that states stay in registers.
 */
static void TALLY_FN(block)(__global const TALLY_STORAGE *in, tally_index stride, uint n,
                            tally_index index, const TALLY_FN(place) *place, tally_state *sum) {
    tally_state pending[TALLY_LEVELS + 1][TALLY_PACK];
    const uint lanes = place->slices * TALLY_EACH;
#pragma unroll 1
    for (uint visit = 0; visit < TALLY_EACH; visit++) {
        uint turn = 0;
#pragma unroll
        for (uint level = 0; level < TALLY_LEVELS; level++)
            turn |= (visit >> level & 1u) << (TALLY_LEVELS - 1 - level);
        TALLY_FN(down)(in, stride, n, place->slice + place->slices * turn, lanes, index, place, sum);
#pragma unroll
        for (uint level = 0; level <= TALLY_LEVELS; level++) {
            if ((visit & ((1u << level) - 1)) != (1u << level) - 1)
                continue; /* the sum came to rest at a lower level */
            const bool rests = level == TALLY_LEVELS || (visit >> level & 1u) == 0;
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++) {
                if (rests)
                    pending[level][v] = sum[v];
                else
                    sum[v] = tally_join(pending[level][v], sum[v]);
            }
        }
    }
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out, const tally_fold_args a) {
    __local tally_state sums[TALLY_PACK][TALLY_GROUP];
    const uint item = get_local_id(0);
    const uint across = (uint)a.across;
    const uint team = across * (uint)a.slices;
    const uint slots = TALLY_GROUP / team;
    const uint slot = item / team;
    const tally_index units = (tally_index)a.head.units;
    const tally_index columns = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
    const uint strip_width = across * TALLY_PACK;
    const tally_index strips = (columns + strip_width - 1) / strip_width;
    const tally_index stride = (tally_index)a.swept_in[TALLY_SWEPT_RANK - 1];
    TALLY_FN(place) place;
    place.x = item % across;
    place.across = across;
    place.slice = item % team / across;
    place.slices = (uint)a.slices;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * slots; first < units;
         first += get_num_groups(0) * slots) {
        const tally_index unit = first + slot;
        const bool active = slot < slots && unit < units;
        const tally_index strip = unit % strips;
        const tally_index block = unit / strips % (tally_index)a.blocks;
        const tally_index output =
            unit / strips / (tally_index)a.blocks * columns + strip * strip_width;
        tally_state sum[TALLY_PACK];
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            sum[v] = tally_neutral();
        place.width = (uint)min((tally_index)strip_width, columns - strip * strip_width);
        if (active) {
            const tally_index begin = block * TALLY_BLOCK;
            __global const TALLY_STORAGE *rows =
                in + TALLY_ORIGIN(a, output) + begin * stride;
            const uint n = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin);
            place.aligned = (size_t)rows % sizeof(uint4) == 0 && stride % TALLY_PACK == 0 &&
                            place.width % TALLY_PACK == 0;
            if (place.x * (place.aligned ? TALLY_PACK : 1) >= place.width)
                ; /* beyond the strip */
            else if (n <= place.slices * TALLY_EACH)
                TALLY_FN(low_block)(rows, stride, n, begin, &place, sum);
            else
                TALLY_FN(block)(rows, stride, n, begin, &place, sum);
        }
#pragma unroll
        for (uint v = 0; v < TALLY_PACK; v++)
            sums[v][item] = sum[v];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint half_slices = place.slices / 2; half_slices > 0; half_slices /= 2) {
            if (place.slice < half_slices && slot < slots)
#pragma unroll
                for (uint v = 0; v < TALLY_PACK; v++)
                    sums[v][item] = tally_join(sums[v][item], sums[v][item + half_slices * across]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (active && place.slice == 0)
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++) {
                const uint column = TALLY_COLUMN_OF(place.x, v, place.aligned);
                if (column < place.width)
                    TALLY_PUT(out, a, output + column, block, sums[v][item]);
            }
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next units overwrite what was just read */
    }
}
#undef TALLY_COLUMN_OF
#undef TALLY_LEVELS
