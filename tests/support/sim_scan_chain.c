/*
 * sim_scan_chain.c: the scans of cl/scan_rows_passes.cl: launches that tell each other of a row's
 * parts in words of the scratch. Units come in the order of their tickets, each after the one
 * before; a word that is needed and that nobody has told is a fault, unless somebody gave up.
 */
#include "cl/args.h"
#include "plan/group.h"
#include "sim_scan.h"

#define MERGED_MAX 31

/* What a launch's units have in common. */
typedef struct chain {
    const sim_launch *launch;
    const tally_scan_rows_args *args;
    uint64_t unit; /* terms */
    uint32_t merged, word, parts;
    bool tells, excused; /* in a pass; somebody may have given up */
} chain;

/* Parts of a row, with a word or several each. */
typedef enum level { SPAN, TILE, STRETCH, ANCHOR } level;

/* ---- Words --------------------------------------------------------------------------------- */

enum { LEFT = 1, MARKS = 2 };

static uint64_t read_word(const chain *it, uint64_t index) {
    const unsigned char *at = sim_word(it->launch->memory, index, it->word, false);
    return at != NULL ? sim_get(at, it->word) : 0;
}

static void write_word(const chain *it, uint64_t index, uint64_t bits) {
    unsigned char *at = sim_word(it->launch->memory, index, it->word, true);
    if (at != NULL)
        sim_put(at, it->word, bits);
}

static uint64_t ready(const chain *it) {
    return UINT64_C(1) << (it->word * 4);
}

/* The first word of a column of a part. */
static uint64_t word_of(const chain *it, level of, uint64_t row, uint64_t part, uint32_t column) {
    const tally_scan_rows_args *args = it->args;
    const uint64_t begin[] = {args->spans, args->tiles, args->stretches, args->anchors};
    const uint64_t each[] = {args->tiles_each * TALLY_RUN, args->tiles_each, args->stretches_each,
                             args->stretches_each};
    if (part >= each[of] || row >= args->rows)
        sim_fault(it->launch->memory, "step %u: row %llu has no part %llu of level %d",
                  it->launch->memory->step, (unsigned long long)row, (unsigned long long)part,
                  (int)of);
    return begin[of] + ((row * each[of] + part) * it->merged + column) * it->parts;
}

/* Once for each word; in a repair what was told may be told again. */
static void tell(const chain *it, level of, uint64_t row, uint64_t part, uint32_t column,
                 sim_state state) {
    const uint64_t first = word_of(it, of, row, part, column);
    const bool repairs = it->launch->step->spec.phase == TALLY_SPINE && it->args->marked;
    for (uint32_t k = 0; k < it->parts; k++) {
        const uint64_t bits = (state.value >> (k * it->word * 4)) & (ready(it) - 1);
        unsigned char *at = sim_word(it->launch->memory, first + k, it->word, true);
        const uint64_t old = at != NULL ? sim_get(at, it->word) : 0;
        if (old != 0 && (!repairs || old != (ready(it) | bits)))
            sim_fault(it->launch->memory, "step %u tells word %llu again", it->launch->memory->step,
                      (unsigned long long)(first + k));
        write_word(it, first + k, ready(it) | bits);
    }
}

static bool look(const chain *it, level of, uint64_t row, uint64_t part, uint32_t column,
                 sim_state *state) {
    const uint64_t first = word_of(it, of, row, part, column);
    bool there = true;
    *state = (sim_state){0, 0, 0};
    for (uint32_t k = 0; k < it->parts; k++) {
        const uint64_t seen = read_word(it, first + k);
        there = there && (seen & ready(it)) != 0;
        state->value |= (seen & (ready(it) - 1)) << (k * it->word * 4);
    }
    return there;
}

/* Fold parts onto a state; false if one is not there, which nobody but who may give up expects. */
static bool fold_parts(const chain *it, level of, uint64_t row, uint64_t first, uint64_t count,
                       uint32_t column, sim_state *sum) {
    for (uint64_t k = 0; k < count; k++) {
        sim_state state;
        if (!look(it, of, row, first + k, column, &state)) {
            if (!it->excused)
                sim_fault(it->launch->memory, "step %u: nobody told part %llu of level %d",
                          it->launch->memory->step, (unsigned long long)(first + k), (int)of);
            return false;
        }
        *sum = sim_join(&it->launch->math, *sum, state);
    }
    return true;
}

/* ---- Totals -------------------------------------------------------------------------------- */

static sim_state span_total(const chain *it, const sim_row *row, uint64_t begin) {
    const sim_math *math = &it->launch->math;
    sim_state span = sim_neutral(math);
    for (uint64_t run = begin; run < begin + TALLY_SPAN; run += TALLY_RUN) {
        sim_state total = sim_neutral(math);
        for (uint64_t i = run; i < run + TALLY_RUN; i++)
            total = sim_join(math, total, sim_load_term(it->launch, row, i));
        span = sim_join(math, span, total);
    }
    return span;
}

/*
 * Tell a whole unit's totals of spans, or if it is a tile its total; they are folded onto sum, from
 * the tile's beginning on.
 */
static void tell_unit(const chain *it, uint64_t row, uint64_t begin, uint32_t column, bool tells,
                      sim_state *sum) {
    const sim_row at = sim_find_column(it->launch, it->merged, row, column);
    for (uint64_t span = begin; span < begin + it->unit; span += TALLY_SPAN) {
        const sim_state total = span_total(it, &at, span);
        *sum = sim_join(&it->launch->math, *sum, total);
        if (tells && it->unit < TALLY_TILE)
            tell(it, SPAN, row, span / TALLY_SPAN, column, total);
    }
    if (tells && it->unit == TALLY_TILE)
        tell(it, TILE, row, begin / TALLY_TILE, column, *sum);
}

static void fold_tile(const chain *it, uint64_t job) {
    const uint64_t row = job % it->args->rows, tile = job / it->args->rows;
    for (uint32_t column = 0; column < it->merged; column++) {
        sim_state sum = sim_neutral(&it->launch->math);
        uint64_t begin = tile * TALLY_TILE;
        for (; begin < (tile + 1) * TALLY_TILE && begin + it->unit <= it->args->terms;
             begin += it->unit)
            tell_unit(it, row, begin, column, true, &sum);
        if (it->unit < TALLY_TILE && begin == (tile + 1) * TALLY_TILE)
            tell(it, TILE, row, tile, column, sum);
    }
}

/* ---- Units --------------------------------------------------------------------------------- */

typedef struct unit {
    uint64_t row, begin, end, tile, stretch;
    bool whole, ends_tile, ends_stretch, gave_up;
    sim_state levels[MERGED_MAX][LEVELS], total[MERGED_MAX]; /* before it; up to and with it */
} unit;

static void find_unit(const chain *it, uint64_t job, unit *at) {
    *at = (unit){.row = job % it->args->rows, .begin = job / it->args->rows * it->unit};
    at->end = sim_least(at->begin + it->unit, it->args->terms);
    at->tile = at->begin / TALLY_TILE;
    at->stretch = at->begin / TALLY_STRETCH;
    at->whole = at->end - at->begin == it->unit;
    at->ends_tile = it->tells && at->whole && at->end % TALLY_TILE == 0;
    at->ends_stretch = it->tells && at->whole && at->end % TALLY_STRETCH == 0;
    for (uint32_t column = 0; column < it->merged; column++) {
        at->total[column] = sim_neutral(&it->launch->math);
        for (int k = 0; k < LEVELS; k++)
            at->levels[column][k] = sim_neutral(&it->launch->math);
    }
}

/* What comes before a unit at a level; what is then known of the level, if that ends with it. */
static void look_for(const chain *it, unit *at, uint32_t column, level of) {
    const sim_math *math = &it->launch->math;
    sim_state *levels = at->levels[column], *total = &at->total[column];
    const uint64_t since = sim_least(at->stretch, TALLY_WINDOW);
    bool there = true;
    if (of == SPAN) {
        there = fold_parts(it, SPAN, at->row, at->tile * TALLY_RUN,
                           at->begin % TALLY_TILE / TALLY_SPAN, column, &levels[SPANS]);
        *total = levels[SPANS];
        if (at->whole)
            tell_unit(it, at->row, at->begin, column, false, total);
    } else if (of == TILE) {
        there = fold_parts(it, TILE, at->row, at->tile - at->tile % TALLY_TILES,
                           at->tile % TALLY_TILES, column, &levels[TILES]);
        *total = sim_join(math, levels[TILES], *total);
    } else {
        if (since < at->stretch)
            there = fold_parts(it, ANCHOR, at->row, at->stretch - since - 1, 1, column,
                               &levels[STRETCHES]);
        there = there && fold_parts(it, STRETCH, at->row, at->stretch - since, since, column,
                                    &levels[STRETCHES]);
        *total = sim_join(math, levels[STRETCHES], *total);
    }
    at->gave_up = at->gave_up || !there;
}

static void find_past(const chain *it, unit *at, uint64_t job) {
    const uint32_t impatience = it->tells ? it->launch->memory->impatience : 0;
    const bool gives_up = impatience != 0 && job % impatience == impatience - 1;
    const bool ends[] = {at->ends_tile && it->unit < TALLY_TILE, at->ends_stretch,
                         at->ends_stretch};
    static const level told[] = {TILE, STRETCH, ANCHOR};
    for (int of = SPAN; of <= STRETCH; of++) {
        if (gives_up && job / impatience % 3 == (uint64_t)of)
            at->gave_up = true;
        for (uint32_t column = 0; column < it->merged; column++)
            look_for(it, at, column, (level)of);
        for (uint32_t column = 0; column < it->merged && ends[of] && !at->gave_up; column++)
            tell(it, told[of], at->row, told[of] == TILE ? at->tile : at->stretch, column,
                 at->total[column]);
    }
}

/* What comes before a unit, from all of the row's tiles before it. */
static void fold_past(const chain *it, unit *at, uint32_t column) {
    const sim_math *math = &it->launch->math;
    sim_state *levels = at->levels[column];
    fold_parts(it, SPAN, at->row, at->tile * TALLY_RUN, at->begin % TALLY_TILE / TALLY_SPAN, column,
               &levels[SPANS]);
    for (uint64_t tile = 0; tile < at->tile; tile++) {
        fold_parts(it, TILE, at->row, tile, 1, column, &levels[TILES]);
        if ((tile + 1) % TALLY_TILES != 0)
            continue;
        levels[STRETCHES] = sim_join(math, levels[STRETCHES], levels[TILES]);
        levels[TILES] = sim_neutral(math);
    }
}

static void follow(const chain *it, uint64_t job) {
    unit at;
    find_unit(it, job, &at);
    for (uint32_t column = 0; column < it->merged; column++) {
        const sim_row row = sim_find_column(it->launch, it->merged, at.row, column);
        fold_past(it, &at, column);
        sim_walk(it->launch, &row, at.begin, at.end, at.levels[column]);
    }
}

static void write_unit(const chain *it, uint64_t job) {
    unit at;
    find_unit(it, job, &at);
    for (uint32_t column = 0; column < it->merged && it->tells && at.whole; column++) {
        sim_state own = sim_neutral(&it->launch->math);
        tell_unit(it, at.row, at.begin, column, true, &own);
    }
    find_past(it, &at, job);
    if (at.gave_up) {
        write_word(it, MARKS + job, 1);
        write_word(it, LEFT, read_word(it, LEFT) + 1);
        return;
    }
    for (uint32_t column = 0; column < it->merged; column++) {
        const sim_row row = sim_find_column(it->launch, it->merged, at.row, column);
        sim_walk(it->launch, &row, at.begin, at.end, at.levels[column]);
    }
}

/* ---- The spine ----------------------------------------------------------------------------- */

static sim_state tile_total(const chain *it, uint64_t row, uint64_t tile, uint32_t column) {
    sim_state sum;
    if (look(it, TILE, row, tile, column, &sum))
        return sum;
    sum = sim_neutral(&it->launch->math);
    if (!fold_parts(it, SPAN, row, tile * TALLY_RUN, TALLY_RUN, column, &sum))
        sim_fault(it->launch->memory, "step %u: a span is missing", it->launch->memory->step);
    tell(it, TILE, row, tile, column, sum);
    return sum;
}

static void fold_spine(const chain *it, uint64_t row, uint32_t column) {
    const sim_math *math = &it->launch->math;
    const uint64_t stretches = (it->args->terms - 1) / TALLY_STRETCH;
    sim_state before = sim_neutral(math);
    for (uint64_t stretch = 0; stretch < stretches; stretch++) {
        sim_state sum = sim_neutral(math);
        for (uint64_t tile = 0; tile < TALLY_TILES; tile++)
            sum = sim_join(math, sum, tile_total(it, row, stretch * TALLY_TILES + tile, column));
        tell(it, STRETCH, row, stretch, column, sum);
        before = sim_join(math, before, sum);
        tell(it, ANCHOR, row, stretch, column, before);
    }
    for (uint64_t tile = stretches * TALLY_TILES; tile < it->args->terms / TALLY_TILE; tile++)
        tile_total(it, row, tile, column);
}

/* ---- The launches -------------------------------------------------------------------------- */

static void run_job(const chain *it, uint64_t job) {
    switch (it->launch->step->spec.phase) {
    case TALLY_CLEAR:
        write_word(it, job, 0);
        break;
    case TALLY_TOTALS:
        fold_tile(it, job);
        break;
    case TALLY_SPINE:
        for (uint32_t column = 0; column < it->merged; column++)
            fold_spine(it, job, column);
        break;
    case TALLY_APPLY:
        if (!it->args->marked || read_word(it, MARKS + job) != 0)
            write_unit(it, job);
        break;
    case TALLY_FOLLOW:
        follow(it, job);
        break;
    default:
        write_unit(it, job);
    }
}

void sim_scan_rows_spread(sim_launch *launch) {
    const tally_spec *spec = &launch->step->spec;
    const tally_scan_rows_args *args = &launch->step->args.scan_rows;
    const bool repairs = args->marked && (spec->phase == TALLY_SPINE || spec->phase == TALLY_APPLY);
    chain it = {.launch = launch,
                .args = args,
                .unit = tally_unit_terms(spec),
                .merged = spec->policy.scan_rows.merged,
                .word = spec->word};
    if (it.word == 0 || it.merged == 0 || it.merged > MERGED_MAX || it.unit == 0 ||
        TALLY_TILE % it.unit != 0 || it.unit % TALLY_SPAN != 0) {
        sim_fault(launch->memory, "step %u: no units of a chain", launch->memory->step);
        return;
    }
    it.parts = launch->math.bytes * 2 / it.word;
    it.tells = spec->phase == TALLY_PASS;
    it.excused = it.tells && launch->memory->impatience != 0;
    if (repairs && read_word(&it, LEFT) == 0)
        return;
    for (uint64_t job = 0; job < args->head.units && launch->memory->fault[0] == '\0'; job++)
        run_job(&it, job);
}
