/*
 * A fold of short contiguous rows, packed one after the other: a group brings a tile of a.across
 * whole rows into local memory, 16 bytes per work-item at a time, as a state for each element, and
 * joins them there by halving, all rows at once. Groups loop over tiles with uniform bounds, so
 * every work-item meets every barrier.
 */
#define TALLY_TILE_STATES (TALLY_TILE_BYTES / TALLY_STATE_BYTES)

/* Packs of a tile that a work-item brings: all are under way before the first is needed. */
#define TALLY_BRINGS                                                                               \
    ((TALLY_TILE_STATES + TALLY_PACK * TALLY_GROUP - 1) / (TALLY_PACK * TALLY_GROUP))

/* The state of a tile's element: of an index, the place in its row counts. */
static tally_state TALLY_FN(single)(tally_raw raw, uint at, uint terms) {
    const tally_compute x = tally_of_raw(raw);
    return tally_take(tally_neutral(), &x, 1, TALLY_STATE_IS_INDEXED ? at % terms : 0);
}

/* Bring n elements to the tile. */
static void TALLY_FN(fill)(__global const TALLY_STORAGE *in, __local tally_state *tile, uint n,
                           uint terms) {
    const uint item = get_local_id(0);
    const uint lead = (uint)((size_t)in % sizeof(uint4) / TALLY_BYTES);
    const uint head = lead == 0 ? 0 : min(n, TALLY_PACK - lead);
    const uint packs = (n - head) / TALLY_PACK;
    const uint rest = n - packs * TALLY_PACK; /* before the first pack and behind the last */
    tally_pack pack[TALLY_BRINGS];
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs)
            pack[b].bits = tally_load_pack(in + head + (item + b * TALLY_GROUP) * TALLY_PACK);
    if (item < rest) {
        const uint at = item < head ? item : item + packs * TALLY_PACK;
        tile[at] = TALLY_FN(single)(((__global const tally_raw *)in)[at], at, terms);
    }
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++)
        if (item + b * TALLY_GROUP < packs)
#pragma unroll
            for (uint p = 0; p < TALLY_PACK; p++) {
                const uint at = head + (item + b * TALLY_GROUP) * TALLY_PACK + p;
                tile[at] = TALLY_FN(single)(tally_raw_of(&pack[b], p), at, terms);
            }
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out, const tally_fold_args a) {
    __local tally_state tile[TALLY_TILE_STATES];
    __local tally_state halves[TALLY_TILE_STATES];
    const uint item = get_local_id(0);
    const uint terms = (uint)a.terms;
    const uint rows = (uint)a.across;
    const tally_index outputs = (tally_index)a.outputs;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        const tally_index first = unit * rows;
        const uint present = (uint)min((tally_index)rows, outputs - first);
        TALLY_FN(fill)(in + first * terms, tile, present * terms, terms);
        barrier(CLK_LOCAL_MEM_FENCE);
        /* The first halving spreads the rows, which then meet different banks in the next ones. */
        const uint pitch = (uint)a.slices / 2 | 1;
        for (uint half_lanes = (uint)a.slices / 2; half_lanes > 0; half_lanes /= 2) {
            const bool spreads = half_lanes == (uint)a.slices / 2;
            const uint shift = 31 - clz(half_lanes);
            for (uint k = item; k < present << shift; k += TALLY_GROUP) {
                const uint lane = k & (half_lanes - 1), row = k >> shift;
                __local tally_state *to = halves + row * pitch + lane;
                __local tally_state *from = spreads ? tile + row * terms + lane : to;
                if (!spreads || lane + half_lanes < terms)
                    *to = tally_join(from[0], from[half_lanes]);
                else
                    *to = from[0];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (uint row = item; row < present; row += TALLY_GROUP)
            TALLY_PUT(out, a, first + row, 0, terms == 1 ? tile[row] : halves[row * pitch]);
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next tile overwrites what was just read */
    }
}
#undef TALLY_TILE_STATES
#undef TALLY_BRINGS
