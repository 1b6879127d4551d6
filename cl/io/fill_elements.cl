/*
 * A box of a fill on GPUs, element by element: into its image in local memory along the input's
 * memory, and out of it along the output's. Work-items side by side have read positions side by
 * side first, and then write positions. The image has a row for each read position,
 * a.local_pitch elements apart: an odd number of dwords or of wider elements, so that both ways
 * meet all banks.
 */
#if TALLY_SQUARE == 1

/* What is known of a box: of its read positions and, from read_entries on, its write positions. */
typedef struct {
    __local tally_stored *image;
    __local const tally_index *in_of, *out_of, *diagonal_of;
    uint read_entries, pitch, reads, writes;
    tally_index in, out, t;
} TALLY_FN(box);

/* Reads what the band does not cover, TALLY_ROWS_AT_ONCE elements under way; mixed: it may. */
TALLY_INLINE void TALLY_FN(bring)(__global const tally_stored *in, const TALLY_FN(box) *box,
                                  tally_index width, bool mixed, bool inverted,
                                  tally_stored value) {
    const uint lid = (uint)get_local_id(0), reads = box->reads, all = reads * box->writes;
    uint column = lid % reads, line = lid / reads;
    for (uint n = lid; n < all; n += TALLY_ROWS_AT_ONCE * TALLY_GROUP) {
        tally_stored element[TALLY_ROWS_AT_ONCE];
        uint slot[TALLY_ROWS_AT_ONCE];
#pragma unroll
        for (uint q = 0; q < TALLY_ROWS_AT_ONCE; q++) {
            const uint at_line = box->read_entries + min(line, box->writes - 1);
            bool kept = line < box->writes;
            element[q] = value;
            slot[q] = column * box->pitch + line;
            if (mixed) {
                const tally_index t = box->t + box->diagonal_of[column] + box->diagonal_of[at_line];
                kept = kept && (t < width) == inverted;
            }
#if TALLY_HAS_INPUT
            if (kept)
                element[q] = in[(tally_index)(box->in + box->in_of[column] + box->in_of[at_line])];
#endif
            TALLY_STEP(column, line, reads)
        }
#pragma unroll
        for (uint q = 0; q < TALLY_ROWS_AT_ONCE; q++)
            if (n + q * TALLY_GROUP < all)
                box->image[slot[q]] = TALLY_MAPPED(element[q]);
    }
}

/* Writes the image, or the value where the band covers all of the box. */
TALLY_INLINE void TALLY_FN(take)(__global tally_stored *out, const TALLY_FN(box) *box,
                                 bool covered, tally_stored value) {
    const uint lid = (uint)get_local_id(0), writes = box->writes, all = writes * box->reads;
    uint column = lid % writes, line = lid / writes;
    for (uint n = lid; n < all; n += 4 * TALLY_GROUP) {
#pragma unroll
        for (uint q = 0; q < 4; q++) {
            if (n + q * TALLY_GROUP < all) {
                const tally_stored element =
                    covered ? value : box->image[line * box->pitch + column];
                const tally_index at =
                    box->out + box->out_of[line] + box->out_of[box->read_entries + column];
                out[at] = element;
            }
            TALLY_STEP(column, line, writes)
        }
    }
}
#endif
