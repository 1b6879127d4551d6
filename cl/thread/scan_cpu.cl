/*
 * What the scan kernels for CPUs share: a work-item is a group of its own and scans a vector of
 * runs at a time, a term of each run in a lane; the levels above are combined run by run. Elements
 * are read before the position of any of them is written, so that in place is right.
 */
/* Vectors of a run. */
#define TALLY_PARTS_OF_RUN (TALLY_RUN / TALLY_WIDTH)

/*
 * The terms of a vector of runs, x[k] their k-th ones: each becomes what its position adds to the
 * runs before; returns the runs' totals.
 */
TALLY_INLINE tally_terms TALLY_FN(fold_runs)(tally_terms *x) {
    tally_terms sum = x[0];
#if TALLY_EXCLUSIVE
    x[0] = tally_identity_all();
#endif
#pragma unroll
    for (uint k = 1; k < TALLY_RUN; k++) {
        const tally_terms combined = tally_combine_all_terms(sum, x[k]);
        x[k] = TALLY_EXCLUSIVE ? sum : combined;
        sum = combined;
    }
    return sum;
}

static tally_index TALLY_FN(size_of)(tally_u64 stride) {
    const tally_index s = (tally_index)stride;
    return (stride >> 63) != 0 ? 0 - s : s;
}

/*
 * The elements that the input reaches over. Vectors may be read wherever they end inside, whatever
 * of them is used: one that was put together from elements would wait for their stores, and so for
 * those past the caches.
 */
static tally_index TALLY_FN(reach)(tally_u64 terms, tally_u64 axis_in, const tally_u64 *kept_size,
                                   const tally_u64 *kept_in) {
    tally_index last = (tally_index)(terms - 1) * TALLY_FN(size_of)(axis_in);
    for (uint k = 0; k < TALLY_KEPT_RANK; k++)
        last += (tally_index)(kept_size[k] - 1) * (tally_index)kept_in[k];
    return last + 1;
}
#define TALLY_REACH(a) TALLY_FN(reach)((a).terms, (a).axis_in, (a).kept_size, (a).kept_in)
