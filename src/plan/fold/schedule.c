/*
 * Who folds: the schedule of one launch, chosen by where its terms lie. It decides no bits: each
 * schedule follows the same order.
 *
 * The fast ones move 16 bytes per work-item and serve launches that read one swept axis: contiguous
 * rows straight (fold_rows) or, if short and close, through local memory (fold_short_rows), few
 * columns without a gap as one run (fold_sets), and long ones down (fold_columns). What is left
 * goes by outputs (fold_outputs), or to groups that share a block where single work-items are few
 * or far apart, else to those (fold_any).
 */
#include "plan/fold/schedule.h"

#include "cl/core/order.h"
#include "model/monoid.h"

bool tally_plan_is_side_by_side(const tally_step *step) {
    uint8_t rank = step->spec.kept_rank;
    return step->spec.first && step->args.fold.kept_in[rank - 1] == 1;
}

/* One swept axis, read from elements: what the fast schedules of GPUs serve. */
static bool is_simple(const tally_problem *problem, const tally_limits *limits,
                      const tally_step *step) {
    return step->spec.first && tally_plan_has_wide_groups(limits) && problem->groups > 0 &&
           problem->swept[0].count == 1 && step->args.fold.nest[1] == 1;
}

/*
 * Whether outputs had better be written in an order that is not that of their columns, which hide
 * LOG_SUM_EXP's arithmetic better.
 */
static bool is_crossed(const tally_problem *problem, const tally_limits *limits,
                       const tally_step *step) {
    tally_step crossed = *step;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    return !shifted && tally_plan_crossed(problem, limits, &crossed);
}

void tally_plan_fold_schedule(const tally_problem *problem, const tally_limits *limits,
                              tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    if (tally_plan_is_map(problem, limits)) {
        tally_plan_map_cpu(problem, limits, step);
        return;
    }
    if (limits->family == TALLY_FAMILY_CPU && tally_plan_fold_cpu(problem, limits, step))
        return;
    if (args->parts > 1) { /* what this step had when its blocks were whole */
        tally_plan_outputs(problem, limits, step);
        return;
    }
    bool simple = is_simple(problem, limits, step);
    bool contiguous = simple && problem->swept[0].in[0] == 1;
    bool beside = simple && tally_plan_is_side_by_side(step);
    bool crossed = (contiguous || beside) && is_crossed(problem, limits, step);
    bool columns = beside && !crossed;
    if (args->blocks == 1 &&
        tally_plan_is_whole(problem, limits, step->spec.first, args->outputs, args->terms)) {
        tally_plan_whole(problem, limits, step);
    } else if (contiguous && !crossed && tally_plan_has_short_rows(problem, step)) {
        tally_plan_short_rows(problem, step);
    } else if (contiguous && args->terms >= TALLY_LANES) {
        tally_plan_rows(problem, limits, step);
    } else if (columns && tally_plan_has_short_columns(problem, step)) {
        tally_plan_short_columns(problem, step);
    } else if (columns && (tally_plan_sets(problem, limits, step) ||
                           tally_plan_columns(problem, limits, step))) {
        return;
    } else if (crossed || tally_plan_has_outputs(problem, limits, step)) {
        tally_plan_outputs(problem, limits, step);
    } else {
        tally_plan_any(problem, limits, step);
    }
}
