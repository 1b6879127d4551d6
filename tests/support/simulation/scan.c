/*
 * scan.c: the scans of one launch by rows: cl/agent/scan/scan_any_item.cl,
 * cl/agent/scan/scan_any_team.cl, cl/agent/scan/scan_short_rows.cl, cl/kernel/scan_rows_walk.cl and
 * cl/kernel/scan_rows_recompute.cl. Those down columns: scan_columns.c; of boxes: scan_staged.c.
 */
#include "scan.h"

#include "support/numbers/number.h"

sim_row sim_find_row(const sim_launch *launch, uint64_t unit) {
    const tally_scan_args *args = &launch->step->args.scan;
    const uint32_t rank = launch->step->spec.kept_rank;
    const sim_row it = {
        args->start_in + sim_offset(launch, rank, args->kept_size, args->kept_in, unit),
        args->start_out + sim_offset(launch, rank, args->kept_size, args->kept_out, unit)};
    return it;
}

sim_row sim_find_column(const sim_launch *launch, uint64_t merged, uint64_t unit, uint64_t column) {
    const tally_scan_args *args = &launch->step->args.scan;
    const sim_row first = sim_find_row(launch, unit * merged);
    const sim_row it = sim_find_row(launch, unit * merged + column);
    const uint64_t sign = args->axis_in >> 63 != 0 ? UINT64_MAX : 1;
    if (args->axis_in != sign * merged || args->axis_out != sign * merged ||
        ((it.from - first.from - column) & launch->mask) != 0 ||
        ((it.to - first.to - column) & launch->mask) != 0)
        sim_fault(launch->memory, "step %u: column %llu of unit %llu is elsewhere",
                  launch->memory->step, (unsigned long long)column, (unsigned long long)unit);
    return it;
}

sim_state sim_load_term(const sim_launch *launch, const sim_row *it, uint64_t i) {
    const uint64_t at = it->from + i * launch->step->args.scan.axis_in;
    return sim_begin(&launch->math, sim_load(&launch->math, sim_load_element(launch, at)), 0);
}

void sim_put_scanned(const sim_launch *launch, const sim_row *it, uint64_t i, sim_state total) {
    const bool nothing = launch->step->spec.exclusive && i == 0;
    sim_store_element(launch, it->to + i * launch->step->args.scan.axis_out,
                      nothing ? sim_empty(&launch->math) : sim_end(&launch->math, total, 1));
}

sim_state sim_total_of(const sim_launch *launch, const sim_state *levels) {
    sim_state total = levels[TERMS];
    for (int level = RUNS; level >= STRETCHES; level--)
        total = sim_combine(&launch->math, levels[level], total);
    return total;
}

/* What ended before a term is combined with its level. */
static void end_levels(const sim_launch *launch, sim_state *levels, uint64_t i) {
    static const uint64_t ends[] = {TALLY_STRETCH, TALLY_TILE, TALLY_SPAN, TALLY_RUN};
    for (int level = RUNS; level >= STRETCHES; level--) {
        if (i % ends[level] != 0)
            continue;
        levels[level] = sim_combine(&launch->math, levels[level], levels[level + 1]);
        levels[level + 1] = sim_identity(&launch->math);
    }
}

void sim_walk(const sim_launch *launch, const sim_row *it, uint64_t begin, uint64_t end,
              sim_state *levels) {
    const sim_math *math = &launch->math;
    for (uint64_t i = begin; i < end; i++) {
        end_levels(launch, levels, i);
        sim_state before[LEVELS];
        for (int level = 0; level < LEVELS; level++)
            before[level] = levels[level];
        levels[TERMS] = sim_combine(math, levels[TERMS], sim_load_term(launch, it, i));
        sim_put_scanned(launch, it, i,
                        sim_total_of(launch, launch->step->spec.exclusive ? before : levels));
    }
}

void sim_scan_row(const sim_launch *launch, sim_row it) {
    sim_state levels[LEVELS];
    for (int level = 0; level < LEVELS; level++)
        levels[level] = sim_identity(&launch->math);
    sim_walk(launch, &it, 0, launch->step->args.scan.terms, levels);
}

static void scan_items(sim_launch *launch) {
    const uint64_t units = launch->step->args.head.units, items = sim_items(launch);
    for (uint64_t item = 0; item < items && item < units; item++) {
        for (uint64_t unit = item; unit < units; unit += items) {
            const sim_row it = sim_find_row(launch, unit);
            sim_scan_row(launch, it);
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
    sim_state before = sim_identity(&launch->math);
    for (uint32_t k = 0; k < count; k++) {
        const sim_state total = values[k];
        values[k] = before;
        before = sim_combine(&launch->math, before, total);
    }
    return before;
}

uint64_t sim_run_end(const sim_launch *launch, uint64_t begin) {
    const uint64_t terms = launch->step->args.scan.terms;
    return begin + TALLY_RUN < terms ? begin + TALLY_RUN : terms;
}

static sim_state fold_run(const sim_launch *launch, const sim_row *it, uint64_t begin) {
    sim_state total = sim_identity(&launch->math);
    for (uint64_t i = begin; i < sim_run_end(launch, begin); i++)
        total = sim_combine(&launch->math, total, sim_load_term(launch, it, i));
    return total;
}

static void put_run(const sim_launch *launch, const sim_row *it, const team *local, uint32_t run,
                    uint64_t begin) {
    sim_state levels[LEVELS] = {local->stretches, local->tiles, local->spans[run / TALLY_RUN],
                                local->runs[run], sim_identity(&launch->math)};
    for (uint64_t i = begin; i < sim_run_end(launch, begin); i++) {
        const sim_state before = levels[TERMS];
        const sim_state after = sim_combine(&launch->math, before, sim_load_term(launch, it, i));
        levels[TERMS] = launch->step->spec.exclusive ? before : after;
        sim_put_scanned(launch, it, i, sim_total_of(launch, levels));
        levels[TERMS] = after;
    }
}

static void walk_tile(const sim_launch *launch, const sim_row *it, team *local, uint64_t tile) {
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
        local->stretches = sim_combine(&launch->math, local->stretches, local->tiles);
        local->tiles = sim_identity(&launch->math);
    }
    for (uint32_t item = 0; item < group; item++)
        for (uint32_t run = item; run < TALLY_SPAN; run += group)
            put_run(launch, it, local, run, tile + (uint64_t)run * TALLY_RUN);
    local->tiles = sim_combine(&launch->math, local->tiles, local->spans[TALLY_RUN]);
}

static void scan_teams(sim_launch *launch) {
    const tally_scan_args *args = &launch->step->args.scan;
    for (uint64_t group = 0; group < launch->groups; group++) {
        for (uint64_t unit = group; unit < args->head.units; unit += launch->groups) {
            const sim_row it = sim_find_row(launch, unit);
            team local = {.stretches = sim_identity(&launch->math),
                          .tiles = sim_identity(&launch->math)};
            for (uint64_t tile = 0; tile < args->terms; tile += TALLY_TILE)
                walk_tile(launch, &it, &local, tile);
        }
    }
}

void sim_scan_any(sim_launch *launch) {
    if (launch->step->spec.group == 0)
        scan_items(launch);
    else
        scan_teams(launch);
}

/* Of parts of problems, whose states no description has: tests of parts run it on the device. */
void sim_scan_carry(sim_launch *launch) {
    sim_fault(launch->memory, "step %u: a plan of a description combines no states",
              launch->memory->step);
}

/* ---- Short rows ---------------------------------------------------------------------------- */

/* Rows one after the other; what the kernel takes for granted is a fault if it is not so. */
static void walk_rows(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_scan_short_rows_args *args = &launch->step->args.scan_short_rows;
    const tally_scan_short_rows_policy *policy = &spec->policy.scan_short_rows;
    const uint64_t bytes = TALLY_RUN * number_bytes(launch->math.input);
    const uint64_t held = TALLY_ONE_RUN_BYTES > bytes ? TALLY_ONE_RUN_BYTES / bytes : 1;
    const bool one_run = policy->row_terms > 0;
    const uint64_t slots = spec->group * (one_run ? held : policy->runs_per_item);
    const uint64_t first = unit * args->staged_rows;
    const uint64_t last = args->axis_in == 1 ? 0 : args->terms - 1;
    const uint64_t used = one_run ? (args->staged_rows * args->terms + TALLY_RUN - 1) / TALLY_RUN
                                  : args->staged_rows * args->row_runs;
    if (first >= args->rows || used > slots || args->row_runs * TALLY_RUN < args->terms ||
        (one_run && (args->terms > TALLY_RUN || args->terms != policy->row_terms)) ||
        (policy->pack_elements > 1 && args->terms % policy->pack_elements)) {
        sim_fault(launch->memory, "step %u: no tile of rows from %llu on", launch->memory->step,
                  (unsigned long long)first);
        return;
    }
    for (uint64_t k = first; k < first + args->staged_rows && k < args->rows; k++) {
        const sim_row it = {k * args->terms + last, k * args->terms + last};
        team local = {.stretches = sim_identity(&launch->math),
                      .tiles = sim_identity(&launch->math)};
        walk_tile(launch, &it, &local, 0);
    }
}

void sim_scan_short_rows(sim_launch *launch) {
    sim_each_unit(launch, 1, walk_rows);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* All columns of a row, each as the others. */
static void walk_columns(const sim_launch *launch, uint64_t unit) {
    const uint64_t merged = launch->step->spec.policy.scan_rows.merged;
    for (uint64_t column = 0; column < merged; column++) {
        const sim_row it = sim_find_column(launch, merged, unit, column);
        sim_scan_row(launch, it);
    }
}

/* ---- Recompute ------------------------------------------------------------------------------- */

/* A unit of all columns, after what comes before it: the levels of a walk that writes nothing. */
static void walk_unit(const sim_launch *launch, uint64_t job) {
    const tally_scan_args *args = &launch->step->args.scan;
    const uint64_t unit = (uint64_t)launch->step->spec.group * TALLY_RUN;
    const uint64_t begin = job / args->rows * unit;
    const uint64_t end = begin + unit < args->terms ? begin + unit : args->terms;
    if (launch->memory->in_place)
        sim_fault(launch->memory, "step %u reads again where others write", launch->memory->step);
    const uint64_t merged = launch->step->spec.policy.scan_rows.merged;
    for (uint64_t column = 0; column < merged; column++) {
        const sim_row it = sim_find_column(launch, merged, job % args->rows, column);
        sim_state levels[LEVELS];
        for (int level = 0; level < LEVELS; level++)
            levels[level] = sim_identity(&launch->math);
        for (uint64_t i = 0; i < begin; i++) {
            end_levels(launch, levels, i);
            levels[TERMS] =
                sim_combine(&launch->math, levels[TERMS], sim_load_term(launch, &it, i));
        }
        sim_walk(launch, &it, begin, end, levels);
    }
}

void sim_scan_rows(sim_launch *launch) {
    const uint16_t carry = launch->step->spec.policy.scan_rows.carry;
    if (carry == TALLY_CARRY_TWO_PASSES || carry == TALLY_CARRY_LOOK_BACK)
        sim_scan_rows_spread(launch);
    else
        sim_each_unit(launch, 1, carry == TALLY_CARRY_WALK ? walk_columns : walk_unit);
}
