/*
 * What schedules of contiguous rows share: a block of terms that lie side by side, done by TALLY_MATES
 * work-items, each with TALLY_LANES_EACH lanes, and joined in local memory. A run of all lanes is a
 * stripe: neighbouring work-items read neighbouring elements of it, 16 bytes at a time where the row
 * is so aligned. Where the order does not matter and a row has several blocks, stripes and blocks of
 * narrow elements are longer: 32 work-items share one.
 */
#if TALLY_EXACT && !TALLY_ONE_BLOCK && TALLY_LANES_EACH > TALLY_LANES / 32
#define TALLY_MATES 32
#else
#define TALLY_MATES (TALLY_LANES / TALLY_LANES_EACH)
#endif
#define TALLY_SLOTS (TALLY_GROUP / TALLY_MATES)
#define TALLY_STRIPE (TALLY_MATES * TALLY_LANES_EACH)
#define TALLY_ROW_BLOCK (TALLY_BLOCK / TALLY_LANES * TALLY_STRIPE)

/* The lane that is the j-th of a work-item's. */
#define TALLY_LANE_OF(mate, j, aligned)                                                            \
    ((aligned) ? (mate)*TALLY_LANES_EACH + (j) : (mate) + (j)*TALLY_MATES)

/*
 * What is joined through local memory: a block's lanes, or where the order does not matter what its
 * work-items have. The pitch puts neighbouring blocks' parts into different banks.
 */
#define TALLY_PARTS (TALLY_EXACT ? TALLY_MATES : TALLY_LANES)
#define TALLY_PITCH (TALLY_PARTS + 8)

#if TALLY_FIRST
/* A work-item's part of one stripe. */
static void TALLY_FN(load)(__global const TALLY_STORAGE *stripe, uint mate, bool aligned,
                           tally_pack *pack) {
    if (aligned) {
        pack->bits = tally_load_pack(stripe + mate * TALLY_LANES_EACH);
    } else {
        pack->bits = (uint4)(0);
#pragma unroll
        for (uint j = 0; j < TALLY_LANES_EACH; j++)
            tally_put_in_pack(pack, j, stripe + TALLY_LANE_OF(mate, j, false));
    }
}

/* A work-item's part of a stripe of which n elements are there. */
static void TALLY_FN(load_part)(__global const TALLY_STORAGE *stripe, uint n, uint mate,
                                bool aligned, tally_pack *pack) {
    if (n >= (aligned ? (mate + 1) * TALLY_LANES_EACH : TALLY_STRIPE)) {
        TALLY_FN(load)(stripe, mate, aligned, pack);
        return;
    }
    pack->bits = (uint4)(0);
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_EACH; j++)
        if (TALLY_LANE_OF(mate, j, aligned) < n)
            tally_put_in_pack(pack, j, stripe + TALLY_LANE_OF(mate, j, aligned));
}

/* A work-item's part of a run of stripes: its lanes' elements of it joined to sum. */
static void TALLY_FN(take)(const tally_pack *pack, tally_index index, uint mate, bool aligned,
                           tally_state *sum) {
    tally_compute x[TALLY_LANE_RUN];
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_EACH; j++) {
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            x[k] = tally_unpack(&pack[k], j);
        sum[j] = tally_take(sum[j], x, TALLY_LANE_RUN, index + TALLY_LANE_OF(mate, j, aligned),
                            TALLY_STRIPE);
    }
}

/* A work-item's part of one block of n terms that begins with the index-th of its row. */
static void TALLY_FN(block)(__global const TALLY_STORAGE *in, uint n, tally_index index, uint mate,
                            bool aligned, tally_state *sum) {
    tally_pack pack[TALLY_LANE_RUN];
    uint stripe = 0;
    for (; stripe + TALLY_LANE_RUN * TALLY_STRIPE <= n; stripe += TALLY_LANE_RUN * TALLY_STRIPE) {
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            TALLY_FN(load)(in + stripe + k * TALLY_STRIPE, mate, aligned, &pack[k]);
        TALLY_FN(take)(pack, index + stripe, mate, aligned, sum);
    }
    if (stripe == n)
        return;
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (stripe + k * TALLY_STRIPE < n)
            TALLY_FN(load_part)(in + stripe + k * TALLY_STRIPE, n - stripe - k * TALLY_STRIPE, mate,
                                aligned, &pack[k]);
#if TALLY_STATE_IS_SHIFTED /* which sees runs as a whole */
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_EACH; j++) {
        tally_compute x[TALLY_LANE_RUN];
        const uint first = stripe + TALLY_LANE_OF(mate, j, aligned);
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
            for (uint j = 0; j < TALLY_LANES_EACH; j++) {
                const uint at = stripe + k * TALLY_STRIPE + TALLY_LANE_OF(mate, j, aligned);
                const tally_compute x = tally_unpack(&pack[k], j);
                if (at < n)
                    sum[j] = tally_take(sum[j], &x, 1, index + at, 1);
            }
#endif
}
#else
/* States of a lane that are under way together. */
#define TALLY_STATES 16

/* The same of states, whose begin-th is the first: each stands for scale elements. */
static void TALLY_FN(block)(__global const tally_state *in, uint n, tally_index begin,
                            tally_index scale, uint mate, tally_state *sum) {
    tally_state state[TALLY_STATES];
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_EACH; j++) {
        for (uint i = TALLY_LANE_OF(mate, j, false); i < n; i += TALLY_STATES * TALLY_STRIPE) {
#pragma unroll
            for (uint k = 0; k < TALLY_STATES; k++)
                if (i + k * TALLY_STRIPE < n)
                    state[k] = in[i + k * TALLY_STRIPE];
#pragma unroll
            for (uint k = 0; k < TALLY_STATES; k++)
                if (i + k * TALLY_STRIPE < n)
                    sum[j] = tally_join(
                        sum[j], tally_resume(state[k], begin + i + k * TALLY_STRIPE, scale));
        }
    }
}
#endif

/* Halve the parts of the present blocks until `left` of each are left, `factor` times fewer. */
#define TALLY_HALVE(parts, present, left, factor)                                                           \
    for (uint k = get_local_id(0); k < present * (left); k += TALLY_GROUP) {                       \
        __local tally_state *own = parts + k / (left) * TALLY_PITCH + k % (left);                  \
        tally_state part[factor];                                                                  \
        _Pragma("unroll") for (uint j = 0; j < (factor); j++) part[j] = own[j * (left)];           \
        _Pragma("unroll") for (uint half_parts = (factor) / 2; half_parts > 0; half_parts /= 2)    \
            _Pragma("unroll") for (uint j = 0; j < half_parts; j++)                                \
                part[j] = tally_join(part[j], part[j + half_parts]);                               \
        own[0] = part[0];                                                                          \
    }                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);

/* In steps that measured best: few barriers, yet work for many. */
#if TALLY_PARTS == 128
#define TALLY_JOIN(parts, present)                                                                          \
    TALLY_HALVE(parts, present, 32, 4) TALLY_HALVE(parts, present, 8, 4) TALLY_HALVE(parts, present, 2, 4)                    \
    TALLY_HALVE(parts, present, 1, 2)
#elif TALLY_PARTS == 64
#define TALLY_JOIN(parts, present) TALLY_HALVE(parts, present, 8, 8) TALLY_HALVE(parts, present, 1, 8)
#elif TALLY_PARTS == 32
#define TALLY_JOIN(parts, present) TALLY_HALVE(parts, present, 8, 4) TALLY_HALVE(parts, present, 1, 8)
#elif TALLY_PARTS == 16
#define TALLY_JOIN(parts, present) TALLY_HALVE(parts, present, 8, 2) TALLY_HALVE(parts, present, 1, 8)
#else
#define TALLY_JOIN(parts, present) TALLY_HALVE(parts, present, 1, 8)
#endif

/* A work-item's lanes of a block into local memory. */
static void TALLY_FN(lanes)(__global const TALLY_SOURCE *row, uint n, tally_index begin,
                            tally_index scale, uint mate, __local tally_state *parts) {
    tally_state sum[TALLY_LANES_EACH];
#if TALLY_FIRST
    const bool aligned = (size_t)row % sizeof(uint4) == 0;
#else
    const bool aligned = false;
#endif
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_EACH; j++)
        sum[j] = tally_neutral();
#if TALLY_FIRST
    if (aligned) /* a constant there, so that it is not asked at each load */
        TALLY_FN(block)(row, n, begin, mate, true, sum);
    else
        TALLY_FN(block)(row, n, begin, mate, false, sum);
#else
    TALLY_FN(block)(row, n, begin, scale, mate, sum);
#endif
#if TALLY_EXACT
#pragma unroll
    for (uint j = 1; j < TALLY_LANES_EACH; j++)
        sum[0] = tally_join(sum[0], sum[j]);
    parts[mate] = sum[0];
#else
    if (aligned) {
#pragma unroll
        for (uint j = 0; j < TALLY_LANES_EACH; j++)
            parts[TALLY_LANE_OF(mate, j, true)] = sum[j];
    } else {
#pragma unroll
        for (uint j = 0; j < TALLY_LANES_EACH; j++)
            parts[TALLY_LANE_OF(mate, j, false)] = sum[j];
    }
#endif
}
