/*
 * What schedules of contiguous rows share: a block of terms that lie side by side, done by
 * TALLY_MATES work-items, each with TALLY_LANES_PER_ITEM lanes, and combined in local memory. A run
 * of all lanes is a stripe: neighbouring work-items read neighbouring packs of it, at aligned
 * positions. Where the order does not matter and a row has several blocks, stripes and blocks of
 * narrow elements are longer.
 *
 * A row that begins inside a pack, lead elements behind the pack's first, has its lanes rotated by
 * as many: the first work-item's first lanes are the stripe's last ones, whose elements are in the
 * pack where the next stripe begins.
 */
#if TALLY_FIRST && TALLY_EXACT && !TALLY_ONE_BLOCK
#define TALLY_MATES TALLY_ROW_MATES
#else
#define TALLY_MATES (TALLY_LANES / TALLY_LANES_PER_ITEM)
#endif
#define TALLY_SLOTS (TALLY_GROUP / TALLY_MATES)
#define TALLY_STRIPE (TALLY_MATES * TALLY_LANES_PER_ITEM)
#define TALLY_ROW_BLOCK (TALLY_BLOCK / TALLY_LANES * TALLY_STRIPE)

/* The lane that is the j-th of a work-item's; states, which are no packs, are dealt one by one. */
#if TALLY_FIRST
#define TALLY_LANE_OF(mate, j, lead) (((mate)*TALLY_LANES_PER_ITEM + (j) - (lead)) % TALLY_STRIPE)
#else
#define TALLY_LANE_OF(mate, j, lead) ((mate) + (j)*TALLY_MATES)
#endif

/*
 * What is combined through local memory: a block's lanes, or where the order does not matter what
 * its work-items have. The pitch puts neighbouring blocks' parts into different banks.
 */
#define TALLY_PARTS (TALLY_EXACT ? TALLY_MATES : TALLY_LANES)
#define TALLY_PITCH (TALLY_PARTS + 8)

/* What a work-item keeps of its lanes: all of them; of an index one, if it meets them in order. */
#if TALLY_STRIPES && TALLY_STATE_IS_INDEXED
#define TALLY_SUMS 1
#else
#define TALLY_SUMS TALLY_LANES_PER_ITEM
#endif

#if TALLY_FIRST && !TALLY_STRIPES
/* Terms of a lane that are under way together, at most. */
#define TALLY_DEEP (TALLY_RUNS_AT_ONCE * TALLY_LANE_RUN)

/*
 * What is behind whole runs is loaded by packs of narrow elements; wide ones are loaded one by one,
 * as rotating packs takes as long.
 */
#define TALLY_PACKS_OF_REST (TALLY_BYTES < 4 && TALLY_LANES_PER_ITEM > 1)

/*
 * Where arithmetic decides, wide elements of rows that begin inside a pack are loaded one by one
 * throughout: registers for rotating packs would leave a compute unit fewer groups.
 */
#define TALLY_LOADS_SINGLES                                                                        \
    (TALLY_STATE_IS_SHIFTED && TALLY_BYTES >= 4 && TALLY_LANES_PER_ITEM > 1)

#if TALLY_PACKS_OF_REST
/*
 * The pack that begins at the first-th position of stripes of which the elements lead..end - 1 are
 * the row's: at once if it does not reach beyond them, else those elements one by one.
 */
static void TALLY_FN(load_part)(__global const TALLY_STORAGE *stripes, uint first, uint lead,
                                uint end, tally_pack *pack) {
    pack->bits = (tally_pack_bits)(0);
    if (first + TALLY_LANES_PER_ITEM <= end)
        pack->bits = tally_load_pack(stripes + first);
    else if (first < end)
#pragma unroll
        for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++)
            if (first + j >= lead && first + j < end)
                tally_put_in_pack(pack, j, stripes + first + j);
}
#else
/* Those elements of the stripe one by one that are among its first n. */
static void TALLY_FN(load_part)(__global const TALLY_STORAGE *stripe, uint n, uint mate, uint lead,
                                tally_pack *pack) {
    pack->bits = (tally_pack_bits)(0);
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++)
        if (TALLY_LANE_OF(mate, j, lead) < n)
            tally_put_in_pack(pack, j, stripe + TALLY_LANE_OF(mate, j, lead));
}
#endif

/* A work-item's part of a run of stripes: its lanes' elements of it combined with sum. */
static void TALLY_FN(take)(const tally_pack *pack, tally_index index, uint mate, uint lead,
                           tally_state *sum) {
    tally_compute x[TALLY_LANE_RUN];
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++) {
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            x[k] = tally_unpack(&pack[k], j);
        sum[j] = tally_take(sum[j], x, TALLY_LANE_RUN, index + TALLY_LANE_OF(mate, j, lead),
                            TALLY_STRIPE);
    }
}

/*
 * The first work-item's first lanes, which are the last ones of a stripe, are in the pack behind
 * it: of so many stripes, of whose positions n have elements. All loops have constant bounds, so
 * that packs stay in registers.
 */
#if TALLY_LANES_PER_ITEM > 1 && !TALLY_LOADS_SINGLES
#define TALLY_ROTATE(in, stripes, n)                                                               \
    if (mate == 0 && lead > 0) {                                                                   \
        tally_pack mask, next;                                                                     \
        mask.bits = next.bits = (tally_pack_bits)(0);                                              \
        _Pragma("unroll") for (uint j = 0; j + 1 < TALLY_LANES_PER_ITEM; j++) if (j < lead) {      \
            tally_set_in_pack(&mask, j, (tally_stored) ~(tally_stored)0);                          \
            if ((stripes)*TALLY_STRIPE - lead + j < (n))                                           \
                tally_put_in_pack(&next, j, in + (stripes)*TALLY_STRIPE - lead + j);               \
        }                                                                                          \
        _Pragma("unroll") for (uint k = 0; k < (stripes); k++) pack[k].bits =                      \
            (pack[k].bits & ~mask.bits) |                                                          \
            ((k + 1 < (stripes) ? pack[k + 1].bits : next.bits) & mask.bits);                      \
    }
#else
#define TALLY_ROTATE(in, stripes, n)
#endif

/* A fence pays for elements of 8 bytes; on rows of others it took as much as it gave, or more. */
#if TALLY_BYTES == 8
#define TALLY_HOLD_RUNS(pack, count) tally_hold_all(pack, count)
#else
#define TALLY_HOLD_RUNS(pack, count) tally_hold(pack, count)
#endif

/* The packs of so many whole stripes. */
#define TALLY_LOAD_PACKS(in, stripes)                                                              \
    _Pragma("unroll") for (uint k = 0; k < (stripes); k++) pack[k].bits =                          \
        tally_load_pack(in + k * TALLY_STRIPE - lead + mate * TALLY_LANES_PER_ITEM);
#if TALLY_LOADS_SINGLES
#define TALLY_LOAD_WHOLE(in, stripes)                                                              \
    if (lead == 0) {                                                                               \
        TALLY_LOAD_PACKS(in, stripes)                                                              \
    } else {                                                                                       \
        _Pragma("unroll") for (uint k = 0; k < (stripes); k++)                                     \
            TALLY_FN(load_part)(in + k * TALLY_STRIPE, TALLY_STRIPE, mate, lead, &pack[k]);        \
    }
#else
#define TALLY_LOAD_WHOLE(in, stripes) TALLY_LOAD_PACKS(in, stripes)
#endif

/* Whole runs, so many of which are under way together, as long as there are as many. */
#define TALLY_WHOLE_RUNS(runs)                                                                     \
    for (; stripe + (runs)*TALLY_LANE_RUN * TALLY_STRIPE <= n;                                     \
         stripe += (runs)*TALLY_LANE_RUN * TALLY_STRIPE) {                                         \
        TALLY_LOAD_WHOLE(in + stripe, (runs)*TALLY_LANE_RUN)                                       \
        _Pragma("unroll") for (uint r = 0; r + 1 < (runs); r += 2)                                 \
            TALLY_HOLD_RUNS(pack + r * TALLY_LANE_RUN, 2 * TALLY_LANE_RUN);                        \
        TALLY_ROTATE(in + stripe, (runs)*TALLY_LANE_RUN, (runs)*TALLY_LANE_RUN * TALLY_STRIPE)     \
        _Pragma("unroll") for (uint r = 0; r < (runs); r++)                                        \
            TALLY_FN(take)(pack + r * TALLY_LANE_RUN,                                              \
                           index + stripe + r * TALLY_LANE_RUN * TALLY_STRIPE, mate, lead, sum);   \
    }

/* A work-item's part of one block of n terms that begins with the index-th of its row. */
static void TALLY_FN(block)(__global const TALLY_STORAGE *in, uint n, tally_index index, uint mate,
                            uint lead, tally_state *sum) {
    tally_pack pack[TALLY_DEEP];
    uint stripe = 0;
#if TALLY_RUNS_AT_ONCE > 1
    TALLY_WHOLE_RUNS(TALLY_RUNS_AT_ONCE)
#endif
    TALLY_WHOLE_RUNS(1)
    if (stripe == n)
        return;
#if TALLY_PACKS_OF_REST
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        TALLY_FN(load_part)(in + stripe - lead, k * TALLY_STRIPE + mate * TALLY_LANES_PER_ITEM,
                            lead,
                            n - stripe + lead, &pack[k]);
    TALLY_ROTATE(in + stripe, TALLY_LANE_RUN, n - stripe)
#else
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (stripe + k * TALLY_STRIPE < n)
            TALLY_FN(load_part)(in + stripe + k * TALLY_STRIPE, n - stripe - k * TALLY_STRIPE, mate,
                                lead, &pack[k]);
#endif
#if TALLY_STATE_IS_SHIFTED /* which sees runs as a whole */
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++) {
        tally_compute x[TALLY_LANE_RUN];
        const uint first = stripe + TALLY_LANE_OF(mate, j, lead);
        if (first < n) {
            const uint count =
                min((uint)TALLY_LANE_RUN, (n - first + TALLY_STRIPE - 1) / TALLY_STRIPE);
#pragma unroll
            for (uint k = 0; k < TALLY_LANE_RUN; k++)
                x[k] = tally_unpack(&pack[k], j);
            sum[j] = tally_take(sum[j], x, count, index + first, TALLY_STRIPE);
        }
    }
#else
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (stripe + k * TALLY_STRIPE < n)
#pragma unroll
            for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++) {
                const uint at = stripe + k * TALLY_STRIPE + TALLY_LANE_OF(mate, j, lead);
                const tally_compute x = tally_unpack(&pack[k], j);
                if (at < n)
                    sum[j] = tally_take(sum[j], &x, 1, index + at, 1);
            }
#endif
}
#elif !TALLY_FIRST
/* States of a lane that are under way together. */
#define TALLY_STATES 16

/* The same of states, whose begin-th is the first: each stands for scale elements. */
static void TALLY_FN(block)(__global const tally_state *in, uint n, tally_index begin,
                            tally_index scale, uint mate, tally_state *sum) {
    tally_state state[TALLY_STATES];
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++) {
        for (uint i = TALLY_LANE_OF(mate, j, 0); i < n; i += TALLY_STATES * TALLY_STRIPE) {
#pragma unroll
            for (uint k = 0; k < TALLY_STATES; k++)
                if (i + k * TALLY_STRIPE < n)
                    state[k] = in[i + k * TALLY_STRIPE];
#pragma unroll
            for (uint k = 0; k < TALLY_STATES; k++)
                if (i + k * TALLY_STRIPE < n)
                    sum[j] = tally_combine(
                        sum[j], tally_resume(state[k], begin + i + k * TALLY_STRIPE, scale));
        }
    }
}
#endif
