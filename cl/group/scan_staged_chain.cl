/*
 * A scan by boxes of few long lines in one launch, PASS: a unit is a box of TALLY_SPANS spans, of
 * up to TALLY_MERGED lines. Its group keeps the box, publishes what its spans come to, and looks
 * back for what comes before it, as those of few long rows do (scan_chain_words.cl): the units of a
 * chain are the boxes along the same lines.
 */
typedef TALLY_WORD TALLY_FN(word);

/* What a group that looks back knows of its unit. */
typedef struct {
    tally_term spans[TALLY_MERGED * TALLY_SPANS]; /* their totals, then what comes before each */
    tally_term tiles[TALLY_MERGED], stretches[TALLY_MERGED];
    TALLY_FN(past) past;
} TALLY_FN(before);

/* The same for boxes: their kernels without a chain have no such macro. */
static void TALLY_FN(take_box)(__global TALLY_WORD *words, uint first, bool of_left,
                               const TALLY_ARGS *a, __local TALLY_FN(past) *past) {
    TALLY_TAKE_UNIT(words, first, of_left, (uint)a->head.units, *a, past)
}

/* What the spans of a box come to, from what each comes to with each of its runs. */
static void TALLY_FN(total_spans)(__local const tally_term *totals, uint lines, uint runs,
                                  uint line_stride, uint stride, __local tally_term *spans) {
    for (uint k = get_local_id(0); k < TALLY_MERGED * TALLY_SPANS; k += TALLY_GROUP) {
        const uint line = k / TALLY_SPANS, run = k % TALLY_SPANS * TALLY_RUN;
        tally_term sum = TALLY_IDENTITY;
        if (line < lines && run < runs)
            sum = totals[line * line_stride + (min(run + TALLY_RUN, runs) - 1) * stride];
        spans[k] = sum;
    }
}

/* What comes before a box of each of its lines. */
static void TALLY_FN(set_carry)(__local const TALLY_FN(before) *of, uint lines,
                                __local TALLY_FN(levels) *carry) {
    for (uint line = get_local_id(0); line < lines; line += TALLY_GROUP) {
        carry[line].stretches = of->stretches[line];
        carry[line].tiles = of->tiles[line];
        carry[line].spans = of->spans[line * TALLY_SPANS];
        carry[line].runs = TALLY_IDENTITY;
    }
}

/* Tell what a unit comes to, and set what comes before it; or leave it, after waiting in vain. */
static void TALLY_FN(look_before)(__global TALLY_WORD *words, const TALLY_ARGS *a, bool of_left,
                                  uint lines, __local TALLY_FN(before) *of,
                                  __local TALLY_FN(levels) *carry) {
    barrier(CLK_LOCAL_MEM_FENCE);
    TALLY_FN(dawdle)(words, of->past.job, (uint)a->stall);
    TALLY_PUBLISH(words, *a, &of->past, of->spans);
    TALLY_LOOK_BY_LEVELS(words, *a, &of->past,
                         of_left ? TALLY_LAST_SPIN_LIMIT : (uint)a->spin_limit, of->spans,
                         of->tiles, of->stretches)
    if (!of_left && of->past.gave_up && get_local_id(0) == 0)
        TALLY_FN(leave)(words, (uint)a->tag, &of->past);
    TALLY_FN(set_carry)(of, lines, carry);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Where a unit is: the chain of its boxes, and its first term. */
static tally_index TALLY_FN(chain_of)(const TALLY_ARGS *a, __local const TALLY_FN(past) *past) {
    return TALLY_ROW_OF(past, *a);
}

static tally_index TALLY_FN(start_of)(const TALLY_ARGS *a, __local const TALLY_FN(past) *past) {
    return TALLY_UNIT_OF(past, *a) * (tally_index)TALLY_UNIT;
}

/* Count a unit as looked for, by one work-item. */
static void TALLY_FN(count_unit)(__global TALLY_WORD *words, __local TALLY_FN(past) *past) {
    past->looked = atomic_inc(TALLY_LOOKED(words));
}
