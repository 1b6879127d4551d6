/*
 * A fold by single work-items: each does one block of one output's terms, neighbours do
 * neighbouring outputs. The lanes are visited in bit-reversed order, in which combining by halving
 * needs one accumulator per halving, like the digits of a counter.
 */
#define TALLY_LEVELS 8 /* 128 lanes are halved 7 times */

__kernel void TALLY_KERNEL(__global const TALLY_SOURCE *in, __global TALLY_TARGET *out,
                           const tally_fold_any_args a) {
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index unit = get_global_id(0); unit < (tally_index)a.head.units;
         unit += get_global_size(0)) {
        const tally_index block = unit / (tally_index)a.outputs;
        const tally_index output = unit - block * (tally_index)a.outputs;
        __global const TALLY_SOURCE *row = in + TALLY_ORIGIN(a, output);
        const tally_index begin = block * TALLY_BLOCK;
        const tally_index end = min(begin + TALLY_BLOCK, (tally_index)a.terms);
        tally_state pending[TALLY_LEVELS];
        uint levels = 0; /* fewer terms than lanes need fewer: the missing ones are the identity */
        while (levels < TALLY_LEVELS - 1 && (1u << levels) < end - begin)
            levels++;
        for (uint visit = 0; visit < 1u << levels; visit++) {
            uint lane = 0;
            for (uint bit = 0; bit < levels; bit++)
                lane |= (visit >> bit & 1u) << (levels - 1 - bit);
            tally_state sum = TALLY_FN(sum_lane)(row, a, begin + lane, end);
            uint level = 0;
            for (; (visit >> level & 1u) != 0; level++)
                sum = tally_combine(pending[level], sum);
            pending[level] = sum;
        }
        TALLY_PUT(out, a, output, block, pending[levels]);
    }
}
