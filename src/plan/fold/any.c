/*
 * The planner of folds over any strides: whether work-items have a block each or groups share them,
 * and on GPUs which blocks a group has together and whether they go through local memory, so that
 * neighbours read neighbours. See cl/agent/fold/fold_any_team.cl.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/lines.h"
#include "plan/group.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/*
 * Of fold_any's groups on GPUs: local memory for their lanes; terms of the innermost axis, at
 * least, where blocks are staged or groups go along lines, and of a line for the latter.
 */
#define TALLY_ANY_LOCAL 16384
#define TALLY_ANY_STAGED 32
#define TALLY_ANY_LINE 1536

static bool wants_team(const tally_step *step, const tally_limits *limits) {
    const tally_fold_args *args = &step->args.fold;
    if (limits->family == TALLY_FAMILY_CPU || args->terms < TALLY_TEAM_TERMS)
        return false;
    return args->head.units < (uint64_t)limits->units * TALLY_BUSY_ITEMS ||
           !tally_plan_is_side_by_side(step);
}

/* Blocks of outputs side by side, as long as that leaves enough groups. */
static void plan_outputs(const tally_problem *problem, const tally_limits *limits,
                         tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t outputs = tally_plan_beside(problem, args->kept_size[step->spec.kept_rank - 1]);
    uint64_t lanes_bytes = (uint64_t)TALLY_LANES * tally_spec_state_bytes(&step->spec);
    while (outputs > 1 && (outputs * lanes_bytes > TALLY_ANY_LOCAL ||
                           args->head.units < outputs * TALLY_ANY_GROUPS * limits->units))
        outputs /= 2;
    if (outputs == 1)
        return;
    step->spec.policy.fold_any.outputs_at_once = (uint16_t)outputs;
    step->spec.group = TALLY_WIDE_GROUP;
}

/* So many blocks at a time, which are several lines, if local memory has room for them. */
static bool try_stage(const tally_limits *limits, const tally_near_axis *nearest, uint64_t blocks,
                      tally_step *step) {
    tally_fold_any_args *args = &step->args.fold_any;
    uint64_t terms = tally_plan_least(args->terms, blocks * TALLY_BLOCK);
    uint64_t lines = tally_plan_power(tally_plan_parts(terms, nearest->inside), TALLY_ANY_BESIDE);
    tally_spec staged = step->spec;
    staged.group = blocks > 1 ? TALLY_WIDE_GROUP : TALLY_LANES;
    while (2 * staged.group / lines > args->swept_size[step->spec.swept_rank - 1])
        lines *= 2;
    staged.policy.fold_any.lines_beside = (uint16_t)lines;
    staged.policy.fold_any.blocks_at_once = (uint16_t)(blocks > 1 ? blocks : 0);
    if (lines > staged.group || tally_group_local_bytes(&staged) > limits->local_bytes)
        return false;
    step->spec = staged;
    args->line_terms = nearest->inside;
    args->head.units = args->outputs * tally_plan_parts(args->blocks, blocks);
    return true;
}

/* As many blocks at a time as it takes for lines beside each other to be a sector of each row. */
static void plan_staged(const tally_problem *problem, const tally_limits *limits,
                        const tally_near_axis *nearest, tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t bytes = tally_dtype_find(problem->input)->bytes, blocks = 1;
    while (blocks * TALLY_BLOCK * bytes < nearest->inside * TALLY_SECTOR && blocks < args->blocks)
        blocks *= 2;
    while (blocks > 1 && args->outputs * tally_plan_parts(args->blocks, blocks) <
                             (uint64_t)limits->units * TALLY_ANY_GROUPS)
        blocks /= 2;
    while (blocks > 0 && !try_stage(limits, nearest, blocks, step))
        blocks /= 2;
}

/*
 * Several outputs at once; or, where other terms lie beside a term, lines of them, whose indices
 * are not counted; or, where terms that follow each other have a sector each, a block in local
 * memory.
 */
static void plan_neighbours(const tally_problem *problem, const tally_limits *limits,
                            tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    const tally_near_axis nearest = tally_plan_nearest_axis(step);
    const bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    const uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    const uint32_t last = step->spec.swept_rank - 1u;
    if (tally_plan_is_side_by_side(step) && args->kept_size[step->spec.kept_rank - 1] > 1) {
        plan_outputs(problem, limits, step);
        return;
    }
    if (nearest.stride * bytes >= TALLY_SECTOR || args->swept_size[last] < TALLY_ANY_STAGED ||
        step->spec.policy.fold_any.indices)
        return;
    if (!shifted && !tally_plan_is_indexed(problem) && nearest.inside >= TALLY_ANY_LINE &&
        tally_plan_lines(problem, limits, &nearest, step))
        return;
    if (nearest.inside < TALLY_BLOCK && args->swept_in[last] * bytes >= TALLY_SECTOR)
        plan_staged(problem, limits, &nearest, step);
}

void tally_plan_any(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    step->spec.schedule = TALLY_FOLD_ANY;
    step->spec.policy.fold_any.indices = tally_plan_has_indices(problem, step);
    step->spec.policy.fold_any.pack = (uint16_t)tally_dtype_find(problem->input)->bytes;
    step->spec.group = wants_team(step, limits) ? tally_plan_team(limits) : 0;
    if (step->spec.first && tally_plan_has_wide_groups(limits) &&
        step->args.fold.terms >= TALLY_TEAM_TERMS)
        plan_neighbours(problem, limits, step);
}
