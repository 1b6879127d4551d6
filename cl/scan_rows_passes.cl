/*
 * A scan of few long rows, whose units are spread over groups. Launches of one kind, by phase:
 *
 *   CLEAR   zeroes the words
 *   PASS    takes tickets for units and writes them, in one pass over memory: what comes before a
 *           unit is known from other groups, while they run
 *   TOTALS  a group for each tile publishes its total, and writes nothing
 *   SPINE   a group for each row publishes its stretches' totals and anchors; tiles' too, where a
 *           group that left in PASS did not
 *   APPLY   writes units: all words that it looks for are there
 *   FOLLOW  writes units, each from the totals of all tiles before it; see scan_rows_follow.cl
 *
 * Either CLEAR, PASS, SPINE, APPLY, the last two for marked units and idle where there are none; or
 * TOTALS, SPINE, APPLY, which needs nothing of a device but reads memory twice; or, of rows that are
 * not long, TOTALS and FOLLOW. A job is a unit, or a tile, of a row; those of several rows take
 * turns.
 */
#define TALLY_CHAIN_ARGUMENTS                                                                      \
    __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out, const tally_scan_rows_args a,  \
        __global TALLY_WORD *words

/* Looks at memory that a group wastes. */
#define TALLY_DAWDLE 50

/* Where a group's unit begins in memory. */
#define TALLY_PLACE(start, past, a, stride, turned)                                                \
    TALLY_UNIT_AT(start(a, TALLY_ROW_OF(past, a) * TALLY_MERGED), stride,                          \
                  TALLY_UNIT_OF(past, a) * (tally_index)TALLY_UNIT, (past)->terms, turned)

#if TALLY_PHASE == TALLY_CLEAR
__kernel void TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    for (tally_index k = get_global_id(0); k < (tally_index)a.head.units; k += get_global_size(0))
        words[a.words + k] = 0;
}

#elif TALLY_PHASE == TALLY_SPINE
/* The total of a row's tile, of its spans where it is not there. */
static tally_term TALLY_FN(tile_total)(__global TALLY_WORD *tiles, __global const TALLY_WORD *spans,
                                       uint tile, uint column) {
    tally_term sum;
    if (TALLY_FN(look)(tiles + tile * TALLY_PART_WORDS, column, &sum))
        return sum;
    sum = TALLY_NEUTRAL;
    for (uint span = 0; span < TALLY_RUN; span++) {
        tally_term term;
        TALLY_FN(look)(spans + (tile * TALLY_RUN + span) * TALLY_PART_WORDS, column, &term);
        sum = tally_join_terms(sum, term);
    }
    TALLY_FN(publish)(tiles + tile * TALLY_PART_WORDS, column, sum);
    return sum;
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    __local tally_term totals[TALLY_GROUP * TALLY_MERGED];
    const uint item = get_local_id(0);
    const tally_term none = TALLY_NEUTRAL;
    words += a.words;
    /* All stretches but the last of a row: nothing of it comes after that. */
    const uint stretches = (uint)((a.terms - 1) / TALLY_STRETCH);
    const bool idle = a.marked && *TALLY_LEFT(words) == 0;
    const tally_index rows = idle ? 0 : (tally_index)a.head.units;
    for (tally_index row = get_group_id(0); row < rows; row += get_num_groups(0)) {
        __global TALLY_WORD *at_tiles = TALLY_TILES_AT(words, a, row);
        __global TALLY_WORD *at_spans = TALLY_SPANS_AT(words, a, row);
        __global TALLY_WORD *at_stretches = TALLY_STRETCHES_AT(words, a, row);
        __global TALLY_WORD *at_anchors = TALLY_ANCHORS_AT(words, a, row);
        tally_term before = none;
        for (uint first = 0; first < stretches; first += TALLY_GROUP) {
            const uint count = min(stretches - first, (uint)TALLY_GROUP);
            for (uint k = item; k < count * TALLY_MERGED; k += TALLY_GROUP) {
                const uint stretch = first + k / TALLY_MERGED, column = k % TALLY_MERGED;
                tally_term sum = none;
                for (uint tile = 0; tile < TALLY_TILES; tile++)
                    sum = tally_join_terms(sum,
                                           TALLY_FN(tile_total)(at_tiles, at_spans,
                                                                stretch * TALLY_TILES + tile, column));
                TALLY_FN(publish)(at_stretches + stretch * TALLY_PART_WORDS, column, sum);
                totals[k] = sum;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint k = 0; item < TALLY_MERGED && k < count; k++) {
                before = tally_join_terms(before, totals[k * TALLY_MERGED + item]);
                TALLY_FN(publish)(at_anchors + (first + k) * TALLY_PART_WORDS, item, before);
            }
            barrier(CLK_LOCAL_MEM_FENCE); /* before totals are those of the next stretches */
        }
        /* The tiles behind the last of these stretches that are whole. */
        for (uint k = item; k < (uint)(a.terms / TALLY_TILE - stretches * (ulong)TALLY_TILES) *
                                    TALLY_MERGED;
             k += TALLY_GROUP)
            TALLY_FN(tile_total)(at_tiles, at_spans, stretches * TALLY_TILES + k / TALLY_MERGED,
                                 k % TALLY_MERGED);
    }
}

#elif TALLY_PHASE == TALLY_TOTALS
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    __local uint4 tile[TALLY_GROUP * TALLY_PITCH];
    __local tally_term runs[TALLY_MERGED * (TALLY_UNIT_RUNS + TALLY_SPANS)];
    __local tally_term spans[TALLY_MERGED * TALLY_SPANS];
    const uint item = get_local_id(0);
    const bool turned = (long)a.axis_in < 0;
    in += a.head.in_offset;
    words += a.words;
    for (tally_index job = get_group_id(0); job < (tally_index)a.head.units;
         job += get_num_groups(0)) {
        const tally_index row = job % (tally_index)a.rows;
        const uint tile_of_row = (uint)(job / (tally_index)a.rows);
        const tally_index from = TALLY_START_IN(a, row * TALLY_MERGED);
        __global TALLY_WORD *at_tile =
            TALLY_TILES_AT(words, a, row) + tile_of_row * TALLY_PART_WORDS;
        __global TALLY_WORD *at_spans =
            TALLY_SPANS_AT(words, a, row) + tile_of_row * (TALLY_RUN * TALLY_PART_WORDS);
        tally_term total = TALLY_NEUTRAL;
        for (uint step = 0; step < TALLY_TILE_UNITS; step++) {
            const tally_index begin =
                (tally_index)tile_of_row * TALLY_TILE + step * (tally_index)TALLY_UNIT;
            const uint present = begin < (tally_index)a.terms
                                     ? (uint)min((tally_index)TALLY_UNIT, (tally_index)a.terms - begin)
                                     : 0;
            TALLY_FN(fill)(in + TALLY_UNIT_AT(from, a.axis_in, begin, present, turned), tile,
                           present * TALLY_MERGED, turned);
            TALLY_FOLD_UNIT(tile, runs, spans)
            const bool whole = present == TALLY_UNIT;
            if (TALLY_TILE_UNITS > 1 && whole)
                for (uint k = item; k < TALLY_SPANS * TALLY_MERGED; k += TALLY_GROUP)
                    TALLY_FN(publish)(at_spans +
                                          (step * TALLY_SPANS + k % TALLY_SPANS) * TALLY_PART_WORDS,
                                      k / TALLY_SPANS, spans[k]);
            if (item < TALLY_MERGED) {
                for (uint span = 0; span < TALLY_SPANS; span++)
                    total = tally_join_terms(total, spans[item * TALLY_SPANS + span]);
                if (whole && step == TALLY_TILE_UNITS - 1)
                    TALLY_FN(publish)(at_tile, item, total);
            }
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
        }
    }
}

#elif TALLY_PHASE != TALLY_FOLLOW
/* In trials: one in stall units keeps the others waiting, some ten microseconds. */
static void TALLY_FN(dawdle)(__global TALLY_WORD *words, uint job, uint stall) {
    for (uint k = 0; stall != 0 && job % stall == 1 && k < TALLY_DAWDLE; k++)
        (void)*TALLY_LEFT(words);
}

/*
 * Bring the unit of a job into the device's last cache, if it is whole: a row's last unit may end
 * where the memory does.
 */
static void TALLY_FN(prefetch)(__global const TALLY_STORAGE *in, uint job,
                               const tally_scan_rows_args *a) {
    const uint rows = (uint)a->rows;
    const tally_index begin = job / rows * (tally_index)TALLY_UNIT;
    const bool turned = (long)a->axis_in < 0;
    if (job >= (uint)a->head.units || begin + TALLY_UNIT > (tally_index)a->terms)
        return;
    in += TALLY_UNIT_AT(TALLY_START_IN(*a, job % rows * TALLY_MERGED), a->axis_in, begin,
                        TALLY_UNIT, turned);
    for (uint k = get_local_id(0); k < TALLY_UNIT_ELEMENTS / TALLY_GPU_LINE; k += TALLY_GROUP)
        TALLY_FN(bring)(in + k * TALLY_GPU_LINE);
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    __local uint4 tile[TALLY_GROUP * TALLY_PITCH];
    __local tally_term runs[TALLY_MERGED * (TALLY_UNIT_RUNS + TALLY_SPANS)];
    __local tally_term spans[TALLY_MERGED * TALLY_SPANS];
    __local tally_term tiles[TALLY_MERGED], stretches[TALLY_MERGED];
    __local TALLY_FN(past) past;
    const uint item = get_local_id(0);
    const bool turned = (long)a.axis_in < 0;
    in += a.head.in_offset;
    out += a.head.out_offset;
    words += a.words;
    const uint patience = (uint)a.patience;
    const bool idle = TALLY_PHASE == TALLY_APPLY && a.marked && *TALLY_LEFT(words) == 0;
    const tally_index jobs = idle ? 0 : (tally_index)a.head.units;
    for (tally_index turn = 0; turn < jobs; turn += get_num_groups(0)) {
        if (item == 0) {
            const uint job = TALLY_PHASE == TALLY_PASS ? atomic_inc(TALLY_TICKETS(words))
                                                       : (uint)turn + (uint)get_group_id(0);
            bool wanted = job < jobs;
#if TALLY_PHASE == TALLY_APPLY
            if (wanted && a.marked)
                wanted = TALLY_MARKS(words)[job] != 0;
#endif
            past.job = wanted ? job : 0;
            const tally_index begin = TALLY_UNIT_OF(&past, a) * (tally_index)TALLY_UNIT;
            past.terms =
                wanted ? (uint)min((tally_index)TALLY_UNIT, (tally_index)a.terms - begin) : 0;
            past.gave_up = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        /* A unit that some group will take soon: its own loads then take less, and less varied, time. */
        if (TALLY_PHASE == TALLY_PASS)
            TALLY_FN(prefetch)(in, past.job + (uint)a.lead, &a);
        TALLY_FN(fill)(in + TALLY_PLACE(TALLY_START_IN, &past, a, a.axis_in, turned), tile,
                       past.terms * TALLY_MERGED, turned);
        TALLY_FOLD_UNIT(tile, runs, spans)
        if (TALLY_PHASE == TALLY_PASS)
            TALLY_FN(dawdle)(words, past.job, (uint)a.stall);
        TALLY_TELL(words, a, &past, spans);
        TALLY_FN(look_for_spans)(TALLY_SPANS_AT(words, a, TALLY_ROW_OF(&past, a)),
                                 TALLY_TILE_OF(&past, a), TALLY_SPAN_OF(&past, a), patience, &past);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(look_for_tiles)(TALLY_TILES_AT(words, a, TALLY_ROW_OF(&past, a)),
                                 TALLY_TILE_OF(&past, a), TALLY_SPAN_OF(&past, a),
                                 TALLY_ENDS_TILE(&past, a), patience, spans, &past);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(look_for_stretches)(TALLY_STRETCHES_AT(words, a, TALLY_ROW_OF(&past, a)),
                                     TALLY_ANCHORS_AT(words, a, TALLY_ROW_OF(&past, a)),
                                     TALLY_TILE_OF(&past, a), TALLY_ENDS_STRETCH(&past, a), patience,
                                     tiles, &past);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(end_look)(TALLY_ANCHORS_AT(words, a, TALLY_ROW_OF(&past, a)),
                           TALLY_TILE_OF(&past, a), TALLY_ENDS_STRETCH(&past, a), stretches, &past);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (past.gave_up && item == 0) {
            TALLY_MARKS(words)[past.job] = 1;
            atomic_inc(TALLY_LEFT(words));
        }
        TALLY_FN(put_chunk)(tile, runs, spans, tiles, stretches, TALLY_UNIT_OF(&past, a) == 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(drain)(out + TALLY_PLACE(TALLY_START_OUT, &past, a, a.axis_out, turned), tile,
                        past.gave_up ? 0 : past.terms * TALLY_MERGED, turned);
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
    }
}
#endif
