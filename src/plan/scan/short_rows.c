/*
 * Scans of short rows that lie one after the other, in input and output, by units of whole rows in
 * local memory; see cl/agent/scan/scan_short_rows.cl.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/group.h"
#include "plan/tuning.h"

/*
 * Work-items of a group that scans short rows, or twice as many; runs that each has, of rows of
 * several; the local memory of the larger groups, at most.
 */
#define TALLY_SCAN_SHORT_ROWS_GROUP 128
#define TALLY_SCAN_SHORT_ROWS_RUNS 1
#define TALLY_SCAN_SHORT_ROWS_LOCAL 24576

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

/* A pack, of rows that are whole packs, or an element. */
static uint16_t elements_at_once(const tally_problem *problem) {
    uint32_t pack = 16 / tally_dtype_find(problem->input)->bytes;
    return (uint16_t)(problem->terms % pack == 0 ? pack : 1);
}

/* Local memory of so many work-items with runs of rows that have several. */
static uint64_t local_bytes(const tally_problem *problem, uint32_t group) {
    tally_spec spec = {.schedule = TALLY_SCAN_SHORT_ROWS,
                       .input = (uint8_t)problem->input,
                       .group = (uint16_t)group};
    spec.policy.scan_short_rows.runs_per_item = TALLY_SCAN_SHORT_ROWS_RUNS;
    spec.policy.scan_short_rows.pack_elements = elements_at_once(problem);
    return tally_group_local_bytes(&spec);
}

/*
 * Twice the work-items where they hold more rows than two groups do, or two rows at all: of long
 * rows, few of which fit a unit.
 */
static uint32_t group_of(const tally_problem *problem, uint64_t runs) {
    uint32_t group = TALLY_SCAN_SHORT_ROWS_GROUP, wide = 2 * group;
    uint64_t few = group * TALLY_SCAN_SHORT_ROWS_RUNS / runs,
             many = wide * TALLY_SCAN_SHORT_ROWS_RUNS / runs;
    bool pays = few < 2 || many > 2 * few;
    bool fits = local_bytes(problem, wide) <= TALLY_SCAN_SHORT_ROWS_LOCAL;
    return pays && fits && wide <= TALLY_WIDE_GROUP ? wide : group;
}

bool tally_plan_scan_short_rows(const tally_problem *problem, const tally_limits *limits,
                                tally_plan *plan) {
    tally_step *step = &plan->step[0];
    tally_scan_short_rows_args *args = &step->args.scan_short_rows;
    if (!tally_plan_has_wide_groups(limits) || problem->terms < 2 || problem->terms > TALLY_TILE ||
        !is_packed(problem))
        return false;
    uint64_t runs = tally_plan_parts(problem->terms, TALLY_RUN);
    bool one_run = runs == 1;
    tally_spec spec = step->spec;
    spec.schedule = TALLY_SCAN_SHORT_ROWS;
    spec.group = (uint16_t)group_of(problem, runs);
    spec.policy.scan_short_rows.runs_per_item = one_run ? 0 : TALLY_SCAN_SHORT_ROWS_RUNS;
    spec.policy.scan_short_rows.row_terms = (uint16_t)(one_run ? problem->terms : 0);
    spec.policy.scan_short_rows.pack_elements = elements_at_once(problem);
    uint64_t slots = spec.group * tally_short_rows_runs(&spec);
    uint64_t rows = one_run ? slots * TALLY_RUN / problem->terms : slots / runs;
    if (rows < 2)
        return false;
    step->spec = spec;
    args->staged_rows = rows;
    args->row_runs = runs;
    args->head.units = tally_plan_parts(args->rows, rows);
    return true;
}
