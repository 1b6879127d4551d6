/*
 * The scan of a box in local memory (scan_staged_box.cl), and the kernels that go from box to box:
 * down the lines of a unit in one launch or, of few long lines, by tiles in three.
 */
/* Of a line, what is finished at each level before the box. */
typedef struct {
    tally_term stretches, tiles, spans, runs;
} TALLY_FN(levels);

/*
 * PoCL 3.1 computes nothing but the last join of unrolled minima and maxima of floats, and stores
 * nothing of whole runs that are in registers where these have a length of their own.
 */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define TALLY_UNROLLED 1
#define TALLY_HAS_WHOLE !TALLY_IN_REGISTERS
#else
#define TALLY_UNROLLED 16
#define TALLY_HAS_WHOLE 1
#endif

/* Work-items' runs that are scanned side by side: those in registers, which have no index. */
#define TALLY_PUTS (TALLY_IN_REGISTERS ? TALLY_RUNS_EACH : 1)

/* The order in which work-items take lines to write. */
#define TALLY_LINE_ORDER (TALLY_DIRECT_STORES ? TALLY_WRITE_ORDER : TALLY_READ_ORDER)

/* Terms of a run that a work-item takes at a time. */
#define TALLY_TAKES                                                                                \
    (TALLY_BYTES == 8 && TALLY_RUN_TERMS > 4 ? 4 : TALLY_RUN_TERMS > 8 ? 8 : TALLY_RUN_TERMS)

/*
 * Where a line lies: in the image, in memory with these strides, and among the box's lines, which
 * are counted in the order of the input's memory. order is the one in which line counts them.
 */
typedef struct {
    uint place, number;
    tally_index at;
} TALLY_FN(line_place);

static TALLY_FN(line_place) TALLY_FN(find_line)(const TALLY_FN(box) *box, uint order,
                                                const tally_index *stride, uint line) {
    TALLY_FN(line_place) it = {0, 0, 0};
    uint left = TALLY_BOX_RANK - 1;
#pragma unroll
    for (uint k = 0; k < TALLY_BOX_RANK; k++) {
        const uint axis = TALLY_AXIS(order, k);
        if (axis == 0)
            continue;
        left--;
        const uint over = left == 0 ? 0 : TALLY_DIVIDE(line, box->magic[axis]);
        const uint along = line - over * box->size[axis];
        it.place += along * box->local_step[axis];
        it.number += along * box->line_step[axis];
        it.at += along * stride[axis];
        line = over;
    }
    return it;
}

/* Where a run lies in the image, of a line that lies at a place. */
static uint TALLY_FN(place_of)(const TALLY_FN(box) *box, uint place, uint run) {
    const uint first = run * TALLY_RUN;
    return TALLY_PLACE(place +
                       (TALLY_MIRRORED_TERMS ? box->places - 1 - first : first) * box->local_step[0]);
}

/* Elements from a term to the next one in local memory: apart, or as many back. */
#if TALLY_IS_LINES
#define TALLY_APART (TALLY_MIRRORED_TERMS ? -1 : 1)
#else
#define TALLY_APART (TALLY_MIRRORED_TERMS ? -(int)apart : (int)apart)
#endif

/* Where a work-item finds the terms of a run: in the image, or in registers. */
#if TALLY_IN_REGISTERS
#define TALLY_TERMS_AT const tally_stored *held
#define TALLY_TERM(k, count) held[k]
#else
#define TALLY_TERMS_AT __local const tally_stored *held
#define TALLY_TERM(k, count) held[(int)min(k, (count)-1) * TALLY_APART]
#endif

/* Terms from the first on of a run that has count: behind the last one it is taken again. */
static void TALLY_FN(take)(TALLY_TERMS_AT, uint apart, uint first, uint count, tally_term *x) {
#pragma unroll
    for (uint k = 0; k < TALLY_TAKES; k++)
        x[k] = tally_map(TALLY_VALUE(TALLY_TERM(first + k, count)));
}

/* The sum of a run's count terms: a constant, or any number of them. */
static tally_term TALLY_FN(fold_count)(TALLY_TERMS_AT, uint apart, uint count) {
    tally_term x[TALLY_TAKES], sum = TALLY_NEUTRAL;
#pragma unroll TALLY_UNROLLED
    for (uint first = 0; first < TALLY_RUN_TERMS; first += TALLY_TAKES) {
        TALLY_FN(take)(held, apart, first, count, x);
#pragma unroll TALLY_UNROLLED
        for (uint k = 0; k < TALLY_TAKES; k++)
            sum = first + k < count ? tally_join_terms(sum, x[k]) : sum;
    }
    return sum;
}

static tally_term TALLY_FN(fold_run)(TALLY_TERMS_AT, uint apart, uint count) {
    return count == TALLY_RUN_TERMS ? TALLY_FN(fold_count)(held, apart, TALLY_RUN_TERMS)
                                    : TALLY_FN(fold_count)(held, apart, count);
}

/* A run's results: to their place in the image, or to memory, a step from one to the next. */
static void TALLY_FN(put_count)(TALLY_TERMS_AT, uint apart, __local tally_stored *image,
                                __global tally_stored *out, tally_index to, tally_index step,
                                uint count, const TALLY_FN(levels) *before, bool begins) {
    tally_term x[TALLY_TAKES], sum = TALLY_NEUTRAL;
#pragma unroll TALLY_UNROLLED
    for (uint first = 0; first < TALLY_RUN_TERMS; first += TALLY_TAKES) {
        TALLY_FN(take)(held, apart, first, count, x);
#pragma unroll TALLY_UNROLLED
        for (uint k = 0; k < TALLY_TAKES; k++) {
            const tally_term last = sum;
            sum = tally_join_terms(sum, x[k]);
            const tally_term total =
                TALLY_FN(join_levels)(before->stretches, before->tiles, before->spans, before->runs,
                                      TALLY_EXCLUSIVE ? last : sum);
            const tally_stored bits =
                tally_stored_of(TALLY_FN(result)(begins && first + k == 0, total));
#if TALLY_DIRECT_STORES
            if (first + k < count)
                out[to] = bits;
            to += step;
#else
            if (first + k < count)
                image[(int)(first + k) * TALLY_APART] = bits;
#endif
        }
    }
}

static void TALLY_FN(put_run)(TALLY_TERMS_AT, uint apart, __local tally_stored *image,
                              __global tally_stored *out, tally_index to, tally_index step,
                              uint count, const TALLY_FN(levels) *before, bool begins) {
    if (TALLY_HAS_WHOLE && count == TALLY_RUN_TERMS)
        TALLY_FN(put_count)(held, apart, image, out, to, step, TALLY_RUN_TERMS, before, begins);
    else
        TALLY_FN(put_count)(held, apart, image, out, to, step, count, before, begins);
}

#if TALLY_DIRECT_LOADS
/* Runs that a work-item has under way: all of its own, where they stay in registers. */
#if TALLY_IN_REGISTERS
#define TALLY_BRINGS TALLY_RUNS_EACH
#else
#define TALLY_BRINGS                                                                               \
    (TALLY_MOVES_ALL > TALLY_RUN_TERMS ? TALLY_MOVES_ALL / TALLY_RUN_TERMS : 1)
#endif

/* A run's terms as they are stored: behind the last one it is taken again. */
static void TALLY_FN(load_count)(__global const tally_stored *in, tally_index at, tally_index step,
                                 uint count, tally_stored *x) {
#pragma unroll
    for (uint k = 0; k < TALLY_RUN_TERMS; k++) {
        x[k] = in[at];
        at += k + 1 < count ? step : 0;
    }
}

/* The run's terms to their place in the image, unless they stay; returns their sum. */
static tally_term TALLY_FN(keep_count)(const tally_stored *x, __local tally_stored *at, uint apart,
                                       uint count) {
    tally_term sum = TALLY_NEUTRAL;
#if !TALLY_IN_REGISTERS
#pragma unroll
    for (uint k = 0; k < TALLY_RUN_TERMS; k++)
        if (k < count)
            at[(int)k * TALLY_APART] = x[k];
#endif
    if (TALLY_ORDER_LEVELS == 1) /* nobody asks */
        return sum;
#pragma unroll TALLY_UNROLLED
    for (uint k = 0; k < TALLY_RUN_TERMS; k++) {
        const tally_term term = tally_map(TALLY_VALUE(x[k]));
        sum = k < count ? tally_join_terms(sum, term) : sum;
    }
    return sum;
}

/*
 * Bring some runs of a box whose lines lie side by side, a group's apart from the one that begins
 * on: the work-item's own, and their totals.
 */
static void TALLY_FN(load_some)(__global const tally_stored *in, tally_index from,
                                const TALLY_FN(box) *box, const tally_index *stride, uint lines,
                                uint lines_magic, uint begin, uint tasks,
                                tally_stored x[TALLY_BRINGS][TALLY_RUN_TERMS],
                                __local tally_stored *image, __local tally_term *totals) {
    uint place[TALLY_BRINGS], count[TALLY_BRINGS];
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++) {
        const uint task = begin + b * TALLY_GROUP;
        const uint run = TALLY_RUN_TERMS < TALLY_RUN ? 0 : TALLY_DIVIDE(task, lines_magic);
        const TALLY_FN(line_place) line =
            TALLY_FN(find_line)(box, TALLY_READ_ORDER, stride, task - run * lines);
        const tally_index at = from + line.at + run * TALLY_RUN * stride[0];
        place[b] = TALLY_FN(place_of)(box, line.place, run);
        count[b] = min((uint)TALLY_RUN_TERMS, box->size[0] - run * TALLY_RUN);
        if (task >= tasks)
            continue;
        if (count[b] == TALLY_RUN_TERMS)
            TALLY_FN(load_count)(in, at, stride[0], TALLY_RUN_TERMS, x[b]);
        else
            TALLY_FN(load_count)(in, at, stride[0], count[b], x[b]);
    }
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++) {
        const uint task = begin + b * TALLY_GROUP;
        if (task >= tasks)
            continue;
        const tally_term sum =
            count[b] == TALLY_RUN_TERMS
                ? TALLY_FN(keep_count)(x[b], image + place[b], box->local_step[0], TALLY_RUN_TERMS)
                : TALLY_FN(keep_count)(x[b], image + place[b], box->local_step[0], count[b]);
        if (TALLY_ORDER_LEVELS > 1)
            totals[task] = sum;
    }
}
#endif

/* sum joined with count totals that are apart from one another. */
static tally_term TALLY_FN(fold_runs)(tally_term sum, __local const tally_term *totals, uint count,
                                      uint apart) {
    for (uint k = 0; k < count; k += 4) {
        tally_term x[4];
#pragma unroll
        for (uint i = 0; i < 4; i++)
            x[i] = totals[min(k + i, count - 1) * apart];
#pragma unroll
        for (uint i = 0; i < 4; i++)
            sum = k + i < count ? tally_join_terms(sum, x[i]) : sum;
    }
    return sum;
}

/* A span ended with the end-th term: then its tile may have, and its stretch. */
static void TALLY_FN(end_span)(TALLY_FN(levels) *at, tally_index end) {
    const tally_term none = TALLY_NEUTRAL;
    at->spans = tally_join_terms(at->spans, at->runs);
    at->runs = none;
    if (end % TALLY_TILE == 0) {
        at->tiles = tally_join_terms(at->tiles, at->spans);
        at->spans = none;
    }
    if (end % TALLY_STRETCH == 0) {
        at->stretches = tally_join_terms(at->stretches, at->tiles);
        at->tiles = none;
    }
}

/* Where a unit's lines begin in either memory, how many they are, and bits as a box's last. */
typedef struct {
    tally_index from, to;
    uint lines, lines_magic, ends;
} TALLY_FN(found);

#if TALLY_CARRY == TALLY_CARRY_WALK
#define TALLY_WORDS
#else
#define TALLY_WORDS , __global tally_term *words
#endif
#define TALLY_STAGED_KERNEL                                                                        \
    __attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void TALLY_KERNEL(           \
        __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,                             \
        const tally_scan_staged_args a TALLY_WORDS)

#if TALLY_PHASE == TALLY_SPINE
/* A unit is a line. */
TALLY_STAGED_KERNEL {
    __local tally_term totals[TALLY_GROUP];
    const tally_index tiles = (tally_index)a.tiles_each;
    const tally_index stretches = (tally_index)a.stretches_each;
    words += a.words;
    for (tally_index unit = get_group_id(0); unit < (tally_index)a.head.units;
         unit += get_num_groups(0))
        TALLY_FN(fold_lines)(words + a.tiles + unit * tiles, words + a.stretches + unit * stretches,
                             1, tiles, stretches, 1, true, totals);
}
#else
TALLY_STAGED_KERNEL {
    __local tally_stored image[TALLY_IMAGE];
    __local tally_term totals[TALLY_TOTALS_ROOM];            /* of runs, those of a line apart */
    __local tally_term spans[TALLY_TOTALS_ROOM / TALLY_RUN]; /* where a box has several */
    __local TALLY_FN(levels) carry[TALLY_LINES];
    __local TALLY_FN(found) found;
#if TALLY_IN_REGISTERS
    tally_stored x[TALLY_RUNS_EACH][TALLY_RUN_TERMS];
#endif
    const uint item = get_local_id(0);
    const tally_index terms = (tally_index)a.terms, box_terms = (tally_index)a.box_size[0];
    const tally_index units = (tally_index)a.head.units;
    in += a.head.in_offset;
    out += a.head.out_offset;
    const uint read_skew = TALLY_SKEW(in, TALLY_READ_PACK);
    const uint write_skew = TALLY_SKEW(out, TALLY_WRITE_PACK);
#if TALLY_CARRY != TALLY_CARRY_WALK
    const tally_index boxes = (tally_index)a.all_boxes;
    words += a.words;
#endif
    for (tally_index unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
#if TALLY_CARRY == TALLY_CARRY_WALK
        const tally_index at_box = unit, start = 0, end = terms;
#else
        /* What TOTALS read last some cache may still have. */
        const tally_index turn = TALLY_PHASE == TALLY_APPLY ? units - 1 - unit : unit;
        const tally_index at_box = turn % boxes, at_tile = turn / boxes;
        const tally_index start = at_tile * TALLY_TILE;
        const tally_index end = min(terms, start + TALLY_TILE);
#endif
        /* One work-item divides for all of them. */
        if (item == 0) {
            tally_index index = at_box;
            uint ends = 0, lines = 1;
#pragma unroll
            for (uint k = 1; k < TALLY_BOX_RANK; k++) {
                const tally_index boxes_along = (tally_index)a.kept_size[TALLY_KEPT_RANK - k];
                const tally_index over = index / boxes_along;
                const bool last = index - over * boxes_along == boxes_along - 1;
                index = over;
                ends |= last ? 1u << k : 0;
                lines *= (uint)(last ? a.last_size[k] : a.box_size[k]);
            }
            found.from = TALLY_START_IN(a, at_box);
            found.to = TALLY_START_OUT(a, at_box);
            found.ends = ends;
            found.lines = lines;
            found.lines_magic = TALLY_MAGIC(lines);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        TALLY_FN(box) box;
        tally_index stride_in[TALLY_BOX_AXES], stride_out[TALLY_BOX_AXES];
        const tally_index from = found.from, to = found.to;
        const uint ends = found.ends, lines = found.lines, lines_magic = found.lines_magic;
#pragma unroll
        for (uint k = 1; k < TALLY_BOX_RANK; k++) {
            const bool last = (ends >> k & 1) != 0;
            box.size[k] = (uint)(last ? a.last_size[k] : a.box_size[k]);
            box.magic[k] = (uint)(last ? a.last_magic[k] : a.box_magic[k]);
            box.local_step[k] = (uint)a.box_local[k];
            stride_in[k] = (tally_index)a.box_in[k];
            stride_out[k] = (tally_index)a.box_out[k];
        }
#pragma unroll
        for (uint k = 0, step = 1; k < TALLY_BOX_RANK; k++) {
            const uint axis = TALLY_AXIS(TALLY_READ_ORDER, k);
            box.line_step[axis] = axis == 0 ? 0 : step;
            step *= axis == 0 ? 1 : box.size[axis];
        }
        stride_in[0] = (tally_index)a.axis_in;
        stride_out[0] = (tally_index)a.axis_out;
        box.local_step[0] = (uint)a.box_local[0];
#if TALLY_CARRY == TALLY_CARRY_WALK
        if (end > box_terms)
            for (uint line = item; line < lines; line += TALLY_GROUP) {
                carry[line].stretches = carry[line].tiles = TALLY_NEUTRAL;
                carry[line].spans = carry[line].runs = TALLY_NEUTRAL;
            }
#else
        for (uint line = item; line < lines; line += TALLY_GROUP) {
            const tally_index at = at_box * (tally_index)a.box_lines + line;
            carry[line].stretches = carry[line].tiles = TALLY_NEUTRAL;
            carry[line].spans = carry[line].runs = TALLY_NEUTRAL;
            if (TALLY_PHASE == TALLY_APPLY) {
                carry[line].stretches =
                    words[a.stretches + at * (tally_index)a.stretches_each + at_tile / TALLY_TILES];
                carry[line].tiles = words[a.tiles + at * (tally_index)a.tiles_each + at_tile];
            }
        }
#endif
        for (tally_index begin = start; begin < end; begin += box_terms) {
            const bool last = end - begin <= box_terms, cut = terms - begin <= box_terms;
            box.size[0] = (uint)(cut ? a.last_size[0] : a.box_size[0]);
            box.magic[0] = (uint)(cut ? a.last_magic[0] : a.box_magic[0]);
            box.size[0] = TALLY_RUN_TERMS < TALLY_RUN ? TALLY_RUN_TERMS : box.size[0];
            box.last = ends | (cut ? 1 : 0);
            const uint runs = (box.size[0] + TALLY_RUN - 1) / TALLY_RUN;
            /* Neighbours have runs of neighbouring lines; of few lines, neighbouring runs. */
            const uint inner = TALLY_SKEWED ? runs : lines;
            const uint inner_magic = TALLY_SKEWED ? TALLY_MAGIC(runs) : lines_magic;
            const uint apart = TALLY_SKEWED ? 1 : lines, line_apart = TALLY_SKEWED ? runs : 1;
            box.places = TALLY_SKEWED ? runs * TALLY_RUN : box.size[0];
            const tally_index read_from = from + begin * stride_in[0];
#if TALLY_DIRECT_LOADS
#if TALLY_IN_REGISTERS
            TALLY_FN(load_some)((__global const tally_stored *)in, read_from, &box, stride_in,
                                lines, lines_magic, item, lines * runs, x, image, totals);
#else
            for (uint task = item; task < lines * runs; task += TALLY_BRINGS * TALLY_GROUP) {
                tally_stored x[TALLY_BRINGS][TALLY_RUN_TERMS];
                TALLY_FN(load_some)((__global const tally_stored *)in, read_from, &box, stride_in,
                                    lines, lines_magic, task, lines * runs, x, image, totals);
            }
#endif
            barrier(CLK_LOCAL_MEM_FENCE);
#else
            const TALLY_FN(way) way_in =
                TALLY_FN(find_way)(&box, TALLY_READ_ORDER, TALLY_READ_ALONG, TALLY_READ_PACK,
                                   stride_in, read_from, read_skew, TALLY_MAGICS(a.read_packs),
                                   TALLY_MAGICS(a.read_around));
            TALLY_FN(fill)(in, read_skew, &way_in, image);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (TALLY_PHASE == TALLY_TOTALS || runs > 1 || !last) {
                for (uint task = item; task < lines * runs; task += TALLY_GROUP) {
                    const uint over = TALLY_DIVIDE(task, inner_magic), within = task - over * inner;
                    const uint run = TALLY_SKEWED ? within : over;
                    const TALLY_FN(line_place) line =
                        TALLY_FN(find_line)(&box, TALLY_READ_ORDER, stride_in,
                                            TALLY_SKEWED ? over : within);
                    totals[task] = TALLY_FN(fold_run)(
                        image + TALLY_FN(place_of)(&box, line.place, run), box.local_step[0],
                        min((uint)TALLY_RUN_TERMS, box.size[0] - run * TALLY_RUN));
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
#endif
#if TALLY_PHASE != TALLY_TOTALS
            const uint whole = (runs - 1) / TALLY_RUN; /* spans that have others behind them */
            if (whole > 0) {
                for (uint k = item; k < lines * whole; k += TALLY_GROUP)
                    spans[k] = TALLY_FN(fold_runs)(TALLY_NEUTRAL,
                                                   totals + k / whole * line_apart +
                                                       k % whole * TALLY_RUN * apart,
                                                   TALLY_RUN, apart);
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            const tally_index write_from = to + begin * stride_out[0];
#pragma unroll TALLY_PUTS
            for (uint r = 0; r < TALLY_RUNS_EACH; r++) {
                const uint task = item + r * TALLY_GROUP;
                if (task >= lines * runs)
                    continue;
                const uint over = TALLY_DIVIDE(task, inner_magic), within = task - over * inner;
                const uint run = TALLY_SKEWED ? within : over;
                const TALLY_FN(line_place) at =
                    TALLY_FN(find_line)(&box, TALLY_LINE_ORDER, stride_out,
                                        TALLY_SKEWED ? over : within);
                const uint line = TALLY_DIRECT_STORES ? at.number : TALLY_SKEWED ? over : within;
                const uint span = run / TALLY_RUN;
                TALLY_FN(levels)
                before = {TALLY_NEUTRAL, TALLY_NEUTRAL, TALLY_NEUTRAL, TALLY_NEUTRAL};
                if (begin > 0)
                    before = carry[line];
#if TALLY_ORDER_LEVELS > 1
                before.runs = TALLY_FN(fold_runs)(
                    span == 0 ? before.runs : TALLY_NEUTRAL,
                    totals + line * line_apart + span * TALLY_RUN * apart, run % TALLY_RUN, apart);
                for (uint k = 0; k < span; k++)
                    before.spans = tally_join_terms(before.spans, spans[line * whole + k]);
#endif
#if TALLY_ORDER_LEVELS == 2 /* joins are exact, or the others have nothing */
                before.runs =
                    TALLY_JOIN4(before.stretches, before.tiles, before.spans, before.runs);
#endif
                __local tally_stored *kept = image + TALLY_FN(place_of)(&box, at.place, run);
#if TALLY_IN_REGISTERS
                const tally_stored *held = x[r];
#else
                __local const tally_stored *held = kept;
#endif
                TALLY_FN(put_run)(held, box.local_step[0], kept, (__global tally_stored *)out,
                                  write_from + at.at + run * TALLY_RUN * stride_out[0],
                                  stride_out[0],
                                  min((uint)TALLY_RUN_TERMS, box.size[0] - run * TALLY_RUN),
                                  &before, begin == 0 && run == 0);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
            if (TALLY_PHASE == TALLY_TOTALS || !last)
                for (uint line = item; line < lines; line += TALLY_GROUP) {
                    TALLY_FN(levels) at = carry[line];
                    for (uint run = 0; run < runs; run += TALLY_RUN) {
                        const uint some = min((uint)TALLY_RUN, runs - run);
                        const tally_index done = begin + (run + some) * TALLY_RUN;
                        at.runs = TALLY_FN(fold_runs)(
                            at.runs, totals + line * line_apart + run * apart, some, apart);
                        if (done % TALLY_SPAN == 0)
                            TALLY_FN(end_span)(&at, done);
                    }
                    carry[line] = at;
                }
#if TALLY_PHASE != TALLY_TOTALS && !TALLY_DIRECT_STORES
            const TALLY_FN(way) way_out =
                TALLY_FN(find_way)(&box, TALLY_WRITE_ORDER, TALLY_WRITE_ALONG, TALLY_WRITE_PACK,
                                   stride_out, write_from, write_skew, TALLY_MAGICS(a.write_packs),
                                   TALLY_MAGICS(a.write_around));
#if TALLY_WRITE_PACK > 1
            TALLY_FN(drain_packs)(out, write_skew, &way_out, image);
            TALLY_FN(drain_around)(out, write_skew, &way_out, image);
#else
            TALLY_FN(drain_elements)(out, &way_out, image);
#endif
#endif
            barrier(CLK_LOCAL_MEM_FENCE); /* before the next box overwrites what was just read */
        }
#if TALLY_PHASE == TALLY_TOTALS
        /* Of a whole tile one level has something; of the last one nobody asks. */
        for (uint line = item; line < (uint)a.box_lines; line += TALLY_GROUP) {
            const tally_index at = at_box * (tally_index)a.box_lines + line;
            words[a.tiles + at * (tally_index)a.tiles_each + at_tile] =
                line < lines ? tally_join_terms(carry[line].stretches, carry[line].tiles)
                             : TALLY_NEUTRAL;
        }
#endif
    }
}
#endif
