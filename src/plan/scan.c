/*
 * The planner of scans: rows are walked by work-items, or by groups where there are few of them.
 * One launch, no scratch.
 */
#include "cl/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

static bool wants_team(const tally_problem *problem, const tally_limits *limits, uint64_t rows) {
    if (limits->family == TALLY_FAMILY_CPU || problem->terms < TALLY_TEAM_TERMS)
        return false;
    const tally_dims *kept = &problem->kept;
    bool side_by_side = kept->count > 0 && kept->in[kept->count - 1] == 1;
    return rows < (uint64_t)limits->units * TALLY_BUSY_ITEMS || !side_by_side;
}

void tally_plan_scan(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_step *step = &plan->step[plan->count++];
    tally_scan_args *args = &step->args.scan;
    uint64_t rows = tally_dims_elements(&problem->kept);
    bool team = wants_team(problem, limits, rows);
    const tally_dims *axis = &problem->swept[0];
    step->spec = (tally_spec){
        .schedule = team ? TALLY_SCAN_TEAM : TALLY_SCAN_ITEM,
        .function = (uint8_t)problem->function,
        .input = (uint8_t)problem->input,
        .kept_rank = tally_plan_rank(problem->kept.count),
        .swept_rank = 1,
        .index_bits = tally_plan_index_bits(problem, rows),
        .nan = (uint8_t)problem->nan,
        .group = team ? tally_plan_team(limits) : 0,
        .exclusive = problem->exclusive,
    };
    args->head.units = rows;
    args->terms = problem->terms;
    args->axis_in = problem->descending ? 0 - axis->in[0] : axis->in[0];
    args->axis_out = problem->descending ? 0 - axis->out[0] : axis->out[0];
    args->start_in = problem->descending ? (problem->terms - 1) * axis->in[0] : 0;
    args->start_out = problem->descending ? (problem->terms - 1) * axis->out[0] : 0;
    tally_plan_axes(&problem->kept, step->spec.kept_rank, args->kept_size, args->kept_in,
                    args->kept_out);
    step->source = TALLY_IN_INPUT;
    step->target = TALLY_IN_OUTPUT;
    step->source_bytes = step->target_bytes = tally_dtype_find(problem->input)->bytes;
    tally_plan_range(step, limits);
}
