/*
 * A scan along contiguous rows on a CPU, or of few columns that lie as one: a work-item walks a
 * line from end to end. A unit is a line; a work-item takes a.turn of them in one go.
 */
__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_cpu_args a) {
    const tally_index units = (tally_index)a.head.units, turn = (tally_index)a.turn;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index first = get_group_id(0) * turn; first < units;
         first += get_num_groups(0) * turn)
        for (tally_index row = first; row < min(first + turn, units); row++) {
            const TALLY_FN(line) line = TALLY_LINE_OF(a, row, 0);
            TALLY_FN(levels) before = TALLY_NO_LEVELS;
            TALLY_FN(walk)(&line, 0, (tally_index)a.terms * TALLY_MERGED, &before);
        }
}
