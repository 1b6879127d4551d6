/*
 * A scan of few rows of up to TALLY_RECOMPUTE_BYTES, in one launch. Units are spread over groups
 * that publish to each other nothing: each folds all that comes before its unit by itself, from
 * memory that is in the last cache once one of them has read it.
 *
 * Not in place: a group may have written what another reads again.
 */

/* Of a row: runs of each column that may come before a unit, and where their totals lie. */
#define TALLY_PAST_RUNS (TALLY_RECOMPUTE_BYTES / TALLY_STATE_BYTES / TALLY_MERGED / TALLY_RUN)
#define TALLY_PAST_SPANS (TALLY_PAST_RUNS / TALLY_RUN)
#define TALLY_PAST_PER_ITEM (TALLY_PAST_RUNS + TALLY_PAST_SPANS + 1)

/* Packs that a work-item has under way at a time, at least, and the chunks that they are. */
#define TALLY_UNDER_WAY 16
#define TALLY_CHUNKS                                                                               \
    (TALLY_UNDER_WAY > TALLY_CHUNK_PACKS ? TALLY_UNDER_WAY / TALLY_CHUNK_PACKS : 1)

/*
 * A work-item reads a chunk, side by side with those of its neighbours. If all began with the first
 * pack they would meet in few banks of the cache: they begin with different ones, which are put in
 * order afterwards.
 */
#define TALLY_MIXED                                                                                \
    (TALLY_CHUNK_PACKS == 2 || TALLY_CHUNK_PACKS == 4 || TALLY_CHUNK_PACKS == 8                    \
         ? TALLY_CHUNK_PACKS                                                                       \
         : 1)
#define TALLY_BEGIN(item) ((item) / (8 / TALLY_MIXED) % TALLY_MIXED)

/* Put a chunk's packs in order, of which the one at k is the (k ^ begin)-th. */
static void TALLY_FN(sort)(tally_pack *pack, uint begin) {
#pragma unroll
    for (uint bit = 1; bit < TALLY_MIXED; bit *= 2) {
#pragma unroll
        for (uint k = 0; k < TALLY_CHUNK_PACKS; k++) {
            if ((k & bit) == 0) {
                const tally_pack_bits low = pack[k].bits, high = pack[k | bit].bits;
                pack[k].bits = (begin & bit) != 0 ? high : low;
                pack[k | bit].bits = (begin & bit) != 0 ? low : high;
            }
        }
    }
}

/* The totals of a run of each column, element by element. */
static void TALLY_FN(fold_elements)(__global const TALLY_STORAGE *in, bool reversed,
                                    __local tally_term *past, uint run) {
    for (uint column = 0; column < TALLY_MERGED; column++) {
        tally_compute x[TALLY_RUN];
#pragma unroll
        for (uint term = 0; term < TALLY_RUN; term++)
            x[term] =
                tally_load(in, (reversed ? TALLY_RUN - 1 - term : term) * TALLY_MERGED + column);
        tally_term sum = tally_map(x[0]);
#pragma unroll
        for (uint term = 1; term < TALLY_RUN; term++)
            sum = tally_combine_terms(sum, tally_map(x[term]));
        past[TALLY_TOTAL_AT(column, run, TALLY_PAST_PER_ITEM)] = sum;
    }
}

/* The totals of a run of each column, from packs as they were loaded. */
static void TALLY_FN(fold_packs)(tally_pack *pack, bool reversed, __local tally_term *past,
                                 uint run) {
    tally_term sum[TALLY_MERGED];
    TALLY_FN(sort)(pack, TALLY_BEGIN(get_local_id(0)));
#ifdef POCL_DEVICE_ADDRESS_BITS
#pragma unroll 1
#else
#pragma unroll
#endif
    for (uint k = 0; k < TALLY_CHUNK_PACKS; k++) {
        const tally_pack next = reversed ? TALLY_FN(reverse)(pack[k]) : pack[k];
        TALLY_FN(fold_pack)(&next, k, sum, past, run, TALLY_PAST_PER_ITEM);
    }
}

/* Where a run of each column of a row begins in memory. */
#define TALLY_CHUNK_OF(run)                                                                        \
    (in + TALLY_UNIT_AT(from, stride, (run) * (tally_index)TALLY_RUN, TALLY_RUN, reversed))

/* The totals of a row's first runs. */
static void TALLY_FN(fold_past)(__global const TALLY_STORAGE *in, tally_index from,
                                tally_index stride, uint runs, bool reversed,
                                __local tally_term *past) {
    const uint item = get_local_id(0), begin = TALLY_BEGIN(item);
    if (!TALLY_BY_PACKS(TALLY_CHUNK_OF(0), TALLY_UNIT_ELEMENTS, reversed)) {
        for (uint run = item; run < runs; run += TALLY_GROUP)
            TALLY_FN(fold_elements)(TALLY_CHUNK_OF(run), reversed, past, run);
        return;
    }
    for (uint first = item; first < runs; first += TALLY_CHUNKS * TALLY_GROUP) {
        tally_pack pack[TALLY_CHUNKS][TALLY_CHUNK_PACKS];
#pragma unroll
        for (uint c = 0; c < TALLY_CHUNKS; c++) {
            __global const TALLY_STORAGE *chunk =
                TALLY_CHUNK_OF(min(first + c * TALLY_GROUP, runs - 1));
#pragma unroll
            for (uint k = 0; k < TALLY_CHUNK_PACKS; k++) {
                const uint p = reversed ? TALLY_CHUNK_PACKS - 1 - (k ^ begin) : k ^ begin;
                pack[c][k].bits = tally_load_pack(chunk + p * TALLY_PACK);
            }
        }
#pragma unroll
        for (uint c = 0; c < TALLY_CHUNKS; c++)
            if (first + c * TALLY_GROUP < runs)
                TALLY_FN(fold_packs)(pack[c], reversed, past, first + c * TALLY_GROUP);
    }
}

/* Fold up to 16 totals that lie side by side. */
static tally_term TALLY_FN(fold_totals)(__local const tally_term *totals, uint count) {
    const tally_term none = TALLY_IDENTITY;
    tally_term total[TALLY_RUN], sum = none;
#pragma unroll
    for (uint k = 0; k < TALLY_RUN; k++)
        total[k] = k < count ? totals[k] : none;
#pragma unroll
    for (uint k = 0; k < TALLY_RUN; k++)
        sum = k < count ? tally_combine_terms(sum, total[k]) : sum;
    return sum;
}

/* Fold each 16 totals of a column, the next in that column each apart, to one of the next level. */
static void TALLY_FN(fold_level)(__local const tally_term *low, uint each, uint stride,
                                 __local tally_term *high, uint high_per_item, uint count) {
    for (uint k = get_local_id(0); k < count * TALLY_MERGED; k += TALLY_GROUP) {
        const uint column = k % TALLY_MERGED, at = k / TALLY_MERGED;
        high[column * high_per_item + at] =
            TALLY_FN(fold_totals)(low + column * each + at * stride, TALLY_RUN);
    }
}

/* Bring a unit of count elements, while what comes before it is folded. */
static void TALLY_FN(read)(__global const TALLY_STORAGE *in, __global const TALLY_STORAGE *unit,
                           tally_index from, tally_index stride, uint runs, uint count,
                           bool reversed, __local tally_term *past, __local uint4 *image) {
    tally_pack own[TALLY_CHUNK_PACKS];
    const bool early = TALLY_FN(ask)(unit, own, count, reversed);
    TALLY_FN(fold_past)(in, from, stride, runs, reversed, past);
    TALLY_FN(settle)(early, unit, own, image, count, reversed);
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_rows_args a) {
    __local uint4 image[TALLY_GROUP * TALLY_PITCH];
    __local tally_term runs[TALLY_MERGED * (TALLY_UNIT_RUNS + TALLY_SPANS)];
    __local tally_term spans[TALLY_MERGED * TALLY_SPANS];
    __local tally_term tiles[TALLY_MERGED], stretches[TALLY_MERGED];
    __local tally_term past_runs[TALLY_MERGED * TALLY_PAST_PER_ITEM];
    __local tally_term past_spans[TALLY_MERGED * TALLY_PAST_SPANS];
    __local tally_term past_tiles[TALLY_MERGED * TALLY_RUN];
    const uint item = get_local_id(0);
    const bool reversed = (long)a.axis_in < 0;
    in += a.head.in_offset;
    out += a.head.out_offset;
    for (tally_index job = get_group_id(0); job < (tally_index)a.head.units;
         job += get_num_groups(0)) {
        const tally_index row = job % (tally_index)a.rows;
        const uint begin = (uint)(job / (tally_index)a.rows) * TALLY_UNIT;
        const uint present = min((uint)TALLY_UNIT, (uint)a.terms - begin);
        const uint past = begin / TALLY_SPAN; /* in spans */
        const tally_index from = TALLY_START_IN(a, row * TALLY_MERGED);
        const tally_index to = TALLY_START_OUT(a, row * TALLY_MERGED);
        __global const TALLY_STORAGE *unit =
            in + TALLY_UNIT_AT(from, a.axis_in, begin, present, reversed);
        TALLY_FN(read)(in, unit, from, (tally_index)a.axis_in, past * TALLY_RUN,
                       present * TALLY_MERGED, reversed, past_runs, image);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(fold_chunk)(image, runs);
        TALLY_FN(fold_level)(past_runs, TALLY_PAST_PER_ITEM, TALLY_RUN + 1, past_spans,
                             TALLY_PAST_SPANS, past);
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(fold_runs)(runs, spans);
        TALLY_FN(fold_level)(past_spans, TALLY_PAST_SPANS, TALLY_RUN, past_tiles, TALLY_RUN,
                             past / TALLY_RUN);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < TALLY_MERGED) {
            const uint whole = past / TALLY_RUN; /* tiles */
            const tally_term sum = TALLY_FN(fold_totals)(
                past_spans + item * TALLY_PAST_SPANS + whole * TALLY_RUN, past % TALLY_RUN);
            TALLY_FN(fold_spans)(sum, spans, item);
            tiles[item] = TALLY_FN(fold_totals)(past_tiles + item * TALLY_RUN, whole);
            stretches[item] = TALLY_IDENTITY;
        }
        TALLY_PUT_UNIT(out + TALLY_UNIT_AT(to, a.axis_out, begin, present, reversed),
                       present * TALLY_MERGED, begin == 0)
    }
}
