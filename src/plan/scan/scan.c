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
        .part = (uint16_t)(problem->partial.has_carry   ? TALLY_PART_CARRIED
                           : problem->partial.to_states ? TALLY_PART_STATES
                                                        : 0),
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
    step->source_bytes = tally_problem_input_bytes(problem);
    step->target_bytes = tally_problem_output_bytes(problem);
    if (problem->partial.to_states) { /* which follow each other as they are visited */
        args->axis_out = axis->out[0];
        args->start_out = 0;
    }
}

uint8_t tally_plan_levels(uint64_t terms) {
    static const uint64_t ends[] = {TALLY_RUN, TALLY_SPAN, TALLY_TILE, TALLY_STRETCH};
    uint8_t levels = 1;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        levels = (uint8_t)(levels + (terms > ends[i]));
    return levels;
}

uint8_t tally_plan_scan_levels(const tally_problem *problem) {
    return problem->partial.has_carry ? 5 : tally_plan_levels(problem->terms);
}

uint8_t tally_plan_combined_levels(const tally_problem *problem) {
    uint8_t levels = tally_plan_scan_levels(problem);
    return tally_problem_is_exact(problem) && levels > 2 ? 2 : levels;
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
static const chooser choosers[][9] = {
    [TALLY_FAMILY_GENERIC] = {plan_team},
    [TALLY_FAMILY_GPU] = {tally_plan_scan_transpose, tally_plan_scan_short_rows,
                          tally_plan_scan_short, tally_plan_scan_rows, tally_plan_scan_pieces,
                          tally_plan_scan_staged, tally_plan_scan_columns, plan_team},
    [TALLY_FAMILY_CPU] = {tally_plan_scan_cpu},
};

/*
 * States of a part by any strides: what tiles come to, and then what stretches do, by single
 * work-items.
 */
static bool plan_states(const tally_problem *problem, const tally_limits *limits,
                        tally_plan *plan) {
    tally_step base = plan->step[0];
    (void)limits;
    base.spec.word = (uint8_t)tally_spec_state_bytes(&base.spec);
    const uint64_t states = problem->partial.states * base.args.scan.rows;
    plan->scratch = tally_plan_scratch_of(states * TALLY_TILES, base.spec.word);
    const uint64_t units[TALLY_PHASES] = {
        [TALLY_TOTALS] = states * TALLY_TILES, [TALLY_STRETCHES] = states};
    tally_plan_launches(base, 1u << TALLY_TOTALS | 1u << TALLY_STRETCHES, units, plan);
    return true;
}

/* The carry of a part: states of each line, one after the other. Few lines are a group's each. */
static bool plan_carry(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_step *step = &plan->step[0];
    step->spec.schedule = TALLY_SCAN_CARRY;
    step->spec.part = 0;
    if (limits->family != TALLY_FAMILY_CPU && problem->terms > TALLY_RUN &&
        step->args.scan.rows < (uint64_t)limits->units * TALLY_BUSY_ITEMS)
        step->spec.group = tally_plan_team(limits);
    return true;
}

/* The same for parts of a problem, whose rows are in the order of their states. */
static const chooser choosers_of_states[][3] = {
    [TALLY_FAMILY_GENERIC] = {plan_states},
    [TALLY_FAMILY_GPU] = {tally_plan_scan_rows, plan_states},
    [TALLY_FAMILY_CPU] = {tally_plan_scan_cpu_states, plan_states},
};
static const chooser choosers_of_carried[][4] = {
    [TALLY_FAMILY_GENERIC] = {plan_team},
    [TALLY_FAMILY_GPU] = {tally_plan_scan_rows, tally_plan_scan_columns, plan_team},
    [TALLY_FAMILY_CPU] = {tally_plan_scan_cpu_carried},
};
static const chooser choosers_of_carries[][2] = {{plan_carry}};

/* A list of planners, the first of which that serves the problem plans it. */
typedef struct chooser_list {
    const chooser *first;
    size_t count;
} chooser_list;

static chooser_list choosers_for(const tally_problem *problem, const tally_limits *limits) {
#define LIST(lists, family)                                                                        \
    (chooser_list) {                                                                               \
        (lists)[family], sizeof(lists)[0] / sizeof(lists)[0][0]                                    \
    }
    return problem->partial.from_states ? LIST(choosers_of_carries, 0)
           : problem->partial.to_states ? LIST(choosers_of_states, limits->family)
           : problem->partial.has_carry ? LIST(choosers_of_carried, limits->family)
                                        : LIST(choosers, limits->family);
#undef LIST
}

/* The kept axes as they lie in the output's memory: neighbours on both sides are one. */
static void sort_kept(tally_problem *problem) {
    tally_dims_sort(&problem->kept, true);
    tally_dims_merge(&problem->kept);
}

void tally_plan_scan(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    const chooser_list list = choosers_for(problem, limits);
    tally_problem sorted = *problem;
    if (limits->family == TALLY_FAMILY_GPU && list.first == choosers[limits->family])
        sort_kept(&sorted);
    plan->count = 1;
    plan_item(&sorted, &plan->step[0]);
    for (size_t i = 0; i < list.count && list.first[i] != NULL; i++)
        if (list.first[i](&sorted, limits, plan))
            break;
    for (uint32_t i = 0; i < plan->count; i++)
        tally_plan_range(&plan->step[i], limits);
}
