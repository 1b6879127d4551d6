/*
 * A box of a fill on GPUs, element by element: into its image in local memory along the input's
 * memory, and out of it along the output's (box_share.cl). The image has a row for each read
 * position, a.box.local_pitch elements apart: an odd number of dwords or of wider elements, so that
 * both ways meet all banks.
 */
#if TALLY_SQUARE == 1

/* What is known of a box: of its read positions and, from read_entries on, its write positions. */
typedef struct {
    __local tally_stored *image;
    __local const tally_index *in_of, *out_of, *diagonal_of;
    uint read_entries, pitch, reads, writes;
    tally_index in, out, t;
} TALLY_FN(box);

/*
 * Some lines of a column, all of which there are if whole is set. Of those that the band covers,
 * which there are only if mixed is set, the value is kept.
 */
TALLY_INLINE void TALLY_FN(bring_lines)(__global const tally_stored *in, const TALLY_FN(box) *box,
                                        uint column, uint line, const bool whole, const bool mixed,
                                        tally_index width, bool inverted, tally_stored value) {
    const tally_index from = box->in + box->in_of[column];
    __local tally_stored *to = box->image + column * box->pitch + line;
    tally_stored element[TALLY_ROWS_AT_ONCE];
    tally_index step[TALLY_ROWS_AT_ONCE], t[TALLY_ROWS_AT_ONCE];
    TALLY_FN(entries)(box->in_of + box->read_entries + line, TALLY_ROWS_AT_ONCE, step);
    if (mixed)
        TALLY_FN(entries)(box->diagonal_of + box->read_entries + line, TALLY_ROWS_AT_ONCE, t);
#pragma unroll
    for (uint q = 0; q < TALLY_ROWS_AT_ONCE; q++) {
        bool kept = whole || line + q < box->writes;
        if (mixed)
            kept = kept && (box->t + box->diagonal_of[column] + t[q] < width) == inverted;
        element[q] = value;
#if TALLY_HAS_INPUT
        if (kept)
            element[q] = in[(tally_index)(from + step[q])];
#endif
    }
#pragma unroll
    for (uint q = 0; q < TALLY_ROWS_AT_ONCE; q++)
        if (whole || line + q < box->writes)
            to[q] = TALLY_MAPPED(element[q]);
}

/* Reads what the band does not cover; mixed: it may. */
TALLY_INLINE void TALLY_FN(bring)(__global const tally_stored *in, const TALLY_FN(box) *box,
                                  tally_index width, bool mixed, bool inverted,
                                  tally_stored value) {
    const TALLY_FN(share) share = TALLY_FN(share_of)(box->reads);
    const uint step = share.blocks * TALLY_ROWS_AT_ONCE;
    for (uint column = share.column; column < box->reads; column += TALLY_GROUP)
        for (uint line = share.block * TALLY_ROWS_AT_ONCE; line < box->writes; line += step) {
            const bool whole = line + TALLY_ROWS_AT_ONCE <= box->writes;
            if (!mixed && whole)
                TALLY_FN(bring_lines)(in, box, column, line, true, false, width, inverted, value);
            else if (!mixed)
                TALLY_FN(bring_lines)(in, box, column, line, false, false, width, inverted, value);
            else
                TALLY_FN(bring_lines)(in, box, column, line, false, true, width, inverted, value);
        }
}

/* Some lines of a column of the output, all of which there are if whole is set. */
TALLY_INLINE void TALLY_FN(take_lines)(__global tally_stored *out, const TALLY_FN(box) *box,
                                       uint column, uint line, const bool whole, bool covered,
                                       tally_stored value) {
    const tally_index to = box->out + box->out_of[box->read_entries + column];
    __local const tally_stored *from = box->image + line * box->pitch + column;
    tally_index step[TALLY_FILL_TAKEN];
    TALLY_FN(entries)(box->out_of + line, TALLY_FILL_TAKEN, step);
#pragma unroll
    for (uint q = 0; q < TALLY_FILL_TAKEN; q++)
        if (whole || line + q < box->reads)
            out[(tally_index)(to + step[q])] = covered ? value : from[q * box->pitch];
}

/* Writes the image, or the value where the band covers all of the box. */
TALLY_INLINE void TALLY_FN(take)(__global tally_stored *out, const TALLY_FN(box) *box,
                                 bool covered, tally_stored value) {
    const TALLY_FN(share) share = TALLY_FN(share_of)(box->writes);
    const uint step = share.blocks * TALLY_FILL_TAKEN;
    for (uint column = share.column; column < box->writes; column += TALLY_GROUP)
        for (uint line = share.block * TALLY_FILL_TAKEN; line < box->reads; line += step)
            if (line + TALLY_FILL_TAKEN <= box->reads)
                TALLY_FN(take_lines)(out, box, column, line, true, covered, value);
            else
                TALLY_FN(take_lines)(out, box, column, line, false, covered, value);
}
#endif
