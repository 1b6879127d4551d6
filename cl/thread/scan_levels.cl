/*
 * A line of a scan by the levels of the order: what is complete of each, as its terms are visited.
 */

/* Of a line, what is complete at each level before what is at hand. */
typedef struct {
    tally_term stretches, tiles, spans, runs;
} TALLY_FN(levels);

/* A span ended with the end-th term: then its tile may have, and its stretch. */
static void TALLY_FN(end_span)(TALLY_FN(levels) *at, tally_index end) {
    const tally_term none = TALLY_IDENTITY;
    at->spans = tally_combine_terms(at->spans, at->runs);
    at->runs = none;
    if (end % TALLY_TILE == 0) {
        at->tiles = tally_combine_terms(at->tiles, at->spans);
        at->spans = none;
    }
    if (end % TALLY_STRETCH == 0) {
        at->stretches = tally_combine_terms(at->stretches, at->tiles);
        at->tiles = none;
    }
}
