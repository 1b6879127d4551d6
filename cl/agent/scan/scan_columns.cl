/*
 * What the scans down columns share: how a work-item loads, folds and writes a run of the terms of
 * its columns. It has TALLY_PACK columns; position->team_width work-items stand side by side over a
 * strip of columns. A run is loaded at once and kept in registers until its results are stored.
 *
 * Results are side by side like the terms, or each column's lie elsewhere, as TALLY_RESULTS_ARE
 * says: then of those that are packs along the axis, as in a transposed tensor, whole ones are
 * stored, or all of a span's go through local memory, to be written along the axis.
 *
 * As soon as a term's result is stored, the term that takes its place in the next run is loaded;
 * or all of these, where results go through local memory, or terms come one by one. In place is
 * right: a work-item alone reads and writes its columns' runs.
 */

/*
 * What comes before a run, in each column, by the order's levels. Where combining is exact, all of
 * it is in runs, and what comes before the span in spans.
 */
typedef struct {
    tally_term runs[TALLY_PACK], spans[TALLY_PACK];
    tally_term tiles[TALLY_PACK], stretches[TALLY_PACK];
} TALLY_FN(levels);

/* What a run of count terms comes to, in each column. */
TALLY_INLINE void TALLY_FN(fold_run)(const tally_pack *pack, uint count, tally_term *total) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        total[v] = TALLY_IDENTITY;
#pragma unroll
    for (uint k = 0; k < TALLY_RUN; k++)
        if (k < count)
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++)
                total[v] = tally_combine_terms(total[v], tally_map(tally_unpack(&pack[k], v)));
}

/* The result of a position: what is before its run and the terms of the run so far. */
static tally_compute TALLY_FN(column_result)(const TALLY_FN(levels) *before, uint v,
                                             tally_term terms) {
#if TALLY_EXACT
    return tally_finalize(terms, ONE, ZERO);
#else
    const tally_term total = TALLY_FN(combine_levels)(before->stretches[v], before->tiles[v],
                                                   before->spans[v], before->runs[v], terms);
    return tally_finalize(total, ONE, ZERO);
#endif
}

/* Write a row of results. */
static void TALLY_FN(store)(__global TALLY_STORAGE *out, tally_index row, bool aligned,
                            const TALLY_FN(position) *position, const tally_pack *pack) {
    if (aligned && !TALLY_STRIDED_RESULTS) {
        *(__global tally_pack_bits *)(out + row + position->x * TALLY_PACK) = pack->bits;
        return;
    }
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        const uint column = TALLY_COLUMN_OF(position->x, v, aligned);
        if (column < position->width)
            ((__global tally_stored *)out)[row + column * position->column_out] = pack->stored[v];
    }
}

#if TALLY_STRIDED_RESULTS
/* As many rows of results as a pack has elements: the pack of a column. */
static tally_pack TALLY_FN(transpose)(const tally_pack *rows, uint v) {
    tally_pack column;
#pragma unroll
    for (uint k = 0; k < TALLY_PACK; k++)
        column.stored[k] = rows[k].stored[v];
    return column;
}

/* Write them, from the one on whose position is row. */
static void TALLY_FN(store_along)(__global TALLY_STORAGE *out, tally_index row,
                                  const TALLY_FN(position) *position, const tally_pack *rows) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        *(__global tally_pack_bits *)(out + row +
                                      TALLY_COLUMN_OF(position->x, v,
                                                      true) * position->column_out) =
            TALLY_FN(transpose)(rows, v).bits;
}
#endif

#if TALLY_STAGED
/* Write the results of a span, of which there are count, to the positions from row on. */
static void TALLY_FN(drain)(__global TALLY_STORAGE *out, tally_index row, bool aligned, uint count,
                            uint lane, const TALLY_FN(position) *position) {
    const uint team = position->team_width * TALLY_RUN;
    const bool by_packs = position->along && count == TALLY_SPAN;
    const uint each = by_packs ? TALLY_PACK : 1; /* elements that are moved at once */
    for (uint v = 0; v < TALLY_PACK; v++) {
        __local const tally_pack_bits *stage =
            position->stage + v * position->team_width * TALLY_STAGE_PITCH;
        for (uint e = lane * each; e < position->team_width * TALLY_SPAN; e += team * each) {
            const uint x = e / TALLY_SPAN, term = e % TALLY_SPAN;
            const uint column = TALLY_COLUMN_OF(x, v, aligned);
            __local const tally_pack_bits *from = stage + x * TALLY_STAGE_PITCH;
            const tally_index to = row + column * position->column_out + term * position->pitch_out;
            if (column >= position->width || term >= count)
                continue;
            if (by_packs)
                *(__global tally_pack_bits *)(out + to) = from[term / TALLY_PACK];
            else
                ((__global tally_stored *)out)[to] = ((__local const tally_stored *)from)[term];
        }
    }
}
#endif

/*
 * The results of a run of count terms that begins with the begin-th; sum gets the run's total, with
 * what is before it if combining is exact. Then pack has the next_count terms of the run that
 * begins with the next-th.
 */
TALLY_INLINE void TALLY_FN(put_run)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                                    tally_index begin, tally_index next, bool aligned, uint count,
                                    uint next_count, const TALLY_FN(position) *position,
                                    const TALLY_FN(levels) *before, tally_pack *pack,
                                    tally_term *sum) {
    const tally_index row_in = position->from + next * position->pitch_in;
    const tally_index row_out = position->to + begin * position->pitch_out;
#if TALLY_STRIDED_RESULTS
    tally_pack rows[TALLY_PACK];
#endif
#if TALLY_STRIDED_RESULTS && !TALLY_STAGED
    const bool along = aligned && position->along && count == TALLY_RUN;
#endif
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        sum[v] = TALLY_EXACT ? before->runs[v] : TALLY_IDENTITY;
#pragma unroll
    for (uint k = 0; k < TALLY_RUN; k++) {
        if (k < count) {
            const bool nothing = TALLY_BEGINS && k == 0 && begin == 0;
            tally_pack results;
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++) {
                const tally_term so_far = sum[v];
                sum[v] = tally_combine_terms(so_far, tally_map(tally_unpack(&pack[k], v)));
                const tally_compute result =
                    TALLY_FN(column_result)(before, v, TALLY_EXCLUSIVE ? so_far : sum[v]);
                results.stored[v] = tally_stored_of(nothing ? TALLY_EMPTY : result);
            }
#if TALLY_STRIDED_RESULTS
            rows[k % TALLY_PACK] = results;
#endif
#if !TALLY_STRIDED_RESULTS
            TALLY_FN(store)(out, row_out + k * position->pitch_out, aligned, position, &results);
#elif !TALLY_STAGED
            if (!along)
                TALLY_FN(store)(out, row_out + k * position->pitch_out, aligned, position,
                                &results);
            else if ((k + 1) % TALLY_PACK == 0)
                TALLY_FN(store_along)(out, row_out + (k + 1 - TALLY_PACK), position, rows);
#endif
        }
#if TALLY_STAGED
        if ((k + 1) % TALLY_PACK == 0 && k + 1 - TALLY_PACK < count)
#pragma unroll
            for (uint v = 0; v < TALLY_PACK; v++)
                position->own[v * position->team_width * TALLY_STAGE_PITCH + k / TALLY_PACK] =
                    TALLY_FN(transpose)(rows, v).bits;
#endif
        if (k < next_count)
            TALLY_FN(load)(in, row_in + k * position->pitch_in, aligned, position, &pack[k]);
    }
}

/*
 * After a span, the done-th of its column: a tile or a stretch may have ended with it. Of several
 * that are folded at a time, span has what comes before them too.
 */
static void TALLY_FN(end_span)(TALLY_FN(levels) *before, const tally_term *span,
                               tally_index done) {
#if TALLY_EXACT
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        before->spans[v] = span[v];
#else
    const bool tile_ends = done % TALLY_RUN == 0;
    const bool stretch_ends = done % (TALLY_RUN * TALLY_TILES) == 0;
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++) {
        const tally_term none = TALLY_IDENTITY;
        const tally_term spans =
            TALLY_SPANS_AT_ONCE > 1 ? span[v] : tally_combine_terms(before->spans[v], span[v]);
        const tally_term tiles = tally_combine_terms(before->tiles[v], spans);
        const tally_term stretches = tally_combine_terms(before->stretches[v], tiles);
        before->spans[v] = tile_ends ? none : spans;
        before->tiles[v] = stretch_ends ? none : tile_ends ? tiles : before->tiles[v];
        before->stretches[v] = stretch_ends ? stretches : before->stretches[v];
    }
#endif
}

#if TALLY_WHOLE_SPANS
/* After a run, the done-th of its column. */
static void TALLY_FN(end_run)(TALLY_FN(levels) *before, const tally_term *run, tally_index done) {
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        before->runs[v] = TALLY_EXACT ? run[v] : tally_combine_terms(before->runs[v], run[v]);
    if (TALLY_EXACT || done % TALLY_RUN != 0)
        return;
    TALLY_FN(end_span)(before, before->runs, done / TALLY_RUN);
#pragma unroll
    for (uint v = 0; v < TALLY_PACK; v++)
        before->runs[v] = TALLY_IDENTITY;
}
#endif
