/*
 * The spans of a unit, TALLY_SPANS of each of its columns, as a group has them in local memory: for
 * units of rows and of boxes.
 */
/* Fold the totals of a unit's spans, beginning with sum: each becomes what comes before it. */
static tally_term TALLY_FN(fold_spans)(tally_term sum, __local tally_term *spans, uint column) {
#pragma unroll
    for (uint span = 0; span < TALLY_SPANS; span++) {
        const tally_term total = spans[column * TALLY_SPANS + span];
        spans[column * TALLY_SPANS + span] = sum;
        sum = tally_combine_terms(sum, total);
    }
    return sum;
}
