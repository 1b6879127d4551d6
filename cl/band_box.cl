/*
 * A diagonal fill on GPUs of any strides, where input and output lie in one order or there is no
 * input. A unit is a box: its write places lie along the output's innermost axes, its read places
 * along further ones. A work-item has TALLY_PLACES_EACH of the write places, the same in all boxes,
 * and owns their elements at each read place, one after the other. What the band covers is not
 * read, and what stays in its place is not touched.
 */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_band_box_args a) {
    __local tally_index table[3][TALLY_GROUP];
    const uint lid = (uint)get_local_id(0);
    const tally_index width = (tally_index)(a.high - a.low);
    const bool inverted = a.inverted != 0, in_place = a.in_place != 0;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    {
        TALLY_FN(place) at = {0, 0, 0};
        const uint i = lid;
        TALLY_EACH_AXIS(TALLY_READ_PLACE)
        table[0][lid] = at.in;
        table[1][lid] = at.out;
        table[2][lid] = at.diagonal;
    }
    TALLY_FN(place) own[TALLY_PLACES_EACH];
#pragma unroll
    for (uint k = 0; k < TALLY_PLACES_EACH; k++) {
        TALLY_FN(place) at = {0, 0, 0 - (tally_index)a.low};
        const uint i = lid + k * TALLY_GROUP;
        TALLY_EACH_AXIS(TALLY_WRITE_PLACE)
        own[k] = at;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        uint reads = (uint)a.reads, writes = (uint)a.writes;
        tally_index rest = unit;
        TALLY_FN(place) origin = {0, 0, 0};
        TALLY_EACH_AXIS(TALLY_ORIGIN_OF)
        for (uint i = 0; i < reads; i++) {
            const tally_index t = origin.diagonal + table[2][i];
            const tally_index from = origin.in + table[0][i], to = origin.out + table[1][i];
            TALLY_STORAGE element[TALLY_PLACES_EACH];
            bool covered[TALLY_PLACES_EACH];
#pragma unroll
            for (uint k = 0; k < TALLY_PLACES_EACH; k++) {
                covered[k] = (t + own[k].diagonal < width) != inverted;
                element[k] = covered[k] ? (TALLY_STORAGE)a.value : 0;
#if TALLY_HAS_INPUT
                if (!covered[k] && lid + k * TALLY_GROUP < writes)
                    element[k] = in[from + own[k].in];
#endif
            }
#pragma unroll
            for (uint k = 0; k < TALLY_PLACES_EACH; k++)
                if (lid + k * TALLY_GROUP < writes && (covered[k] || !in_place))
                    out[to + own[k].out] = element[k];
        }
    }
}
