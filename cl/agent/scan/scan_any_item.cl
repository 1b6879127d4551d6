/*
 * A scan by single work-items: each walks one row from end to end and carries the five levels of
 * the order. In place is right: a term is read before its position is written, and never again.
 */
__kernel void TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                           const tally_scan_args a) {
    in += a.head.in_offset;
    out += a.head.out_offset;
    const tally_term none = TALLY_IDENTITY;
    for (tally_index row = get_global_id(0); row < (tally_index)a.head.units;
         row += get_global_size(0)) {
        tally_index from = TALLY_START_IN(a, row);
        tally_index to = TALLY_START_OUT(a, row);
        tally_term stretches = none, tiles = none, spans = none, runs = none, terms = none;
        for (tally_index i = 0; i < (tally_index)a.terms; i++) {
            if (i % TALLY_RUN == 0) {
                runs = tally_combine_terms(runs, terms);
                terms = none;
            }
            if (i % TALLY_SPAN == 0) {
                spans = tally_combine_terms(spans, runs);
                runs = none;
            }
            if (i % TALLY_TILE == 0) {
                tiles = tally_combine_terms(tiles, spans);
                spans = none;
            }
            if (i % TALLY_STRETCH == 0) {
                stretches = tally_combine_terms(stretches, tiles);
                tiles = none;
            }
            const tally_term before = terms;
            terms = tally_combine_terms(terms, tally_map(tally_load(in, from)));
            const tally_term total = TALLY_JOIN4(
                tiles, spans, runs, TALLY_EXCLUSIVE ? before : terms);
            TALLY_FN(put)(out, to, i, tally_combine_terms(stretches, total));
            from += (tally_index)a.axis_in;
            to += (tally_index)a.axis_out;
        }
    }
}
