/*
 * What the scan kernels for CPUs share: a work-item is a group of its own and scans a vector of
 * runs at a time, a term of each run in a lane; the levels above are joined run by run. Elements
 * are read before the place of any of them is written, so that in place is right.
 */
/* Vectors of a run. */
#define TALLY_PARTS_OF_RUN (TALLY_RUN / TALLY_WIDTH)

/*
 * The terms of a vector of runs, x[k] their k-th ones: each becomes what its place adds to the runs
 * before; returns the runs' totals.
 */
TALLY_INLINE tally_terms TALLY_FN(fold_runs)(tally_terms *x) {
    tally_terms sum = x[0];
#if TALLY_EXCLUSIVE
    x[0] = tally_neutral_all();
#endif
#pragma unroll
    for (uint k = 1; k < TALLY_RUN; k++) {
        const tally_terms joined = tally_join_all_terms(sum, x[k]);
        x[k] = TALLY_EXCLUSIVE ? sum : joined;
        sum = joined;
    }
    return sum;
}
