/*
 * The launch that hands on the states of a scan's part, STRETCHES: what the tiles of each stretch
 * come to. A unit is a stretch of a row, those of all rows before those of the next stretch. What
 * the words say of a tile is TALLY_TILE_TOTAL.
 */
#if TALLY_PHASE == TALLY_STRETCHES
__kernel void TALLY_KERNEL(__global const TALLY_STORAGE *in, __global tally_term *out,
                           const TALLY_ARGS a, __global TALLY_WORDS_OF *words) {
    (void)in;
    for (tally_index unit = get_global_id(0); unit < (tally_index)a.head.units;
         unit += get_global_size(0)) {
        const tally_index stretch = unit / (tally_index)a.rows;
        const tally_index row = unit - stretch * (tally_index)a.rows;
        tally_term sum = TALLY_IDENTITY;
        for (uint k = 0; k < TALLY_TILES; k++)
            sum = tally_combine_terms(sum, TALLY_TILE_TOTAL(a, row, stretch * TALLY_TILES + k));
        out[(tally_index)a.head.out_offset + TALLY_START_OUT(a, row) +
            stretch * (tally_index)a.axis_out] = sum;
    }
}
#endif
