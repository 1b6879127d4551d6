/*
 * A fold without swept axes: an output is the function of one element, and an index is 0. A unit is
 * a pack of elements that lie side by side on both sides, or one element. The axes are in the order
 * of the output's memory, and work-items that are neighbours have neighbouring outputs.
 */
#if TALLY_STATE_IS_INDEXED
#define TALLY_MAPPED(in, i) (out[i] = 0)
#else
#define TALLY_MAPPED(in, i) tally_store(out, i, tally_end(tally_begin(tally_load(in, 0), 0), count))
#endif

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *target,
             const tally_fold_args a) {
    const tally_index columns = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
    const tally_index pieces = (columns + TALLY_PACK - 1) / TALLY_PACK;
    const tally_u64 count = a.count;
    in += a.head.in_offset;
    target += a.head.out_offset;
    for (tally_index unit = get_global_id(0); unit < (tally_index)a.head.units;
         unit += get_global_size(0)) {
        const tally_index line = unit / pieces, column = (unit - line * pieces) * TALLY_PACK;
        const tally_index at = line * columns + column;
        __global const TALLY_STORAGE *from =
            in + TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_in, at);
        __global TALLY_TARGET *out =
            target + TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out, at);
#if !TALLY_STATE_IS_INDEXED && TALLY_PACK > 1
        const bool is_whole = column + TALLY_PACK <= columns;
        if (is_whole && (size_t)out % TALLY_PACK_BYTES == 0) {
            tally_pack pack;
            tally_state state[TALLY_PACK];
            pack.bits = (tally_pack_bits)(0);
            if ((size_t)from % TALLY_PACK_BYTES == 0) {
                pack.bits = tally_load_pack(from);
            } else {
#pragma unroll
                for (uint v = 0; v < TALLY_PACK; v++)
                    tally_put_in_pack(&pack, v, from + v);
            }
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++)
                state[v] = tally_begin(tally_unpack(&pack, v), 0);
            TALLY_FN(put_pack)(out, state, count);
            continue;
        }
#endif
        for (uint v = 0; v < TALLY_PACK; v++)
            if (column + v < columns)
                TALLY_MAPPED(from + v, v);
    }
}
