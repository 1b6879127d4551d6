/*
 * A scan of few long rows, whose units are spread over groups. Launches of one kind, by phase:
 *
 *   PASS    writes units, in one pass over memory: what comes before a unit is known from other
 *           groups, while they run
 *   TOTALS  a group for each tile publishes its total, and writes nothing
 *   SPINE   a group for each row publishes its stretches' totals and inclusive prefixes
 *   APPLY   writes units: all words that it looks for are there
 *   FOLLOW  writes units, each from the totals of all tiles before it; see scan_rows_follow.cl
 *   STATES  hands on what stretches come to, of a part of a problem; behind TOTALS
 *
 * Either PASS or, of rows that are not long, FOLLOW, whose groups look back; or TOTALS, SPINE,
 * APPLY, which needs nothing of a device but reads memory twice; or, of rows that are not long,
 * TOTALS and FOLLOW. A job is a unit, or a tile, of a row; those of several rows take turns.
 */

/* Where a group's unit begins in memory. */
#define TALLY_POSITION(start, past, a, stride, reversed)                                           \
    TALLY_UNIT_AT(start(a, TALLY_ROW_OF(past, a) * TALLY_MERGED), stride,                          \
                  TALLY_UNIT_OF(past, a) * (tally_index)TALLY_UNIT, (past)->terms, reversed)

#if TALLY_PHASE == TALLY_SPINE
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    __local tally_term totals[TALLY_GROUP * TALLY_MERGED];
    const uint item = get_local_id(0);
    const tally_term none = TALLY_IDENTITY;
    words += a.words;
    /* All stretches but the last of a row: nothing of it comes after that. */
    const uint stretches = (uint)((a.terms - 1) / TALLY_STRETCH);
    for (tally_index row = get_group_id(0); row < (tally_index)a.head.units;
         row += get_num_groups(0)) {
        __global TALLY_WORD *at_tiles = TALLY_TILES_AT(words, a, row);
        __global TALLY_WORD *at_stretches = TALLY_STRETCHES_AT(words, a, row);
        __global TALLY_WORD *at_prefixes = TALLY_PREFIXES_AT(words, a, row);
        tally_term before = TALLY_CARRIED_COLUMN(a, row);
        for (uint first = 0; first < stretches; first += TALLY_GROUP) {
            const uint count = min(stretches - first, (uint)TALLY_GROUP);
            for (uint k = item; k < count * TALLY_MERGED; k += TALLY_GROUP) {
                const uint stretch = first + k / TALLY_MERGED, column = k % TALLY_MERGED;
                tally_term sum = none;
                for (uint tile = 0; tile < TALLY_TILES; tile++) {
                    tally_term total;
                    (void)TALLY_FN(look)(
                        at_tiles + (stretch * TALLY_TILES + tile) * TALLY_PART_WORDS, column,
                        TALLY_TAG(a), &total);
                    sum = tally_combine_terms(sum, total);
                }
                TALLY_FN(publish)(at_stretches + stretch * TALLY_PART_WORDS, column, TALLY_TAG(a),
                                  sum);
                totals[k] = sum;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint k = 0; item < TALLY_MERGED && k < count; k++) {
                before = tally_combine_terms(before, totals[k * TALLY_MERGED + item]);
                TALLY_FN(publish)(at_prefixes + (first + k) * TALLY_PART_WORDS, item, TALLY_TAG(a),
                                  before);
            }
            barrier(CLK_LOCAL_MEM_FENCE); /* before totals are those of the next stretches */
        }
    }
}

#elif TALLY_PHASE == TALLY_STRETCHES
#define TALLY_WORDS_OF TALLY_WORD
#define TALLY_TILE_TOTAL(a, row, tile)                                                             \
    TALLY_FN(told)(TALLY_TILES_AT(words + (a).words, a, (row) / TALLY_MERGED) +                    \
                       (tile) * TALLY_PART_WORDS,                                                  \
                   (uint)((row) % TALLY_MERGED), TALLY_TAG(a))
static tally_term TALLY_FN(told)(__global const TALLY_WORD *at_tile, uint column, TALLY_WORD tag) {
    tally_term total;
    (void)TALLY_FN(look)(at_tile, column, tag, &total);
    return total;
}

#elif TALLY_PHASE == TALLY_TOTALS
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    __local uint4 image[TALLY_GROUP * TALLY_PITCH];
    __local tally_term runs[TALLY_MERGED * (TALLY_UNIT_RUNS + TALLY_SPANS)];
    __local tally_term spans[TALLY_MERGED * TALLY_SPANS];
    const uint item = get_local_id(0);
    const bool reversed = (long)a.axis_in < 0;
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
        tally_term total = TALLY_IDENTITY;
        for (uint step = 0; step < TALLY_TILE_UNITS; step++) {
            const tally_index begin =
                (tally_index)tile_of_row * TALLY_TILE + step * (tally_index)TALLY_UNIT;
            const uint present = begin < (tally_index)a.terms
                                     ? (uint)min((tally_index)TALLY_UNIT,
                                                 (tally_index)a.terms - begin)
                                     : 0;
            TALLY_FN(fill)(in + TALLY_UNIT_AT(from, a.axis_in, begin, present, reversed), image,
                           present * TALLY_MERGED, reversed);
            TALLY_FOLD_UNIT(image, runs, spans)
            const bool whole = present == TALLY_UNIT;
            if (TALLY_TILE_UNITS > 1 && whole)
                for (uint k = item; k < TALLY_SPANS * TALLY_MERGED; k += TALLY_GROUP)
                    TALLY_FN(publish)(at_spans +
                                          (step * TALLY_SPANS + k % TALLY_SPANS) * TALLY_PART_WORDS,
                                      k / TALLY_SPANS, TALLY_TAG(a), spans[k]);
            if (item < TALLY_MERGED) {
                for (uint span = 0; span < TALLY_SPANS; span++)
                    total = tally_combine_terms(total, spans[item * TALLY_SPANS + span]);
                if (whole && step == TALLY_TILE_UNITS - 1)
                    TALLY_FN(publish)(at_tile, item, TALLY_TAG(a), total);
            }
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
        }
    }
}

#elif TALLY_PHASE != TALLY_FOLLOW || TALLY_CARRY == TALLY_CARRY_LOOK_BACK
#define TALLY_LOOKS_BACK (TALLY_CARRY == TALLY_CARRY_LOOK_BACK)
#if TALLY_PHASE == TALLY_FOLLOW
#define TALLY_LOOK_BACK TALLY_LOOK_AT_TILES
#else
#define TALLY_LOOK_BACK TALLY_LOOK_BY_LEVELS
#endif

/*
 * Bring the unit of a job into the device's last cache, if it is whole: a row's last unit may end
 * where the memory does.
 */
static void TALLY_FN(prefetch)(__global const TALLY_STORAGE *in, uint job,
                               const tally_scan_rows_args *a) {
    const uint rows = (uint)a->rows;
    const tally_index begin = job / rows * (tally_index)TALLY_UNIT;
    const bool reversed = (long)a->axis_in < 0;
    if (job >= (uint)a->head.units || begin + TALLY_UNIT > (tally_index)a->terms)
        return;
    in += TALLY_UNIT_AT(TALLY_START_IN(*a, job % rows * TALLY_MERGED), a->axis_in, begin,
                        TALLY_UNIT, reversed);
    for (uint k = get_local_id(0); k < TALLY_UNIT_ELEMENTS / TALLY_GPU_CACHE_LINE; k += TALLY_GROUP)
        TALLY_FN(bring)(in + k * TALLY_GPU_CACHE_LINE);
}

/*
 * In the first round a group takes a unit in each round. As groups look back there may be a second
 * one, in which the closing group goes through all units in order, and writes those that are
 * marked: nobody else is at them, and what they look for was told by those before them.
 */
__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(TALLY_CHAIN_ARGUMENTS) {
    __local uint4 image[TALLY_GROUP * TALLY_PITCH];
    __local tally_term runs[TALLY_MERGED * (TALLY_UNIT_RUNS + TALLY_SPANS)];
    __local tally_term spans[TALLY_MERGED * TALLY_SPANS];
    __local tally_term tiles[TALLY_MERGED], stretches[TALLY_MERGED];
    __local TALLY_FN(past) past;
    const uint item = get_local_id(0), jobs = (uint)a.head.units;
    const bool reversed = (long)a.axis_in < 0;
    in += a.head.in_offset;
    out += a.head.out_offset;
    words += a.words;
    uint rounds = 1;
#pragma unroll 1
    for (uint round = 0; round < rounds; round++) {
#pragma unroll 1
        for (uint first = 0; first < jobs; first += round > 0 ? 1 : (uint)get_num_groups(0)) {
            if (item == 0)
                TALLY_TAKE_UNIT(words, first, round > 0, jobs, a, &past)
            barrier(CLK_LOCAL_MEM_FENCE);
            /*
             * A unit that some group takes soon: its loads then take less, and less varied, time.
             */
            if (TALLY_PHASE == TALLY_PASS)
                TALLY_FN(prefetch)(in, past.job + (uint)a.lead, &a);
            TALLY_FN(fill)(in + TALLY_POSITION(TALLY_START_IN, &past, a, a.axis_in, reversed),
                           image,
                           past.terms * TALLY_MERGED, reversed);
            TALLY_FOLD_UNIT(image, runs, spans)
            if (TALLY_LOOKS_BACK) {
                TALLY_FN(dawdle)(words, past.job, (uint)a.stall);
                TALLY_PUBLISH(words, a, &past, spans);
            }
            TALLY_LOOK_BACK(words, a, &past, round > 0 ? TALLY_LAST_SPIN_LIMIT : (uint)a.spin_limit,
                            spans, tiles, stretches)
            if (TALLY_LOOKS_BACK && round == 0 && past.gave_up && item == 0)
                TALLY_FN(leave)(words, (uint)a.tag, &past);
            TALLY_FN(put_chunk)(image, runs, spans, tiles, stretches,
                                TALLY_UNIT_OF(&past, a) == 0);
            barrier(CLK_LOCAL_MEM_FENCE);
            const uint looked =
                TALLY_LOOKS_BACK && round == 0 && item == 0 ? atomic_inc(TALLY_LOOKED(words)) : 0;
            TALLY_FN(drain)(out + TALLY_POSITION(TALLY_START_OUT, &past, a, a.axis_out, reversed),
                            image,
                            past.gave_up ? 0 : past.terms * TALLY_MERGED, reversed);
            if (item == 0)
                past.looked = looked;
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
        }
        if (TALLY_LOOKS_BACK && round == 0)
            rounds += TALLY_FN(has_left)(words, jobs, &past);
    }
}
#endif
