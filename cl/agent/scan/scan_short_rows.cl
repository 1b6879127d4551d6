/*
 * A scan of short rows, which lie one after the other in the input and in the output: a
 * group brings a.staged_rows rows at a time into local memory, scans them there in place and takes
 * them back; see scan_image.cl. A row is a.row_runs runs of the order; a work-item has
 * TALLY_RUNS_PER_ITEM runs, or, of rows of one run (TALLY_ONE_RUN) with TALLY_ROW_TERMS terms,
 * whole rows. Elements are taken TALLY_PACK_ELEMENTS at a time: a pack if rows are whole packs,
 * else one. A descending scan walks a reversed image. In place is right: a unit is read before it
 * is written, and no other group has its rows.
 */

/*
 * Where the k-th element of a run that begins at element x lies: a run that is not one of the
 * image's has the room behind that one inside it. Packs are positions for all of their elements.
 */
#if TALLY_PACK_ELEMENTS > 1
typedef uint4 TALLY_FN(position);
#define TALLY_POSITION_OF(x) TALLY_PACK_AT((x) / TALLY_PACK)
#define TALLY_POSITIONS_LEFT(x) (TALLY_RUN_PACKS - (x) / TALLY_PACK % TALLY_RUN_PACKS)
#else
typedef tally_stored TALLY_FN(position);
#define TALLY_POSITION_OF(x) TALLY_AT(x)
#define TALLY_POSITIONS_LEFT(x) (TALLY_RUN - (x) % TALLY_RUN)
#endif
#define TALLY_POSITIONS_ROOM (TALLY_ROOM / TALLY_PACK_ELEMENTS)
/* Where the k-th position counts from, if the first left ones are from at on. */
#define TALLY_POSITIONS_FROM(at, left, k) ((k) < (left) ? (at) : (at) + TALLY_POSITIONS_ROOM)

/*
 * Elements of a run that are read. Of several runs all: what is behind the last run of a row is in
 * the image as well, and what it comes to is nobody's.
 */
#define TALLY_TAKEN (TALLY_ONE_RUN ? TALLY_ROW_TERMS : TALLY_RUN)

/* Fold the terms from element x on: value is what each position has of them; returns all. */
static tally_term TALLY_FN(take)(__local const uint4 *image, uint x, tally_term *value) {
    __local const TALLY_FN(position) *at =
        (__local const TALLY_FN(position) *)image + TALLY_POSITION_OF(x);
    const uint left = TALLY_POSITIONS_LEFT(x);
    tally_term sum = TALLY_IDENTITY;
#pragma unroll
    for (uint k = 0; k < TALLY_TAKEN / TALLY_PACK_ELEMENTS; k++) {
        __local const TALLY_FN(position) *from = TALLY_POSITIONS_FROM(at, left, k);
#if TALLY_PACK_ELEMENTS > 1
        tally_pack pack;
        pack.bits = from[k];
#endif
#pragma unroll
        for (uint e = 0; e < TALLY_PACK_ELEMENTS; e++) {
#if TALLY_PACK_ELEMENTS > 1
            const tally_compute element = tally_unpack(&pack, e);
#else
            const tally_compute element = tally_of_stored(from[k]);
#endif
            const tally_term before = sum;
            sum = tally_combine_terms(sum, tally_map(element));
            value[k * TALLY_PACK_ELEMENTS + e] = TALLY_EXCLUSIVE ? before : sum;
        }
    }
    return sum;
}

/* The bits of a result: of a position with what is before the run. */
static tally_stored TALLY_FN(bits)(tally_term value, tally_term spans, tally_term runs,
                                   bool begins) {
    const tally_term total =
        TALLY_ONE_RUN ? value : tally_combine_terms(spans, tally_combine_terms(runs, value));
    return tally_stored_of(TALLY_FN(result)(begins, total));
}

/* Put the results at the count positions that there are; begins: the run is its row's first. */
static void TALLY_FN(give)(__local uint4 *image, uint x, uint count, const tally_term *value,
                           tally_term spans, tally_term runs, bool begins) {
    __local TALLY_FN(position) *at = (__local TALLY_FN(position) *)image + TALLY_POSITION_OF(x);
    const uint left = TALLY_POSITIONS_LEFT(x);
#pragma unroll
    for (uint k = 0; k < TALLY_TAKEN / TALLY_PACK_ELEMENTS; k++) {
        __local TALLY_FN(position) *to = TALLY_POSITIONS_FROM(at, left, k);
#if TALLY_PACK_ELEMENTS > 1
        tally_pack pack;
        pack.bits = (uint4)(0);
#pragma unroll
        for (uint e = 0; e < TALLY_PACK_ELEMENTS; e++) {
            const tally_stored bits = TALLY_FN(bits)(value[k * TALLY_PACK_ELEMENTS + e], spans,
                                                     runs, begins && k + e == 0);
#if TALLY_BYTES < 4
            pack.dword[TALLY_DWORD_OF(e)] |= (uint)bits << TALLY_SHIFT(e);
#else
            pack.stored[e] = bits;
#endif
        }
        if (k * TALLY_PACK_ELEMENTS < count)
            to[k] = pack.bits;
#else
        const tally_stored bits = TALLY_FN(bits)(value[k], spans, runs, begins && k == 0);
        if (k < count)
            to[k] = bits;
#endif
    }
}

/*
 * What positions have of a run's terms stays in registers from one barrier to the next if they are
 * packs, or narrow. Other single elements are read once more, some at a time: with the addresses of
 * each, those registers left room for half of the groups.
 */
#define TALLY_KEEPS (TALLY_PACK_ELEMENTS > 1 || TALLY_BYTES < 4)
#if TALLY_KEEPS
#define TALLY_KEPT_VALUE(run) (run).value
#else
#define TALLY_KEPT_VALUE(run) value
#endif
#define TALLY_TOGETHER (TALLY_RUN / 2)

#if !TALLY_ONE_RUN
#if !TALLY_KEEPS
/* Put results in place of a run's count terms; behind them lie those of other work-items. */
static void TALLY_FN(scan_run)(__local uint4 *image, uint x, uint count, tally_term spans,
                               tally_term runs, bool begins) {
    __local tally_stored *at = (__local tally_stored *)image + TALLY_POSITION_OF(x);
    const uint left = TALLY_POSITIONS_LEFT(x);
    tally_term sum = TALLY_IDENTITY;
#pragma unroll
    for (uint first = 0; first < TALLY_RUN; first += TALLY_TOGETHER) {
        tally_stored held[TALLY_TOGETHER];
#pragma unroll
        for (uint k = 0; k < TALLY_TOGETHER; k++)
            if (first + k < count)
                held[k] = TALLY_POSITIONS_FROM(at, left, first + k)[first + k];
#pragma unroll
        for (uint k = 0; k < TALLY_TOGETHER; k++) {
            const tally_term before = sum;
            if (first + k >= count)
                continue;
            sum = tally_combine_terms(sum, tally_map(tally_of_stored(held[k])));
            TALLY_POSITIONS_FROM(at, left, first + k)[first + k] = TALLY_FN(bits)(
                TALLY_EXCLUSIVE ? before : sum, spans, runs, begins && first + k == 0);
        }
    }
}
#endif

/* A run as its work-item knows it from one barrier to the next. */
typedef struct {
    uint slot; /* of those that a unit has room for */
    uint run;  /* of its row */
    uint x;    /* its first element in the image */
    uint count;
    bool present;
#if TALLY_KEEPS
    tally_term value[TALLY_RUN]; /* what each position has of the run's terms */
#endif
    tally_term total, before; /* of all of them; of the runs before it in its span */
} TALLY_FN(run);

static TALLY_FN(run) TALLY_FN(find)(uint slot, uint runs, uint terms, uint present, uint start) {
    /* Of so few slots, slot / runs is slot times this shifted back: 20 bits are enough. */
    const uint per_runs = ((1 << 20) - 1 + runs) / runs;
    const uint row = slot * per_runs >> 20;
    TALLY_FN(run) it;
    it.slot = slot;
    it.run = slot - row * runs;
    it.x = start + row * terms + it.run * TALLY_RUN;
    it.count = min((uint)TALLY_RUN, terms - it.run * TALLY_RUN);
    it.present = row < present;
    return it;
}

/* What is before the run in its span; the span's last run says what the span comes to. */
static void TALLY_FN(combine_runs)(TALLY_FN(run) *it, __local const tally_term *totals,
                                __local tally_term *spans) {
    const uint position = it->run % TALLY_RUN;
    __local const tally_term *of_span = totals + (it->slot - position);
    tally_term sum = TALLY_IDENTITY;
#if TALLY_KEEPS
#pragma unroll
#else
#pragma unroll 8
#endif
    for (uint k = 0; k < TALLY_RUN - 1; k++)
        if (k < position)
            sum = tally_combine_terms(sum, of_span[k]);
    it->before = sum;
    if (position == TALLY_RUN - 1)
        spans[it->slot / TALLY_RUN] = tally_combine_terms(sum, it->total);
}

/* What the spans before the run's come to: slots of their last runs are whole spans apart. */
static tally_term TALLY_FN(combine_spans)(const TALLY_FN(run) *it,
                                          __local const tally_term *spans) {
    tally_term sum = TALLY_IDENTITY;
    for (uint end = TALLY_RUN; end <= it->run; end += TALLY_RUN)
        sum = tally_combine_terms(sum, spans[(it->slot - it->run + end - 1) / TALLY_RUN]);
    return sum;
}
#endif

/* ---- Units ---------------------------------------------------------------------------------- */

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_scan_short_rows_args a) {
    __local uint4 image[TALLY_IMAGE_PACKS];
    const uint item = get_local_id(0), rows = (uint)a.staged_rows;
    const uint terms = TALLY_ONE_RUN ? TALLY_ROW_TERMS : (uint)a.terms;
    const bool reversed = a.axis_in != 1;
#if TALLY_ONE_RUN || !TALLY_KEEPS
    tally_term value[TALLY_RUN]; /* of several runs it is thrown away */
#endif
#if !TALLY_ONE_RUN
    __local tally_term totals[TALLY_SLOTS];                /* of each run */
    __local tally_term spans[TALLY_SLOTS / TALLY_RUN + 1]; /* of each span, at its last run */
    TALLY_FN(run) run[TALLY_RUNS_PER_ITEM];
#endif
#if TALLY_PLAIN
    /* A run is taken whole, and what is behind its row comes to nothing; behind the last row it is
     * what nobody wrote, which interpreters would report. */
    for (uint k = item; k < TALLY_IMAGE_PACKS; k += TALLY_GROUP)
        image[k] = (uint4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    TALLY_VIEW(in, a.head.in_offset);
    TALLY_VIEW(out, a.head.out_offset);
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0)) {
        const tally_index first = unit * rows;
        const uint present = (uint)min((tally_index)rows, (tally_index)a.rows - first);
        const uint n = present * terms;
        const uint lead = TALLY_PACK_ELEMENTS > 1 ? 0 : TALLY_SKEW(in + first * terms);
        const uint start = reversed ? TALLY_FN(width)(n, lead) * TALLY_PACK - lead - n : lead;
        TALLY_FN(fill)(in + first * terms, image, n, lead, reversed);
        barrier(CLK_LOCAL_MEM_FENCE);
#if TALLY_ONE_RUN
        for (uint row = item; row < present; row += TALLY_GROUP) {
            TALLY_FN(take)(image, start + row * TALLY_ROW_TERMS, value);
            TALLY_FN(give)(image, start + row * TALLY_ROW_TERMS, TALLY_ROW_TERMS, value,
                           TALLY_IDENTITY, TALLY_IDENTITY, true);
        }
#else
#pragma unroll
        for (uint s = 0; s < TALLY_RUNS_PER_ITEM; s++) {
            run[s] = TALLY_FN(find)(item + s * TALLY_GROUP, (uint)a.row_runs, terms, present,
                                    start);
            if (run[s].present)
                totals[run[s].slot] = run[s].total =
                    TALLY_FN(take)(image, run[s].x, TALLY_KEPT_VALUE(run[s]));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint s = 0; s < TALLY_RUNS_PER_ITEM; s++)
            if (run[s].present)
                TALLY_FN(combine_runs)(&run[s], totals, spans);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint s = 0; s < TALLY_RUNS_PER_ITEM; s++)
            if (run[s].present)
#if TALLY_KEEPS
                TALLY_FN(give)(image, run[s].x, run[s].count, run[s].value,
                               TALLY_FN(combine_spans)(&run[s], spans), run[s].before,
                               run[s].run == 0);
#else
                TALLY_FN(scan_run)(image, run[s].x, run[s].count,
                                   TALLY_FN(combine_spans)(&run[s], spans), run[s].before,
                                   run[s].run == 0);
#endif
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(drain)(out + first * terms, image, n, lead, reversed);
        barrier(CLK_LOCAL_MEM_FENCE); /* before the next unit overwrites what was just read */
    }
}
