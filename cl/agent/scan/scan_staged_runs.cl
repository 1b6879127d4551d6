/*
 * The runs of a box of a scan (scan_staged_box.cl): where they lie, how a work-item comes to their
 * terms, their sums, and how their results leave it. Terms come from the image of the box in local
 * memory, and results go back there. Or a work-item loads its own terms from memory, where lines
 * lie side by side there (TALLY_DIRECT_LOADS), keeps them in registers until their results are
 * there (TALLY_IN_REGISTERS), and stores these likewise (TALLY_DIRECT_STORES).
 */
/*
 * PoCL 3.1 computes nothing but the last combination of unrolled minima and maxima of floats, and
 * stores nothing of whole runs that are in registers where these have a length of their own.
 */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define TALLY_UNROLLED 1
#define TALLY_HAS_WHOLE !TALLY_IN_REGISTERS
#else
#define TALLY_UNROLLED 16
#define TALLY_HAS_WHOLE 1
#endif

/* Whether a launch publishes what spans come to, each as it ends. */
#define TALLY_PUBLISHES_SPANS (TALLY_PHASE == TALLY_TOTALS && TALLY_TILE_PARTS)

/* Whether a launch's unit is a tile of each line of a box, not a box, of a span at least. */
#define TALLY_UNIT_IS_TILE (!TALLY_TILE_PARTS || TALLY_TILE_TOTALS)

/* Whether groups tell each other what comes before their units: boxes of so many spans. */
#define TALLY_LOOKS_BACK (TALLY_CARRY == TALLY_CARRY_LOOK_BACK)
#if TALLY_CARRY == TALLY_CARRY_LOOK_BACK
#define TALLY_IS_LEFT own.past.gave_up /* the unit at hand, as its group waited in vain */
#else
#define TALLY_IS_LEFT 0
#endif

/* A line's words of a tile: of its spans, or of itself. */
#define TALLY_TILE_WORDS (TALLY_TILE_PARTS ? TALLY_RUN : 1)

/* Work-items' runs that are scanned side by side: those in registers, which have no index. */
#define TALLY_PUTS (TALLY_IN_REGISTERS ? TALLY_RUNS_PER_ITEM : 1)

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
    uint position, number;
    tally_index at;
} TALLY_FN(line_position);

static TALLY_FN(line_position) TALLY_FN(find_line)(const TALLY_FN(box) *box, uint order,
                                                const tally_index *stride, uint line) {
    TALLY_FN(line_position) it = {0, 0, 0};
    uint left = TALLY_BOX_RANK - 1;
#pragma unroll
    for (uint k = 0; k < TALLY_BOX_RANK; k++) {
        const uint axis = TALLY_AXIS(order, k);
        if (axis == 0)
            continue;
        left--;
        const uint over = left == 0 ? 0 : TALLY_DIVIDE(line, box->magic[axis]);
        const uint along = line - over * box->size[axis];
        it.position += along * box->local_step[axis];
        it.number += along * box->line_step[axis];
        it.at += along * stride[axis];
        line = over;
    }
    return it;
}

/* Where a run lies in the image, of a line that lies at a position. */
static uint TALLY_FN(position_of)(const TALLY_FN(box) *box, uint position, uint run) {
    const uint first = run * TALLY_RUN;
    const uint term = TALLY_REVERSED_TERMS ? box->positions - 1 - first : first;
    return TALLY_POSITION(box->lead + position + term * box->local_step[0]);
}

/* Elements from a term to the next one in local memory: apart, or as many back. */
#if TALLY_IS_LINES
#define TALLY_TERM_STRIDE (TALLY_REVERSED_TERMS ? -1 : 1)
#else
#define TALLY_TERM_STRIDE (TALLY_REVERSED_TERMS ? -(int)stride : (int)stride)
#endif

/* Where a work-item finds the terms of a run: in the image, or in registers. */
#if TALLY_IN_REGISTERS
#define TALLY_TERMS_AT const tally_stored *held
#define TALLY_TERM(k, count) held[min((uint)(k), (uint)TALLY_RUN_TERMS - 1)]
#else
#define TALLY_TERMS_AT __local const tally_stored *held
#define TALLY_TERM(k, count) held[(int)min(k, (count)-1) * TALLY_TERM_STRIDE]
#endif

/* Terms from the first on of a run that has count: behind the last one it is taken again. */
static void TALLY_FN(take)(TALLY_TERMS_AT, uint stride, uint first, uint count, tally_term *x) {
#pragma unroll
    for (uint k = 0; k < TALLY_TAKES; k++)
        x[k] = tally_map(tally_of_stored(TALLY_TERM(first + k, count)));
}

/* The sum of a run's count terms: a constant, or any number of them. */
static tally_term TALLY_FN(fold_count)(TALLY_TERMS_AT, uint stride, uint count) {
    tally_term x[TALLY_TAKES], sum = TALLY_IDENTITY;
#pragma unroll TALLY_UNROLLED
    for (uint first = 0; first < TALLY_RUN_TERMS; first += TALLY_TAKES) {
        if (first >= count)
            continue;
        TALLY_FN(take)(held, stride, first, count, x);
#pragma unroll TALLY_UNROLLED
        for (uint k = 0; k < TALLY_TAKES; k++)
            sum = first + k < count ? tally_combine_terms(sum, x[k]) : sum;
    }
    return sum;
}

static tally_term TALLY_FN(fold_run)(TALLY_TERMS_AT, uint stride, uint count) {
    return count == TALLY_RUN_TERMS ? TALLY_FN(fold_count)(held, stride, TALLY_RUN_TERMS)
                                    : TALLY_FN(fold_count)(held, stride, count);
}

/*
 * Whether a run's sum begins with what is before it, instead of each result taking it: combining is
 * exact, and all levels are in runs.
 */
#define TALLY_COMBINES_EARLY (TALLY_ORDER_LEVELS == 2 && TALLY_EXACT)

/* A run's results: to their position in the image, or to memory, a step from one to the next. */
static void TALLY_FN(put_count)(TALLY_TERMS_AT, uint stride, __local tally_stored *image,
                                __global tally_stored *out, tally_index to, tally_index step,
                                uint count, const TALLY_FN(levels) *before, bool begins) {
    tally_term x[TALLY_TAKES], sum = TALLY_IDENTITY;
    if (TALLY_COMBINES_EARLY)
        sum = before->runs;
#pragma unroll TALLY_UNROLLED
    for (uint first = 0; first < TALLY_RUN_TERMS; first += TALLY_TAKES) {
        if (first >= count)
            continue;
        TALLY_FN(take)(held, stride, first, count, x);
#pragma unroll TALLY_UNROLLED
        for (uint k = 0; k < TALLY_TAKES; k++) {
            const tally_term last = sum;
            sum = tally_combine_terms(sum, x[k]);
            tally_term total = TALLY_EXCLUSIVE ? last : sum;
            if (!TALLY_COMBINES_EARLY)
                total = TALLY_FN(combine_levels)(before->stretches, before->tiles, before->spans,
                                                 before->runs, total);
            const tally_stored bits =
                tally_stored_of(TALLY_FN(result)(begins && first + k == 0, total));
#if TALLY_DIRECT_STORES
            if (first + k < count)
                out[to] = bits;
            to += step;
#else
            if (first + k < count)
                image[(int)(first + k) * TALLY_TERM_STRIDE] = bits;
#endif
        }
    }
}

static void TALLY_FN(put_run)(TALLY_TERMS_AT, uint stride, __local tally_stored *image,
                              __global tally_stored *out, tally_index to, tally_index step,
                              uint count, const TALLY_FN(levels) *before, bool begins) {
    if (TALLY_HAS_WHOLE && count == TALLY_RUN_TERMS)
        TALLY_FN(put_count)(held, stride, image, out, to, step, TALLY_RUN_TERMS, before, begins);
    else
        TALLY_FN(put_count)(held, stride, image, out, to, step, count, before, begins);
}

#if TALLY_DIRECT_LOADS
/* Runs that a work-item has under way: all of its own, where they stay in registers. */
#if TALLY_IN_REGISTERS
#define TALLY_BRINGS TALLY_RUNS_PER_ITEM
#else
#define TALLY_BRINGS                                                                               \
    (TALLY_MOVES_ALL > TALLY_RUN_TERMS ? TALLY_MOVES_ALL / TALLY_RUN_TERMS : 1)
#endif

/* Terms of a run that are loaded, or combined, if the first one is there. */
#define TALLY_PART 8

/* A run's terms as they are stored: of a part behind the last one it is taken again. */
static void TALLY_FN(load_count)(__global const tally_stored *in, tally_index at, tally_index step,
                                 uint count, tally_stored *x) {
#pragma unroll
    for (uint k = 0; k < TALLY_RUN_TERMS; k++) {
        if (k / TALLY_PART * TALLY_PART < count)
            x[k] = in[at];
        at += k + 1 < count ? step : 0;
    }
}

#if !TALLY_IN_REGISTERS
/* A run's terms to their position in the image. */
static void TALLY_FN(keep_count)(const tally_stored *x, __local tally_stored *at, uint stride,
                                 uint count) {
#pragma unroll
    for (uint k = 0; k < TALLY_RUN_TERMS; k++)
        if (k < count)
            at[(int)k * TALLY_TERM_STRIDE] = x[k];
}
#endif

/* The sum of so many of them. */
static tally_term TALLY_FN(combine_count)(const tally_stored *x, uint count) {
    tally_term sum = TALLY_IDENTITY;
#pragma unroll TALLY_UNROLLED
    for (uint k = 0; k < TALLY_RUN_TERMS; k++) {
        if (k / TALLY_PART * TALLY_PART >= count)
            continue;
        const tally_term term = tally_map(tally_of_stored(x[k]));
        sum = k < count ? tally_combine_terms(sum, term) : sum;
    }
    return sum;
}

/*
 * Bring some runs of a box whose lines lie side by side, a group's apart from the one that begins
 * on: the work-item's own, and the totals of those before others, which end before asked.
 */
static void TALLY_FN(load_some)(__global const tally_stored *in, tally_index from,
                                const TALLY_FN(box) *box, const tally_index *stride, uint lines,
                                uint lines_magic, uint begin, uint tasks, uint asked,
                                tally_stored x[TALLY_BRINGS][TALLY_RUN_TERMS],
                                __local tally_stored *image, __local tally_term *totals) {
    uint position[TALLY_BRINGS], count[TALLY_BRINGS];
#pragma unroll
    for (uint b = 0; b < TALLY_BRINGS; b++) {
        const uint task = min(begin + b * TALLY_GROUP, tasks - 1);
        const uint run = TALLY_RUN_TERMS < TALLY_RUN ? 0 : TALLY_DIVIDE(task, lines_magic);
        const TALLY_FN(line_position) line =
            TALLY_FN(find_line)(box, TALLY_READ_ORDER, stride, task - run * lines);
        const tally_index at = from + line.at + run * TALLY_RUN * stride[0];
        position[b] = TALLY_FN(position_of)(box, line.position, run);
        count[b] = min((uint)TALLY_RUN_TERMS, box->size[0] - run * TALLY_RUN);
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
#if !TALLY_IN_REGISTERS
        if (count[b] == TALLY_RUN_TERMS)
            TALLY_FN(keep_count)(x[b], image + position[b], box->local_step[0], TALLY_RUN_TERMS);
        else
            TALLY_FN(keep_count)(x[b], image + position[b], box->local_step[0], count[b]);
#endif
        if (TALLY_ORDER_LEVELS > 1 && task < asked)
            totals[task] = count[b] == TALLY_RUN_TERMS
                               ? TALLY_FN(combine_count)(x[b], TALLY_RUN_TERMS)
                               : TALLY_FN(combine_count)(x[b], count[b]);
    }
}
#endif

#if TALLY_CARRY == TALLY_CARRY_WALK
#define TALLY_WORDS
#elif TALLY_LOOKS_BACK
#define TALLY_WORDS , __global TALLY_FN(word) *words
#else
#define TALLY_WORDS , __global tally_term *words
#endif
#define TALLY_STAGED_KERNEL                                                                        \
    __attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void TALLY_KERNEL(           \
        __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,                             \
        const tally_scan_staged_args a TALLY_WORDS)
