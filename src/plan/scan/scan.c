/*
 * The planner of scans: the walks that serve any strides, by work-items or, where there are few
 * rows, by groups, and the list of the planners for the layouts that can be faster.
 */
#include "cl/core/order.h"
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

/* What every schedule starts from: the walks by single work-items. */
static void plan_item(const tally_problem *problem, tally_step *step) {
    const tally_dims *axis = &problem->swept[0];
    tally_scan_args *args = &step->args.scan;
    uint64_t rows = tally_dims_elements(&problem->kept);
    step->spec = (tally_spec){
        .schedule = TALLY_SCAN_ANY,
        .function = (uint8_t)problem->function,
        .input = (uint8_t)problem->input,
        .kept_rank = tally_plan_rank(problem->kept.count),
        .swept_rank = 1,
        .index_bits = tally_plan_index_bits(problem, rows),
        .nan = (uint8_t)problem->nan,
        .exclusive = problem->exclusive,
    };
    args->head.units = args->rows = rows;
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
}

uint8_t tally_plan_levels(uint64_t terms) {
    static const uint64_t ends[] = {TALLY_RUN, TALLY_SPAN, TALLY_TILE, TALLY_STRETCH};
    uint8_t levels = 1;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        levels = (uint8_t)(levels + (terms > ends[i]));
    return levels;
}

uint8_t tally_plan_combined_levels(const tally_problem *problem) {
    uint8_t levels = tally_plan_levels(problem->terms);
    return tally_plan_is_exact(problem) && levels > 2 ? 2 : levels;
}

void tally_plan_launches(tally_step base, uint32_t phases, const uint64_t units[TALLY_PHASES],
                         tally_plan *plan) {
    plan->count = 0;
    for (uint8_t phase = 1; phase < TALLY_PHASES; phase++) {
        if ((phases >> phase & 1) == 0)
            continue;
        tally_step *step = &plan->step[plan->count++];
        *step = base;
        step->spec.phase = phase;
        step->spec.exclusive &= tally_phase_writes(phase);
        step->args.head.units = units[phase];
    }
}

static bool plan_team(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_step *step = &plan->step[0];
    if (!wants_team(problem, limits, step->args.scan.rows))
        return false;
    step->spec.group = tally_plan_team(limits);
    return true;
}

typedef bool (*chooser)(const tally_problem *, const tally_limits *, tally_plan *);

/* Of each family, the first that serves the problem; single work-items serve every one. */
static const chooser choosers[][8] = {
    [TALLY_FAMILY_GENERIC] = {plan_team},
    [TALLY_FAMILY_GPU] = {tally_plan_scan_short_rows, tally_plan_scan_short, tally_plan_scan_rows,
                          tally_plan_scan_pieces, tally_plan_scan_staged, tally_plan_scan_columns,
                          plan_team},
    [TALLY_FAMILY_CPU] = {tally_plan_scan_cpu},
};

/* The kept axes as they lie in the output's memory: neighbours on both sides are one. */
static void sort_kept(tally_problem *problem) {
    tally_dims_sort(&problem->kept, true);
    tally_dims_merge(&problem->kept);
}

void tally_plan_scan(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    const chooser *choose = choosers[limits->family];
    tally_problem sorted = *problem;
    if (limits->family == TALLY_FAMILY_GPU)
        sort_kept(&sorted);
    plan->count = 1;
    plan_item(&sorted, &plan->step[0]);
    for (size_t i = 0; i < sizeof choosers[0] / sizeof choosers[0][0] && choose[i] != NULL; i++)
        if (choose[i](&sorted, limits, plan))
            break;
    for (uint32_t i = 0; i < plan->count; i++)
        tally_plan_range(&plan->step[i], limits);
}
