/*
 * A scan by single work-items: each walks one row from end to end and carries the five levels of
 * the order. In place is right: a term is read before its position is written, and never again. Of
 * a part's states a work-item folds a tile, and then one the tiles of a stretch.
 */
#if TALLY_PHASE == TALLY_TOTALS
__kernel void TALLY_KERNEL(__global const TALLY_STORAGE *in, __global tally_term *out,
                           const tally_scan_args a, __global tally_term *words) {
    in += a.head.in_offset;
    words += a.words;
    for (tally_index unit = get_global_id(0); unit < (tally_index)a.head.units;
         unit += get_global_size(0)) {
        const tally_index row = unit % (tally_index)a.rows, tile = unit / (tally_index)a.rows;
        const tally_index begin = TALLY_START_IN(a, row);
        tally_term spans = TALLY_IDENTITY;
        for (tally_index i = tile * TALLY_TILE; i < (tile + 1) * TALLY_TILE; i += TALLY_SPAN) {
            tally_term runs = TALLY_IDENTITY;
            for (tally_index run = i; run < i + TALLY_SPAN; run += TALLY_RUN) {
                tally_term terms = TALLY_IDENTITY;
                for (tally_index k = run; k < run + TALLY_RUN; k++)
                    terms = tally_combine_terms(
                        terms, tally_map(tally_load(in, begin + k * (tally_index)a.axis_in)));
                runs = tally_combine_terms(runs, terms);
            }
            spans = tally_combine_terms(spans, runs);
        }
        words[unit] = spans;
    }
}

#elif TALLY_PHASE == TALLY_STRETCHES
#define TALLY_WORDS_OF tally_term
#define TALLY_TILE_TOTAL(a, row, tile)                                                             \
    words[(tally_index)(a).words + (tile) * (tally_index)(a).rows + (row)]

#else
__kernel void TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                           const tally_scan_args a TALLY_CARRY_PARAMETER) {
    in += a.head.in_offset;
    out += a.head.out_offset;
    const tally_term none = TALLY_IDENTITY;
    for (tally_index row = get_global_id(0); row < (tally_index)a.head.units;
         row += get_global_size(0)) {
        tally_index from = TALLY_START_IN(a, row);
        tally_index to = TALLY_START_OUT(a, row);
        tally_term stretches = TALLY_CARRIED(a, row);
        tally_term tiles = none, spans = none, runs = none, terms = none;
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
#endif
