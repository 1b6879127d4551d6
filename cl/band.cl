/*
 * A diagonal fill by single work-items, an element each. Elements are moved as unsigned integers of
 * their size, so their bits survive, and a double needs no fp64.
 */
__kernel void TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                           const tally_band_args a) {
    in += a.head.in_offset;
    out += a.head.out_offset;
    const tally_index columns = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
    const tally_index rows = (tally_index)a.kept_size[TALLY_KEPT_RANK - 2];
    for (tally_index unit = get_global_id(0); unit < (tally_index)a.head.units;
         unit += get_global_size(0)) {
        const tally_index row = unit / columns;
        const tally_i64 x = (tally_i64)(unit - row * columns);
        const tally_i64 y = (tally_i64)(row % rows);
        const tally_i64 t = x - y;
        const bool inside = t >= a.low && t < a.high;
        TALLY_STORAGE element = 0;
        if (inside != (a.inverted != 0))
            element = (TALLY_STORAGE)a.value;
#if TALLY_HAS_INPUT
        else
            element = in[TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_in, unit)];
#endif
        out[TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out, unit)] = element;
    }
}
