/*
 * A diagonal fill by single work-items, an element each. Elements are moved as unsigned integers of
 * their size, so their bits survive, and a double needs no fp64.
 */
__kernel void TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                           const tally_fill_args a) {
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    const tally_index width = (tally_index)(a.high - a.low);
    for (tally_index unit = get_global_id(0); unit < (tally_index)a.head.units;
         unit += get_global_size(0)) {
        const tally_index t =
            TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.diagonal, unit) - (tally_index)a.low;
        TALLY_STORAGE element = 0;
        if ((t < width) != (a.inverted != 0))
            element = (TALLY_STORAGE)a.value;
        else if (a.in_place != 0)
            continue;
#if TALLY_HAS_INPUT
        else
            element = in[TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_in, unit)];
#endif
        out[TALLY_OFFSET(TALLY_KEPT_RANK, a.kept_size, a.kept_out, unit)] = element;
    }
}
