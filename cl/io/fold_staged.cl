/*
 * Blocks of an output's terms in local memory, where elements that are neighbours in memory are
 * terms far apart. They are brought there in the order of memory: up to TALLY_LINES_BESIDE
 * work-items beside each other have a line each, and go along it. A position behind each
 * TALLY_STAGE_GAP is left out, so that lines of a round number of terms meet different banks.
 */
#if TALLY_LINES_BESIDE
#define TALLY_STAGED_BLOCKS (TALLY_BLOCKS_AT_ONCE > 0 ? TALLY_BLOCKS_AT_ONCE : 1)
#define TALLY_STAGE_OF(term) ((term) + (term) / TALLY_STAGE_GAP)
#define TALLY_STAGE_ELEMENTS                                                                       \
    (TALLY_STAGED_BLOCKS * (TALLY_BLOCK + TALLY_BLOCK / TALLY_STAGE_GAP))

/*
 * A work-item's terms of the line whose first term is that one, from the own-th on, as far as they
 * are the blocks': a step apart, others beside them.
 */
static void TALLY_FN(stage_line)(__global const TALLY_SOURCE *in, const tally_fold_any_args a,
                                 tally_index line, tally_index begin, tally_index end, uint own,
                                 uint step, __local tally_raw *staged) {
    const tally_index terms = min(line + (tally_index)a.line_terms, end);
    const tally_index before = line < begin ? begin - line : 0;
    const tally_index first = line + before / step * step + own;
    tally_index at[TALLY_SWEPT_RANK];
    TALLY_FN(coordinates)(first, a, at);
    tally_index position = TALLY_FN(position_of)(a, at);
    for (tally_index term = first; term < terms; term += TALLY_LANE_RUN * step) {
        tally_raw raw[TALLY_LANE_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++) {
            const bool is_there = term + k * step < terms;
            raw[k] = ((__global const tally_raw *)in)[is_there ? position : 0];
            TALLY_FN(go_on)(a, step, at, &position);
        }
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++) {
            const tally_index behind = term + k * step;
            if (behind >= begin && behind < terms)
                staged[TALLY_STAGE_OF((uint)(behind - begin))] = raw[k];
        }
    }
}

/*
 * Bring the terms begin to end - 1 of the output at in. If they lie in fewer than TALLY_LINES_BESIDE
 * lines, but in more than half as many, as many work-items are beside each other as there are lines.
 * So a step along a line is less than twice as long.
 */
static void TALLY_FN(stage)(__global const TALLY_SOURCE *in, const tally_fold_any_args a,
                            tally_index begin, tally_index end, __local tally_raw *staged) {
    const tally_index terms = (tally_index)a.line_terms, first = begin / terms;
    const tally_index lines = (end - 1) / terms - first + 1;
    const uint beside = lines > TALLY_LINES_BESIDE / 2 && lines < TALLY_LINES_BESIDE
                            ? (uint)lines
                            : TALLY_LINES_BESIDE;
    const uint step = TALLY_GROUP / beside, own = get_local_id(0) / beside;
    for (tally_index line = first + get_local_id(0) % beside; line * terms < end && own < step;
         line += beside)
        TALLY_FN(stage_line)(in, a, line * terms, begin, end, own, step, staged);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* A lane of a block, of the staged terms from first on and before end; the 0-th is the index-th. */
static tally_state TALLY_FN(sum_staged)(__local const tally_raw *staged, uint first, uint end,
                                        uint lane, tally_index index) {
    tally_state sum = tally_identity();
    for (uint term = first + lane; term < end; term += TALLY_LANE_RUN * TALLY_LANES) {
        const uint count =
            min((uint)TALLY_LANE_RUN, (end - term + TALLY_LANES - 1) / TALLY_LANES);
        tally_compute x[TALLY_LANE_RUN];
#pragma unroll
        for (uint k = 0; k < TALLY_LANE_RUN; k++)
            x[k] = tally_of_raw(staged[k < count ? TALLY_STAGE_OF(term + k * TALLY_LANES) : 0]);
        sum = tally_take(sum, x, count, index + term, TALLY_LANES);
    }
    return sum;
}
#endif
