/*
 * A work-item's lanes of a block of contiguous rows, and what becomes of them in local memory: the
 * lanes of a block are combined by halving.
 */
/* Halve the parts of the present blocks until `left` of each are left, `factor` times fewer. */
#define TALLY_HALVE(parts, present, left, factor)                                                  \
    for (uint k = get_local_id(0); k < present * (left); k += TALLY_GROUP) {                       \
        __local tally_state *own = parts + k / (left) * TALLY_PITCH + k % (left);                  \
        tally_state part[factor];                                                                  \
        _Pragma("unroll") for (uint j = 0; j < (factor); j++) part[j] = own[j * (left)];           \
        _Pragma("unroll") for (uint half_parts = (factor) / 2; half_parts > 0; half_parts /= 2)    \
            _Pragma("unroll") for (uint j = 0; j < half_parts; j++)                                \
                part[j] = tally_combine(part[j], part[j + half_parts]);                            \
        own[0] = part[0];                                                                          \
    }                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);

/* In steps that measured best: few barriers, yet work for many. */
#if TALLY_PARTS == 128
#define TALLY_COMBINE(parts, present)                                                              \
    TALLY_HALVE(parts, present, 32, 4) TALLY_HALVE(parts, present, 8, 4) TALLY_HALVE(parts, present, 2, 4) \
    TALLY_HALVE(parts, present, 1, 2)
#elif TALLY_PARTS == 64
#define TALLY_COMBINE(parts, present) TALLY_HALVE(parts, present, 8, 8) TALLY_HALVE(parts, present, 1, 8)
#elif TALLY_PARTS == 32
#define TALLY_COMBINE(parts, present) TALLY_HALVE(parts, present, 8, 4) TALLY_HALVE(parts, present, 1, 8)
#elif TALLY_PARTS == 16
#define TALLY_COMBINE(parts, present) TALLY_HALVE(parts, present, 8, 2) TALLY_HALVE(parts, present, 1, 8)
#else
#define TALLY_COMBINE(parts, present) TALLY_HALVE(parts, present, 1, 8)
#endif

#if TALLY_STRIPES && !TALLY_EXACT
/*
 * The lanes in the order of their positions in the stripe, which are lead further, and begin anew
 * behind the last. Lanes that are combined are as far apart there, and combining does not mind
 * which of two comes first. So they lie side by side and are stored by 16 bytes: one by one,
 * work-items would meet in the same banks.
 */
#define TALLY_STORES (TALLY_LANES_PER_ITEM * TALLY_STATE_BYTES / 16)
typedef union {
    tally_state state[TALLY_LANES_PER_ITEM];
    uint4 bits[TALLY_STORES > 0 ? TALLY_STORES : 1];
} TALLY_FN(own_lanes);

static void TALLY_FN(store_lanes)(__local tally_state *parts, uint mate, const tally_state *sum) {
    TALLY_FN(own_lanes) own;
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++)
        own.state[j] = sum[j];
    parts += mate * TALLY_LANES_PER_ITEM;
#pragma unroll
    for (uint i = 0; i < TALLY_STORES; i++)
        ((__local uint4 *)parts)[i] = own.bits[i];
#pragma unroll
    for (uint j = TALLY_STORES * (16 / TALLY_STATE_BYTES); j < TALLY_LANES_PER_ITEM; j++)
        parts[j] = own.state[j];
}
#endif

/* A work-item's lanes of a block into local memory. */
static void TALLY_FN(lanes)(__global const TALLY_SOURCE *row, uint n, tally_index begin,
                            tally_index scale, uint mate, __local tally_state *parts) {
    tally_state sum[TALLY_SUMS];
#if TALLY_FIRST && TALLY_LANES_PER_ITEM > 1
    const uint lead = (uint)((size_t)row % TALLY_PACK_BYTES / TALLY_BYTES);
#else
    const uint lead = 0;
#endif
#pragma unroll
    for (uint j = 0; j < TALLY_SUMS; j++)
        sum[j] = tally_identity();
#if TALLY_FIRST
    TALLY_FN(block)(row, n, begin, mate, lead, sum);
#else
    TALLY_FN(block)(row, n, begin, scale, mate, sum);
#endif
#if TALLY_EXACT
#pragma unroll
    for (uint j = 1; j < TALLY_SUMS; j++)
        sum[0] = tally_combine(sum[0], sum[j]);
    parts[mate] = sum[0];
#elif TALLY_STRIPES
    TALLY_FN(store_lanes)(parts, mate, sum);
#else
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++)
        parts[TALLY_LANE_OF(mate, j, lead)] = sum[j];
#endif
}
