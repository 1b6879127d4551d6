/*
 * A unit of a scan along long contiguous rows, which is a tile in local memory (scan_rows_tile.cl):
 * the totals of its runs and spans, then the results in the place of their terms.
 *
 * In place is right: a unit is in local memory before any of it is written, by its own group.
 */
/* Where the total of a column's run lies among others', the spans' an odd number apart. */
#define TALLY_TOTAL_AT(column, run, each) ((column) * (each) + (run) + (run) / TALLY_RUN)
#define TALLY_RUN_AT(column, run) TALLY_TOTAL_AT(column, run, TALLY_UNIT_RUNS + TALLY_SPANS)

/*
 * The two loops over a chunk's packs are unrolled but for PoCL: 3.1 fails at so much code of
 * several columns in one piece, and of minima and maxima of floats computes nothing but the last
 * combine.
 */

/* Fold a chunk's k-th pack onto its columns' sums, and keep the totals of runs that it ends. */
static void TALLY_FN(fold_pack)(const tally_pack *pack, uint k, tally_term *sum,
                                __local tally_term *runs, uint first_run, uint each) {
#pragma unroll
    for (uint p = 0; p < TALLY_PACK; p++) {
        const uint term = (k * TALLY_PACK + p) / TALLY_MERGED;
        const uint column = (k * TALLY_PACK + p) % TALLY_MERGED;
        const tally_term x = tally_map(tally_unpack(pack, p));
        sum[column] = term % TALLY_RUN == 0 ? x : tally_combine_terms(sum[column], x);
        if (term % TALLY_RUN == TALLY_RUN - 1)
            runs[TALLY_TOTAL_AT(column, first_run + term / TALLY_RUN, each)] = sum[column];
    }
}

/* The totals of a work-item's runs. */
static void TALLY_FN(fold_chunk)(__local const uint4 *image, __local tally_term *runs) {
    const uint item = get_local_id(0);
    tally_term sum[TALLY_MERGED];
#ifdef POCL_DEVICE_ADDRESS_BITS
#pragma unroll 1
#else
#pragma unroll
#endif
    for (uint k = 0; k < TALLY_CHUNK_PACKS; k++) {
        tally_pack pack;
        pack.bits = image[TALLY_CHUNK_AT(item, k)];
        TALLY_FN(fold_pack)(&pack, k, sum, runs, item * TALLY_RUNS_PER_ITEM,
                            TALLY_UNIT_RUNS + TALLY_SPANS);
    }
}

/* Of the runs of each span what comes before them, and the span's total. */
static void TALLY_FN(fold_runs)(__local tally_term *runs, __local tally_term *spans) {
    for (uint k = get_local_id(0); k < TALLY_SPANS * TALLY_MERGED; k += TALLY_GROUP) {
        __local tally_term *run =
            runs + TALLY_RUN_AT(k / TALLY_SPANS, k % TALLY_SPANS * TALLY_RUN);
        tally_term total[TALLY_RUN], before = TALLY_IDENTITY;
#pragma unroll
        for (uint r = 0; r < TALLY_RUN; r++)
            total[r] = run[r];
#pragma unroll
        for (uint r = 0; r < TALLY_RUN; r++) {
            run[r] = before;
            before = tally_combine_terms(before, total[r]);
        }
        spans[k] = before;
    }
}

/*
 * The result of a term x of a chunk; begins: the term is its run's first. Exact combining goes on
 * from all that is before the run, others from the run's beginning.
 */
static tally_term TALLY_FN(chunk_result)(tally_term x, bool begins, tally_term stretches,
                                         tally_term tiles, tally_term spans, tally_term runs,
                                         tally_term *sum) {
#if TALLY_EXACT
    const tally_term last =
        begins ? TALLY_FN(combine_levels)(stretches, tiles, spans, runs, TALLY_IDENTITY) : *sum;
    *sum = tally_combine_terms(last, x);
    return TALLY_EXCLUSIVE ? last : *sum;
#else
    const tally_term none = TALLY_IDENTITY, last = begins ? none : *sum;
    *sum = begins ? x : tally_combine_terms(last, x);
    return TALLY_FN(combine_levels)(stretches, tiles, spans, runs, TALLY_EXCLUSIVE ? last : *sum);
#endif
}

/* The results of a work-item's chunk in its place. */
static void TALLY_FN(put_chunk)(__local uint4 *image, __local const tally_term *runs,
                                __local const tally_term *spans, __local const tally_term *tiles,
                                __local const tally_term *stretches, bool begins_row) {
    const uint item = get_local_id(0);
    tally_term sum[TALLY_MERGED], before[TALLY_MERGED];
#ifdef POCL_DEVICE_ADDRESS_BITS
#pragma unroll 1
#else
#pragma unroll
#endif
    for (uint k = 0; k < TALLY_CHUNK_PACKS; k++) {
        tally_pack pack, result;
        pack.bits = image[TALLY_CHUNK_AT(item, k)];
        result.bits = (tally_pack_bits)(0);
#pragma unroll
        for (uint p = 0; p < TALLY_PACK; p++) {
            const uint term = (k * TALLY_PACK + p) / TALLY_MERGED;
            const uint column = (k * TALLY_PACK + p) % TALLY_MERGED;
            const uint run = item * TALLY_RUNS_PER_ITEM + term / TALLY_RUN;
            const tally_term x = tally_map(tally_unpack(&pack, p));
            const bool begins = term % TALLY_RUN == 0;
            before[column] = begins ? runs[TALLY_RUN_AT(column, run)] : before[column];
            const tally_term total = TALLY_FN(chunk_result)(
                x, begins, stretches[column], tiles[column],
                spans[column * TALLY_SPANS + item * TALLY_RUNS_PER_ITEM / TALLY_RUN],
                before[column], &sum[column]);
            const bool nothing = TALLY_BEGINS && begins_row && item == 0 && term == 0;
            const tally_stored stored =
                tally_stored_of(nothing ? TALLY_EMPTY : tally_finalize(total, ONE, ZERO));
            tally_set_in_pack(&result, p, stored);
        }
        image[TALLY_CHUNK_AT(item, k)] = result.bits;
    }
}

/*
 * Between what a group brings and what it looks up: the totals of the tile's runs, each then as
 * what comes before it in its span, and its spans' totals.
 */
#define TALLY_FOLD_UNIT(image, runs, spans)                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(fold_chunk)(image, runs);                                                             \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(fold_runs)(runs, spans);                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);

/*
 * And then: the results of a unit of count elements, of which all levels before it are known, in
 * their terms' position, and out. The last barrier is before the next unit overwrites what was
 * read.
 */
#define TALLY_PUT_UNIT(out, count, begins_row)                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(put_chunk)(image, runs, spans, tiles, stretches, begins_row);                         \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    TALLY_FN(drain)(out, image, count, reversed);                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);

/* Where a unit begins in memory: with its first term or, reversed, with its last. */
#define TALLY_UNIT_AT(start, stride, begin, terms, reversed)                                       \
    ((start) + ((begin) + ((reversed) && (terms) > 0 ? (terms)-1 : 0)) * (tally_index)(stride))
