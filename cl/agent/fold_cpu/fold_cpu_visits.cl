/*
 * The states of a strip of columns on a CPU (fold_cpu_columns.cl), and the visits to its lanes: a
 * run of rows goes to a lane's states, and those of a lane that is whole to the halvings. Knows
 * nothing of where rows are from.
 */
#define TALLY_LEVELS 8 /* 128 lanes are halved 7 times */
#define TALLY_SLOTS (TALLY_STRIP_BYTES / (TALLY_BYTES == 8 ? 8 : 4) / TALLY_WIDTH)

/* A strip's states: slot v is the vector at column v * TALLY_WIDTH, the last one ends with them. */
typedef struct {
    tally_states rest[TALLY_LEVELS][TALLY_SLOTS];
    tally_states lane[TALLY_SLOTS];
} TALLY_FN(strip);

/* A run of a visited lane: its position in the lane and among the terms. */
typedef struct {
    uint visit, row, lanes;
    bool is_first, is_last;
} TALLY_FN(run);

/* The lane that a visit is to: its bits in reverse. */
static uint TALLY_FN(lane_of)(uint visit, uint levels) {
    uint lane = 0;
    for (uint bit = 0; bit < levels; bit++)
        lane |= (visit >> bit & 1u) << (levels - 1 - bit);
    return lane;
}

/* A lane's sum in one slot: on to its next run or, if there is none, to the halvings. */
TALLY_INLINE void TALLY_FN(put_down)(tally_states sum, const TALLY_FN(run) *run, uint slot,
                                     TALLY_FN(strip) *strip) {
    uint level = 0;
    if (!run->is_last) {
        strip->lane[slot] = sum;
        return;
    }
    for (; (run->visit >> level & 1u) != 0; level++)
        sum = tally_combine_all(strip->rest[level][slot], sum);
    strip->rest[level][slot] = sum;
}

/* A lane's sum so far in one slot, and that of a lane beyond the last row. */
TALLY_INLINE tally_states TALLY_FN(lane)(const TALLY_FN(run) *run, uint slot, uint count,
                                         const TALLY_FN(strip) *strip) {
    tally_states sum = tally_begin_all();
#if TALLY_STATE_IS_INDEXED
    sum.position = (tally_positions)(run->row);
#endif
    return !run->is_first ? strip->lane[slot] : count == 0 ? tally_identity_all() : sum;
}

#if TALLY_STATE_IS_SHIFTED
/* A run of count rows in one slot. */
static tally_states TALLY_FN(pair)(__global const TALLY_STORAGE *in, tally_index stride,
                                   uint count) {
    return tally_run_all(in, stride, count, TALLY_WIDTH);
}
#endif

/* One run of count rows in one slot. */
TALLY_INLINE void TALLY_FN(pass)(__global const TALLY_STORAGE *in, tally_index stride,
                                 const uint count, const TALLY_FN(run) *run, uint slot,
                                 TALLY_FN(strip) *strip) {
    tally_states sum = TALLY_FN(lane)(run, slot, count, strip);
#if TALLY_STATE_IS_SHIFTED
    if (count > 0)
        sum = tally_combine_all(sum, TALLY_FN(pair)(in, stride, count));
#else
    sum = tally_take_all(sum, in, stride, count, TALLY_WIDTH, run->row, run->lanes);
#endif
    TALLY_FN(put_down)(sum, run, slot, strip);
}

/* One run of rows, of all but LOG_SUM_EXP a full one, in the next few slots. */
TALLY_INLINE void TALLY_FN(passes)(__global const TALLY_STORAGE *in, tally_index stride,
                                   const uint count, const TALLY_FN(run) *run, uint slot,
                                   TALLY_FN(strip) *strip) {
#if TALLY_STATE_IS_SHIFTED
    tally_states sum[TALLY_ABREAST];
    uint level = 0;
    if (count == 0) { /* the lane before, half of them apart, is combined with nothing */
        for (uint v = 0; v < TALLY_ABREAST; v++)
            sum[v] = strip->rest[level][slot + v];
        level++;
    } else if (count == TALLY_LANE_RUN) {
#pragma unroll 1
        for (uint v = 0; v < TALLY_ABREAST; v++)
            sum[v] = tally_run_all(in + v * TALLY_WIDTH, stride, TALLY_LANE_RUN, TALLY_WIDTH);
    } else if (count == 1) {
        for (uint v = 0; v < TALLY_ABREAST; v++)
            sum[v] = tally_single_all(tally_load_all(in + v * TALLY_WIDTH), TALLY_IOTA);
    } else {
#pragma unroll 1
        for (uint v = 0; v < TALLY_ABREAST; v++)
            sum[v] = TALLY_FN(pair)(in + v * TALLY_WIDTH, stride, count);
    }
    if (!run->is_first) {
        tally_combine_sides(strip->lane + slot, sum);
    } else {
        for (uint v = 0; v < TALLY_ABREAST; v++)
            strip->lane[slot + v] = sum[v];
    }
    if (!run->is_last)
        return;
    for (; (run->visit >> level & 1u) != 0; level++) {
        tally_combine_sides(strip->rest[level] + slot, strip->lane + slot);
        for (uint v = 0; v < TALLY_ABREAST; v++)
            strip->lane[slot + v] = strip->rest[level][slot + v];
    }
    for (uint v = 0; v < TALLY_ABREAST; v++)
        strip->rest[level][slot + v] = strip->lane[slot + v];
#elif TALLY_STATE_IS_KEY
#pragma unroll
    for (uint v = 0; v < TALLY_ABREAST; v += TALLY_RAWS / TALLY_WIDTH) {
        tally_terms terms[TALLY_RAWS / TALLY_WIDTH];
        tally_extremes e = tally_extremes_at(in + v * TALLY_WIDTH);
#pragma unroll
        for (uint k = 1; k < TALLY_LANE_RUN; k++)
            e = tally_combine_extremes(e, tally_extremes_at(in + k * stride + v * TALLY_WIDTH));
        tally_extremes_terms(e, terms);
#pragma unroll
        for (uint i = 0; i < TALLY_RAWS / TALLY_WIDTH; i++)
            TALLY_FN(put_down)(run->is_first ? terms[i]
                                             : tally_combine_all(strip->lane[slot + v + i],
                                                                 terms[i]),
                               run, slot + v + i, strip);
    }
#else
#pragma unroll 1
    for (uint v = 0; v < TALLY_ABREAST; v++) {
        tally_states sum = TALLY_FN(lane)(run, slot + v, TALLY_LANE_RUN, strip);
        sum = tally_take_all(sum, in + v * TALLY_WIDTH, stride, TALLY_LANE_RUN, TALLY_WIDTH,
                             run->row, run->lanes);
        TALLY_FN(put_down)(sum, run, slot + v, strip);
    }
#endif
}
