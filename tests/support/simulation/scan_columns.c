/*
 * scan_columns.c: the scans of cl/kernel/scan_columns_walk.cl: a group goes down a strip of
 * columns, by spans or by so many runs at a time.
 */
#include "scan.h"

#include "support/numbers/number.h"

/* Where a column's runs end up: what is before each, and then what its span came to. */
typedef struct column {
    sim_row it;
    sim_state levels[LEVELS];
} column;

/* A span ended: then its tile may have, and its stretch. */
static void end_span(const sim_launch *launch, column *at, uint64_t done) {
    const sim_math *math = &launch->math;
    const uint64_t ends[] = {TALLY_RUN * TALLY_TILES, TALLY_RUN};
    for (int level = TILES; level >= STRETCHES; level--) {
        if (done % ends[level] != 0)
            return;
        at->levels[level] = sim_combine(math, at->levels[level], at->levels[level + 1]);
        at->levels[level + 1] = sim_identity(math);
    }
}

/* The results of a run whose levels are those before it; returns the run's total. */
static sim_state put_column_run(const sim_launch *launch, column *at, uint64_t begin) {
    sim_state total = sim_identity(&launch->math);
    for (uint64_t i = begin; i < sim_run_end(launch, begin); i++) {
        const sim_state before = total;
        total = sim_combine(&launch->math, before, sim_load_term(launch, &at->it, i));
        at->levels[TERMS] = launch->step->spec.exclusive ? before : total;
        sim_put_scanned(launch, &at->it, i, sim_total_of(launch, at->levels));
    }
    return total;
}

/* So many runs at a time, which are a span if there are several. */
static void walk_column(const sim_launch *launch, column *at, uint64_t slices) {
    const uint64_t terms = launch->step->args.scan.terms;
    uint64_t runs = 0, spans = 0;
    for (uint64_t step = 0; step < terms; step += slices * TALLY_RUN) {
        for (uint64_t slice = 0; slice < slices; slice++, runs++) {
            const sim_state total = put_column_run(launch, at, step + slice * TALLY_RUN);
            at->levels[RUNS] = sim_combine(&launch->math, at->levels[RUNS], total);
        }
        if (launch->step->spec.policy.scan_columns.whole_spans && runs % TALLY_RUN != 0)
            continue;
        at->levels[SPANS] = sim_combine(&launch->math, at->levels[SPANS], at->levels[RUNS]);
        at->levels[RUNS] = sim_identity(&launch->math);
        end_span(launch, at, ++spans);
    }
}

/* Strips of columns side by side, then the axes around them. */
static void scan_strip(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_scan_columns_args *args = &launch->step->args.scan_columns;
    const uint64_t width =
        args->team_width * (spec->policy.scan_columns.pack / number_bytes(launch->math.input));
    const uint64_t strips = (args->columns - 1) / width + 1;
    const uint64_t first = unit % strips * width;
    for (uint64_t k = first; k < first + width && k < args->columns; k++) {
        column at = {sim_find_row(launch, unit / strips * args->columns + first), {{0, 0, 0}}};
        at.it.from += k - first;
        at.it.to += (k - first) * args->kept_out[spec->kept_rank - 1];
        for (int level = 0; level < LEVELS; level++)
            at.levels[level] = sim_identity(&launch->math);
        walk_column(launch, &at, spec->policy.scan_columns.whole_spans ? 1 : args->slices);
    }
}

/*
 * Each strip is walked by the last launch, all tiles of it. What the launches hand on is not
 * simulated: the suite scan_columns holds it on a device.
 */
static void scan_tiles_of_strips(sim_launch *launch) {
    const tally_step *step = launch->step;
    const tally_scan_columns_args *args = &step->args.scan_columns;
    const uint64_t piece =
        step->spec.policy.scan_columns.tile_parts ? args->slices * TALLY_RUN : TALLY_TILE;
    const uint64_t strips = step->args.head.units / ((args->terms - 1) / piece + 1);
    const bool writes = step->spec.phase == TALLY_APPLY || step->spec.phase == TALLY_FOLLOW;
    for (uint64_t strip = 0; writes && strip < strips; strip++)
        scan_strip(launch, strip);
}

void sim_scan_columns(sim_launch *launch) {
    const tally_step *step = launch->step;
    if (step->spec.policy.scan_columns.carry == TALLY_CARRY_TWO_PASSES) {
        scan_tiles_of_strips(launch);
        return;
    }
    const uint64_t items =
        step->args.scan_columns.team_width *
        (step->spec.policy.scan_columns.whole_spans ? 1 : step->args.scan_columns.slices);
    sim_each_unit(launch, items == 0 ? 0 : step->spec.group / items, scan_strip);
}
