/*
 * A fold of contiguous rows: the terms of an output lie side by side. TALLY_EACH lanes of a block
 * belong to one work-item, so TALLY_MATES work-items share a block and a group has TALLY_SLOTS
 * blocks at a time. A run of all lanes is a stripe: neighbouring work-items read neighbouring
 * elements of it, 16 bytes at a time where the row is so aligned. Groups loop over units with
 * uniform bounds, so every work-item meets every barrier.
 */
#define TALLY_MATES (TALLY_LANES / TALLY_EACH)
#define TALLY_SLOTS (TALLY_GROUP / TALLY_MATES)

/* The lane that is the j-th of a work-item's. */
#define TALLY_LANE_OF(mate, j, aligned) ((aligned) ? (mate)*TALLY_EACH + (j) : (mate) + (j)*TALLY_MATES)

/* A work-item's part of one stripe. */
static void TALLY_FN(load)(__global const TALLY_STORAGE *stripe, uint mate, bool aligned,
                           tally_pack *pack) {
    if (aligned) {
        pack->bits = tally_load_pack(stripe + mate * TALLY_EACH);
    } else {
        pack->bits = (uint4)(0);
#pragma unroll
        for (uint j = 0; j < TALLY_EACH; j++)
            tally_put_in_pack(pack, j, stripe + TALLY_LANE_OF(mate, j, false));
    }
}

/* A work-item's part of a stripe of which n elements are there. */
static void TALLY_FN(load_part)(__global const TALLY_STORAGE *stripe, uint n, uint mate,
                                bool aligned, tally_pack *pack) {
    if (n >= TALLY_LANES) {
        TALLY_FN(load)(stripe, mate, aligned, pack);
        return;
    }
    pack->bits = (uint4)(0);
#pragma unroll
    for (uint j = 0; j < TALLY_EACH; j++)
        if (TALLY_LANE_OF(mate, j, aligned) < n)
            tally_put_in_pack(pack, j, stripe + TALLY_LANE_OF(mate, j, aligned));
}

/* A work-item's part of one block of n terms that begins with the index-th of its row. */
static void TALLY_FN(block)(__global const TALLY_STORAGE *in, uint n, tally_index index, uint mate,
                            bool aligned, tally_state *sum) {
    tally_pack pack[TALLY_LANE_RUN];
    tally_compute x[TALLY_LANE_RUN];
    uint stripe = 0;
    for (; stripe + TALLY_LANE_RUN * TALLY_LANES <= n; stripe += TALLY_LANE_RUN * TALLY_LANES) {
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            TALLY_FN(load)(in + stripe + k * TALLY_LANES, mate, aligned, &pack[k]);
#pragma unroll
        for (uint j = 0; j < TALLY_EACH; j++) {
#pragma unroll
            for (uint k = 0; k < TALLY_LANE_RUN; k++)
                x[k] = tally_unpack(&pack[k], j);
            sum[j] = tally_take(sum[j], x, TALLY_LANE_RUN,
                                index + stripe + TALLY_LANE_OF(mate, j, aligned));
        }
    }
    if (stripe == n)
        return;
#pragma unroll
    for (uint k = 0; k < TALLY_LANE_RUN; k++)
        if (stripe + k * TALLY_LANES < n)
            TALLY_FN(load_part)(in + stripe + k * TALLY_LANES, n - stripe - k * TALLY_LANES, mate,
                                aligned, &pack[k]);
#pragma unroll
    for (uint j = 0; j < TALLY_EACH; j++) {
        const uint first = stripe + TALLY_LANE_OF(mate, j, aligned);
        if (first < n) {
            const uint count =
                min((uint)TALLY_LANE_RUN, (n - first + TALLY_LANES - 1) / TALLY_LANES);
#pragma unroll
            for (uint k = 0; k < TALLY_LANE_RUN; k++)
                x[k] = tally_unpack(&pack[k], j);
            sum[j] = tally_take(sum[j], x, count, index + first);
        }
    }
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out, const tally_fold_args a) {
    __local tally_state sums[TALLY_SLOTS][TALLY_LANES];
    const uint mate = get_local_id(0) % TALLY_MATES;
    const uint slot = get_local_id(0) / TALLY_MATES;
    const tally_index units = (tally_index)a.head.units;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * TALLY_SLOTS; first < units;
         first += get_num_groups(0) * TALLY_SLOTS) {
        const tally_index unit = first + slot;
        const tally_index output = unit / (tally_index)a.blocks;
        const tally_index block = unit - output * (tally_index)a.blocks;
        tally_state sum[TALLY_EACH];
        bool aligned = false;
#pragma unroll
        for (uint j = 0; j < TALLY_EACH; j++)
            sum[j] = tally_neutral();
        if (unit < units) {
            const tally_index begin = block * TALLY_BLOCK;
            __global const TALLY_STORAGE *row = in + TALLY_ORIGIN(a, output) + begin;
            const uint n = (uint)min((tally_index)TALLY_BLOCK, (tally_index)a.terms - begin);
            aligned = (size_t)row % sizeof(uint4) == 0;
            TALLY_FN(block)(row, n, begin, mate, aligned, sum);
        }
#pragma unroll
        for (uint j = 0; j < TALLY_EACH; j++)
            sums[slot][TALLY_LANE_OF(mate, j, aligned)] = sum[j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint half_lanes = TALLY_LANES / 2; half_lanes > 0; half_lanes /= 2) {
            for (uint k = get_local_id(0); k < half_lanes * TALLY_SLOTS; k += TALLY_GROUP) {
                const uint lane = k % half_lanes;
                __local tally_state *lanes = sums[k / half_lanes];
                lanes[lane] = tally_join(lanes[lane], lanes[lane + half_lanes]);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (mate == 0 && unit < units)
            TALLY_PUT(out, a, output, block, sums[slot][0]);
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next units overwrite what was just read */
    }
}
#undef TALLY_MATES
#undef TALLY_SLOTS
#undef TALLY_LANE_OF
