/*
 * sim_scan.c: the scans of cl/scan.cl, cl/scan_item.cl and cl/scan_team.cl.
 */
#include "cl/order.h"
#include "sim_launch.h"

typedef struct row {
    uint64_t from, to; /* where the walk begins */
} row;

static row find_row(const sim_launch *launch, uint64_t unit) {
    const tally_scan_args *args = &launch->step->args.scan;
    const uint32_t rank = launch->step->spec.kept_rank;
    const row it = {args->start_in + sim_offset(launch, rank, args->kept_size, args->kept_in, unit),
                    args->start_out +
                        sim_offset(launch, rank, args->kept_size, args->kept_out, unit)};
    return it;
}

static sim_state load_term(const sim_launch *launch, const row *it, uint64_t i) {
    const uint64_t at = it->from + i * launch->step->args.scan.axis_in;
    return sim_begin(&launch->math, sim_load(&launch->math, sim_load_element(launch, at)), 0);
}

static void put(const sim_launch *launch, const row *it, uint64_t i, sim_state total) {
    const bool nothing = launch->step->spec.exclusive && i == 0;
    sim_store_element(launch, it->to + i * launch->step->args.scan.axis_out,
                      nothing ? sim_empty(&launch->math) : sim_end(&launch->math, total, 1));
}

/* The five levels of the order, outermost first. */
enum { STRETCHES, TILES, SPANS, RUNS, TERMS, LEVELS };

static sim_state total_of(const sim_launch *launch, const sim_state *levels) {
    sim_state total = levels[TERMS];
    for (int level = RUNS; level >= STRETCHES; level--)
        total = sim_join(&launch->math, levels[level], total);
    return total;
}

static void walk_row(const sim_launch *launch, const row *it) {
    static const uint64_t ends[] = {TALLY_STRETCH, TALLY_TILE, TALLY_SPAN, TALLY_RUN};
    const sim_math *math = &launch->math;
    sim_state levels[LEVELS];
    for (int level = 0; level < LEVELS; level++)
        levels[level] = sim_neutral(math);
    for (uint64_t i = 0; i < launch->step->args.scan.terms; i++) {
        for (int level = RUNS; level >= STRETCHES; level--) {
            if (i % ends[level] != 0)
                continue;
            levels[level] = sim_join(math, levels[level], levels[level + 1]);
            levels[level + 1] = sim_neutral(math);
        }
        sim_state before[LEVELS];
        for (int level = 0; level < LEVELS; level++)
            before[level] = levels[level];
        levels[TERMS] = sim_join(math, levels[TERMS], load_term(launch, it, i));
        put(launch, it, i, total_of(launch, launch->step->spec.exclusive ? before : levels));
    }
}

void sim_scan_item(sim_launch *launch) {
    const uint64_t units = launch->step->args.head.units, items = sim_items(launch);
    for (uint64_t item = 0; item < items && item < units; item++) {
        for (uint64_t unit = item; unit < units; unit += items) {
            const row it = find_row(launch, unit);
            walk_row(launch, &it);
        }
    }
}

/* A group's local memory and what it carries from tile to tile. */
typedef struct team {
    sim_state runs[TALLY_SPAN], spans[TALLY_RUN + 1];
    sim_state stretches, tiles;
} team;

/* In place: the values before, side by side with their left folds. */
static sim_state fold_before(const sim_launch *launch, sim_state *values, uint32_t count) {
    sim_state before = sim_neutral(&launch->math);
    for (uint32_t k = 0; k < count; k++) {
        const sim_state total = values[k];
        values[k] = before;
        before = sim_join(&launch->math, before, total);
    }
    return before;
}

static uint64_t run_end(const sim_launch *launch, uint64_t begin) {
    const uint64_t terms = launch->step->args.scan.terms;
    return begin + TALLY_RUN < terms ? begin + TALLY_RUN : terms;
}

static sim_state fold_run(const sim_launch *launch, const row *it, uint64_t begin) {
    sim_state total = sim_neutral(&launch->math);
    for (uint64_t i = begin; i < run_end(launch, begin); i++)
        total = sim_join(&launch->math, total, load_term(launch, it, i));
    return total;
}

static void put_run(const sim_launch *launch, const row *it, const team *local, uint32_t run,
                    uint64_t begin) {
    sim_state levels[LEVELS] = {local->stretches, local->tiles, local->spans[run / TALLY_RUN],
                                local->runs[run], sim_neutral(&launch->math)};
    for (uint64_t i = begin; i < run_end(launch, begin); i++) {
        const sim_state before = levels[TERMS];
        const sim_state after = sim_join(&launch->math, before, load_term(launch, it, i));
        levels[TERMS] = launch->step->spec.exclusive ? before : after;
        put(launch, it, i, total_of(launch, levels));
        levels[TERMS] = after;
    }
}

static void walk_tile(const sim_launch *launch, const row *it, team *local, uint64_t tile) {
    const uint32_t group = launch->step->spec.group;
    for (uint32_t item = 0; item < group; item++)
        for (uint32_t run = item; run < TALLY_SPAN; run += group)
            local->runs[run] = fold_run(launch, it, tile + (uint64_t)run * TALLY_RUN);
    for (uint32_t item = 0; item < group; item++)
        for (uint32_t span = item; span < TALLY_RUN; span += group)
            local->spans[span] =
                fold_before(launch, &local->runs[(size_t)span * TALLY_RUN], TALLY_RUN);
    local->spans[TALLY_RUN] = fold_before(launch, local->spans, TALLY_RUN);
    if (tile % TALLY_STRETCH == 0) {
        local->stretches = sim_join(&launch->math, local->stretches, local->tiles);
        local->tiles = sim_neutral(&launch->math);
    }
    for (uint32_t item = 0; item < group; item++)
        for (uint32_t run = item; run < TALLY_SPAN; run += group)
            put_run(launch, it, local, run, tile + (uint64_t)run * TALLY_RUN);
    local->tiles = sim_join(&launch->math, local->tiles, local->spans[TALLY_RUN]);
}

void sim_scan_team(sim_launch *launch) {
    const tally_scan_args *args = &launch->step->args.scan;
    for (uint64_t group = 0; group < launch->groups; group++) {
        for (uint64_t unit = group; unit < args->head.units; unit += launch->groups) {
            const row it = find_row(launch, unit);
            team local = {.stretches = sim_neutral(&launch->math),
                          .tiles = sim_neutral(&launch->math)};
            for (uint64_t tile = 0; tile < args->terms; tile += TALLY_TILE)
                walk_tile(launch, &it, &local, tile);
        }
    }
}
