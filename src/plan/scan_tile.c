/*
 * Scans of short rows that lie one after the other, in input and output, by tiles of whole rows in
 * local memory; see cl/scan_tile.cl.
 */
#include "cl/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/* The coordinates of the kept axes are rows of so many terms, one after the other. */
static bool is_packed(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept;
    uint64_t stride = problem->terms;
    if (problem->swept[0].in[0] != 1 || problem->swept[0].out[0] != 1)
        return false;
    for (uint32_t k = kept->count; k-- > 0;) {
        if (kept->in[k] != stride || kept->out[k] != stride)
            return false;
        stride *= kept->size[k];
    }
    return true;
}

/* Local memory of a group that has so many runs in hand, in bytes, at most. */
static uint64_t local_bytes(const tally_problem *problem, uint64_t runs) {
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    uint64_t room = 16 / type->bytes;
    return (runs + 1) * (TALLY_RUN + room) * type->bytes +
           (runs + runs / TALLY_RUN + 1) * type->compute_bytes;
}

/*
 * Twice the work-items where they hold more rows than two groups do, or two rows at all: of long
 * rows, few of which fit a tile.
 */
static uint32_t group_of(const tally_problem *problem, uint64_t runs) {
    uint32_t group = TALLY_SCAN_TILE_GROUP, wide = 2 * group;
    uint64_t few = group * TALLY_SCAN_TILE_RUNS / runs, many = wide * TALLY_SCAN_TILE_RUNS / runs;
    bool pays = few < 2 || many > 2 * few;
    bool fits =
        local_bytes(problem, (uint64_t)wide * TALLY_SCAN_TILE_RUNS) <= TALLY_SCAN_TILE_LOCAL;
    return pays && fits && wide <= TALLY_WIDE_GROUP ? wide : group;
}

/* Runs that a work-item has of a tile of rows of one run each. */
static uint32_t held_runs(uint32_t bytes) {
    return TALLY_ONE_RUN_BYTES > TALLY_RUN * bytes ? TALLY_ONE_RUN_BYTES / (TALLY_RUN * bytes) : 1;
}

bool tally_plan_scan_tile(const tally_problem *problem, const tally_limits *limits,
                          tally_plan *plan) {
    tally_step *step = &plan->step[0];
    tally_scan_tile_args *args = &step->args.scan_tile;
    tally_scan_tile_policy *policy = &step->spec.policy.scan_tile;
    uint32_t bytes = tally_dtype_find(problem->input)->bytes, pack = 16 / bytes;
    if (!tally_plan_has_wide_groups(limits) || problem->terms < 2 || problem->terms > TALLY_TILE ||
        !is_packed(problem))
        return false;
    uint64_t runs = tally_plan_parts(problem->terms, TALLY_RUN);
    uint32_t group = group_of(problem, runs);
    bool one_run = runs == 1;
    uint64_t slots = (uint64_t)group * (one_run ? held_runs(bytes) : TALLY_SCAN_TILE_RUNS);
    uint64_t rows = one_run ? slots * TALLY_RUN / problem->terms : slots / runs;
    if (rows < 2)
        return false;
    step->spec.schedule = TALLY_SCAN_TILE;
    step->spec.group = (uint16_t)group;
    policy->runs_each = one_run ? 0 : TALLY_SCAN_TILE_RUNS;
    policy->row_terms = (uint16_t)(one_run ? problem->terms : 0);
    policy->pack_elements = (uint16_t)(problem->terms % pack == 0 ? pack : 1);
    args->tile_rows = rows;
    args->row_runs = runs;
    args->head.units = tally_plan_parts(args->rows, rows);
    return true;
}
