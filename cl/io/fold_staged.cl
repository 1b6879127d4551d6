/*
 * A block of an output's terms in local memory, where elements that are neighbours in memory are
 * terms far apart. It is brought there in the order of memory: TALLY_LINES_BESIDE work-items beside
 * each other have a line each, and go along it. A position behind each TALLY_STAGE_GAP is left out,
 * so that lines of a round number of terms meet different banks.
 */
#if TALLY_LINES_BESIDE
#define TALLY_STAGE_OF(term) ((term) + (term) / TALLY_STAGE_GAP)
#define TALLY_STAGE_ELEMENTS (TALLY_BLOCK + TALLY_BLOCK / TALLY_STAGE_GAP)
#define TALLY_STAGE_STEP (TALLY_GROUP / TALLY_LINES_BESIDE) /* terms of a line that are under way */

/*
 * A work-item's terms of the line whose first term is that one, as far as they are the block's: a
 * step apart, others beside them.
 */
static void TALLY_FN(stage_line)(__global const TALLY_SOURCE *in, const tally_fold_any_args a,
                                 tally_index line, tally_index begin, tally_index end,
                                 __local tally_raw *staged) {
    const tally_index terms = min(line + (tally_index)a.line_terms, end);
    const tally_index before = line < begin ? begin - line : 0;
    const tally_index first = line + before / TALLY_STAGE_STEP * TALLY_STAGE_STEP +
                              get_local_id(0) / TALLY_LINES_BESIDE;
    tally_index at[TALLY_SWEPT_RANK];
    TALLY_FN(coordinates)(first, a, at);
    tally_index position = TALLY_FN(position_of)(a, at);
    for (tally_index term = first; term < terms; term += TALLY_LANE_RUN * TALLY_STAGE_STEP) {
        tally_raw raw[TALLY_LANE_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++) {
            const bool is_there = term + k * TALLY_STAGE_STEP < terms;
            raw[k] = ((__global const tally_raw *)in)[is_there ? position : 0];
            TALLY_FN(go_on)(a, TALLY_STAGE_STEP, at, &position);
        }
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++) {
            const tally_index own = term + k * TALLY_STAGE_STEP;
            if (own >= begin && own < terms)
                staged[TALLY_STAGE_OF((uint)(own - begin))] = raw[k];
        }
    }
}

/* Bring the terms begin to end - 1 of the output at in. */
static void TALLY_FN(stage)(__global const TALLY_SOURCE *in, const tally_fold_any_args a,
                            tally_index begin, tally_index end, __local tally_raw *staged) {
    const tally_index terms = (tally_index)a.line_terms;
    for (tally_index line = begin / terms + get_local_id(0) % TALLY_LINES_BESIDE;
         line * terms < end; line += TALLY_LINES_BESIDE)
        TALLY_FN(stage_line)(in, a, line * terms, begin, end, staged);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* A lane of a block of n terms, the first of which is the index-th. */
static tally_state TALLY_FN(sum_staged)(__local const tally_raw *staged, uint n, uint lane,
                                        tally_index index) {
    tally_state sum = tally_identity();
    for (uint term = lane; term < n; term += TALLY_LANE_RUN * TALLY_LANES) {
        const uint count =
            min((uint)TALLY_LANE_RUN, (n - term + TALLY_LANES - 1) / TALLY_LANES);
        tally_compute x[TALLY_LANE_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            x[k] = tally_of_raw(staged[k < count ? TALLY_STAGE_OF(term + k * TALLY_LANES) : 0]);
        sum = tally_take(sum, x, count, index + term, TALLY_LANES);
    }
    return sum;
}
#endif
