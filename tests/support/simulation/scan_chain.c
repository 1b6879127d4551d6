/*
 * scan_chain.c: the scans of cl/kernel/scan_rows_passes.cl: launches, or the groups of one,
 * publish of a row's parts in words (chain_words.h). Units come in order, each after the one
 * before. What was left is written at the end.
 */
#include "chain_words.h"
#include "cl/core/scan_args.h"
#include "plan/group.h"
#include "scan.h"

#define MERGED_MAX 31

/* ---- Totals -------------------------------------------------------------------------------- */

static sim_state span_total(const sim_chain *it, const sim_row *row, uint64_t begin) {
    const sim_math *math = &it->launch->math;
    sim_state span = sim_identity(math);
    for (uint64_t run = begin; run < begin + TALLY_SPAN; run += TALLY_RUN) {
        sim_state total = sim_identity(math);
        for (uint64_t i = run; i < run + TALLY_RUN; i++)
            total = sim_combine(math, total, sim_load_term(it->launch, row, i));
        span = sim_combine(math, span, total);
    }
    return span;
}

/*
 * Publish a whole unit's totals of spans, or if it is a tile its total; they are folded onto sum,
 * from the tile's beginning on.
 */
static void publish_unit(const sim_chain *it, uint64_t row, uint64_t begin, uint32_t column,
                         bool publishes, sim_state *sum) {
    const sim_row at = sim_find_column(it->launch, it->merged, row, column);
    for (uint64_t span = begin; span < begin + it->unit; span += TALLY_SPAN) {
        const sim_state total = span_total(it, &at, span);
        *sum = sim_combine(&it->launch->math, *sum, total);
        if (publishes && it->unit < TALLY_TILE)
            sim_chain_publish(it, SPAN, row, span / TALLY_SPAN, column, total);
    }
    if (publishes && it->unit == TALLY_TILE)
        sim_chain_publish(it, TILE, row, begin / TALLY_TILE, column, *sum);
}

static void fold_short_rows(const sim_chain *it, uint64_t job) {
    const uint64_t row = job % it->args->rows, tile = job / it->args->rows;
    for (uint32_t column = 0; column < it->merged; column++) {
        sim_state sum = sim_identity(&it->launch->math);
        uint64_t begin = tile * TALLY_TILE;
        for (; begin < (tile + 1) * TALLY_TILE && begin + it->unit <= it->args->terms;
             begin += it->unit)
            publish_unit(it, row, begin, column, true, &sum);
        if (it->unit < TALLY_TILE && begin == (tile + 1) * TALLY_TILE)
            sim_chain_publish(it, TILE, row, tile, column, sum);
    }
}

/* ---- Units --------------------------------------------------------------------------------- */

typedef struct unit {
    uint64_t row, begin, end, tile, stretch;
    bool whole, ends_tile, ends_stretch, gave_up;
    sim_state levels[MERGED_MAX][LEVELS], total[MERGED_MAX]; /* before it; up to and with it */
} unit;

static void find_unit(const sim_chain *it, uint64_t job, unit *at) {
    *at = (unit){.row = job % it->args->rows, .begin = job / it->args->rows * it->unit};
    at->end = sim_least(at->begin + it->unit, it->args->terms);
    at->tile = at->begin / TALLY_TILE;
    at->stretch = at->begin / TALLY_STRETCH;
    at->whole = at->end - at->begin == it->unit;
    at->ends_tile = it->publishes && at->whole && at->end % TALLY_TILE == 0;
    at->ends_stretch = it->publishes && at->whole && at->end % TALLY_STRETCH == 0;
    for (uint32_t column = 0; column < it->merged; column++) {
        at->total[column] = sim_identity(&it->launch->math);
        for (int k = 0; k < LEVELS; k++)
            at->levels[column][k] = sim_identity(&it->launch->math);
    }
}

/* What comes before a unit at a level; what is then known of the level, if that ends with it. */
static void look_for(const sim_chain *it, unit *at, uint32_t column, sim_level of) {
    const sim_math *math = &it->launch->math;
    sim_state *levels = at->levels[column], *total = &at->total[column];
    const uint64_t since = sim_least(at->stretch, TALLY_WINDOW);
    bool there = true;
    if (of == SPAN) {
        there = sim_chain_fold(it, SPAN, at->row, at->tile * TALLY_RUN,
                               at->begin % TALLY_TILE / TALLY_SPAN, column, &levels[SPANS]);
        *total = levels[SPANS];
        if (at->whole)
            publish_unit(it, at->row, at->begin, column, false, total);
    } else if (of == TILE) {
        there = sim_chain_fold(it, TILE, at->row, at->tile - at->tile % TALLY_TILES,
                               at->tile % TALLY_TILES, column, &levels[TILES]);
        *total = sim_combine(math, levels[TILES], *total);
    } else {
        if (since < at->stretch)
            there = sim_chain_fold(it, PREFIX, at->row, at->stretch - since - 1, 1, column,
                                   &levels[STRETCHES]);
        there = there && sim_chain_fold(it, STRETCH, at->row, at->stretch - since, since, column,
                                        &levels[STRETCHES]);
        *total = sim_combine(math, levels[STRETCHES], *total);
    }
    at->gave_up = at->gave_up || !there;
}

static void find_past(const sim_chain *it, unit *at, uint64_t job) {
    const uint32_t impatience = it->publishes && !it->repairs ? it->launch->memory->impatience : 0;
    const bool gives_up = impatience != 0 && job % impatience == impatience - 1;
    const bool ends[] = {at->ends_tile && it->unit < TALLY_TILE, at->ends_stretch,
                         at->ends_stretch};
    static const sim_level told[] = {TILE, STRETCH, PREFIX};
    for (int of = SPAN; of <= STRETCH; of++) {
        if (gives_up && job / impatience % 3 == (uint64_t)of)
            at->gave_up = true;
        for (uint32_t column = 0; column < it->merged; column++)
            look_for(it, at, column, (sim_level)of);
        for (uint32_t column = 0; column < it->merged && ends[of] && !at->gave_up; column++)
            sim_chain_publish(it, told[of], at->row, told[of] == TILE ? at->tile : at->stretch,
                              column, at->total[column]);
    }
}

/* What comes before a unit, from all of the row's tiles before it; whether all were told. */
static bool fold_past(const sim_chain *it, unit *at, uint32_t column) {
    const sim_math *math = &it->launch->math;
    sim_state *levels = at->levels[column];
    bool there = sim_chain_fold(it, SPAN, at->row, at->tile * TALLY_RUN,
                                at->begin % TALLY_TILE / TALLY_SPAN, column, &levels[SPANS]);
    if (there && at->ends_tile && it->unit < TALLY_TILE) {
        sim_state total = levels[SPANS];
        publish_unit(it, at->row, at->begin, column, false, &total);
        sim_chain_publish(it, TILE, at->row, at->tile, column, total);
    }
    for (uint64_t tile = 0; tile < at->tile; tile++) {
        there = sim_chain_fold(it, TILE, at->row, tile, 1, column, &levels[TILES]) && there;
        if ((tile + 1) % TALLY_TILES != 0)
            continue;
        levels[STRETCHES] = sim_combine(math, levels[STRETCHES], levels[TILES]);
        levels[TILES] = sim_identity(math);
    }
    return there;
}

/* The same as groups find it; every so many-th gives up. */
static void follow(const sim_chain *it, unit *at, uint64_t job) {
    const uint32_t impatience = it->publishes && !it->repairs ? it->launch->memory->impatience : 0;
    at->gave_up = impatience != 0 && job % impatience == impatience - 1;
    if (at->gave_up && job / impatience % 2 == 0)
        return;
    for (uint32_t column = 0; column < it->merged; column++)
        at->gave_up = !fold_past(it, at, column) || at->gave_up;
}

static void write_unit(const sim_chain *it, uint64_t job) {
    unit at;
    find_unit(it, job, &at);
    for (uint32_t column = 0; column < it->merged && it->publishes && at.whole; column++) {
        sim_state own = sim_identity(&it->launch->math);
        publish_unit(it, at.row, at.begin, column, true, &own);
    }
    if (it->launch->step->spec.phase == TALLY_FOLLOW)
        follow(it, &at, job);
    else
        find_past(it, &at, job);
    if (at.gave_up) {
        unsigned char *mark = sim_chain_mark(it, job);
        if (mark != NULL)
            sim_put(mark, 4, it->tag);
        return;
    }
    for (uint32_t column = 0; column < it->merged; column++) {
        const sim_row row = sim_find_column(it->launch, it->merged, at.row, column);
        sim_walk(it->launch, &row, at.begin, at.end, at.levels[column]);
    }
}

/* The closing group's: what is marked, in order. */
static void write_left(sim_chain it) {
    it.repairs = true;
    it.excused = false;
    for (uint64_t job = 0; job < it.args->head.units; job++) {
        const unsigned char *mark = sim_chain_mark(&it, job);
        if (mark != NULL && sim_get(mark, 4) == it.tag)
            write_unit(&it, job);
    }
}

/* ---- The spine ----------------------------------------------------------------------------- */

static void fold_spine(const sim_chain *it, uint64_t row, uint32_t column) {
    const sim_math *math = &it->launch->math;
    const uint64_t stretches = (it->args->terms - 1) / TALLY_STRETCH;
    sim_state before = sim_identity(math);
    for (uint64_t stretch = 0; stretch < stretches; stretch++) {
        sim_state sum = sim_identity(math);
        (void)sim_chain_fold(it, TILE, row, stretch * TALLY_TILES, TALLY_TILES, column, &sum);
        sim_chain_publish(it, STRETCH, row, stretch, column, sum);
        before = sim_combine(math, before, sum);
        sim_chain_publish(it, PREFIX, row, stretch, column, before);
    }
}

/* ---- The launches -------------------------------------------------------------------------- */

static void run_job(const sim_chain *it, uint64_t job) {
    switch (it->launch->step->spec.phase) {
    case TALLY_TOTALS:
        fold_short_rows(it, job);
        break;
    case TALLY_SPINE:
        for (uint32_t column = 0; column < it->merged; column++)
            fold_spine(it, job, column);
        break;
    default:
        write_unit(it, job);
    }
}

void sim_scan_rows_spread(sim_launch *launch) {
    const tally_spec *spec = &launch->step->spec;
    const tally_scan_rows_args *args = &launch->step->args.scan_rows;
    sim_chain it = {.launch = launch,
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
    it.publishes = spec->policy.scan_rows.carry == TALLY_CARRY_LOOK_BACK;
    it.tag = it.publishes ? SIM_TAG : (uint32_t)args->tag;
    it.excused = it.publishes && launch->memory->impatience != 0;
    for (uint64_t job = 0; job < args->head.units && launch->memory->fault[0] == '\0'; job++)
        run_job(&it, job);
    if (it.publishes && launch->memory->fault[0] == '\0')
        write_left(it);
}
