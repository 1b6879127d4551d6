/*
 * The planner of folds over any strides: whether work-items have a block each or groups share them,
 * and on GPUs which blocks a group has together and whether they go through local memory, so that
 * neighbours read neighbours. See cl/agent/fold/fold_any_team.cl.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/group.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/*
 * Of fold_any's groups on GPUs: bytes of memory side by side, and outputs or lines at most; local
 * memory for their lanes; groups for each compute unit; terms of the innermost axis, at least,
 * where blocks are staged or groups go along lines, and of a line for the latter; blocks of a piece
 * of a longer line.
 */
#define TALLY_ANY_BYTES 128
#define TALLY_ANY_BESIDE 32
#define TALLY_ANY_LOCAL 16384
#define TALLY_ANY_GROUPS 4
#define TALLY_ANY_STAGED 32
#define TALLY_ANY_LINE 1536
#define TALLY_ANY_PIECE 4

/* An axis along which elements lie next to each other, and how many terms are inside of it. */
typedef struct near_axis {
    uint64_t stride, size, inside;
} near_axis;

/* The swept axis with the least stride. */
static near_axis nearest_terms(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    near_axis nearest = {.stride = UINT64_MAX, .size = 1, .inside = 1};
    uint64_t inside = 1;
    for (uint32_t k = step->spec.swept_rank; k-- > 0; inside *= args->swept_size[k])
        if (args->swept_size[k] > 1 && args->swept_in[k] > 0 && args->swept_in[k] < nearest.stride)
            nearest = (near_axis){args->swept_in[k], args->swept_size[k], inside};
    return nearest;
}

static bool wants_team(const tally_step *step, const tally_limits *limits) {
    const tally_fold_args *args = &step->args.fold;
    if (limits->family == TALLY_FAMILY_CPU || args->terms < TALLY_TEAM_TERMS)
        return false;
    return args->head.units < (uint64_t)limits->units * TALLY_BUSY_ITEMS ||
           !tally_plan_is_side_by_side(step);
}

/* As many side by side as 128 bytes or so have, fewer if there are not so many. */
static uint64_t beside(const tally_problem *problem, uint64_t many) {
    uint64_t most = TALLY_ANY_BYTES / tally_dtype_find(problem->input)->bytes;
    return tally_plan_power(many, most < TALLY_ANY_BESIDE ? most : TALLY_ANY_BESIDE);
}

/* Blocks of outputs side by side, as long as that leaves enough groups. */
static void plan_outputs(const tally_problem *problem, const tally_limits *limits,
                         tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t outputs = beside(problem, args->kept_size[step->spec.kept_rank - 1]);
    uint64_t lanes_bytes = (uint64_t)TALLY_LANES * tally_spec_state_bytes(&step->spec);
    while (outputs > 1 && (outputs * lanes_bytes > TALLY_ANY_LOCAL ||
                           args->head.units < outputs * TALLY_ANY_GROUPS * limits->units))
        outputs /= 2;
    if (outputs == 1)
        return;
    step->spec.policy.fold_any.outputs_at_once = (uint16_t)outputs;
    step->spec.group = TALLY_WIDE_GROUP;
}

/*
 * Lines beside each other, and pieces of them. Work-items step along a line by no more than its
 * innermost axis has. A piece costs a block of terms more, which are looked at and left to the
 * group before or behind it, so pieces are no shorter than some blocks, unless lines are. False if
 * that leaves few groups.
 */
static bool plan_lines(const tally_problem *problem, const tally_limits *limits,
                       const near_axis *nearest, tally_step *step) {
    tally_fold_any_args *args = &step->args.fold_any;
    uint64_t at_once = beside(problem, nearest->size);
    uint64_t strips = args->outputs * (args->terms / (nearest->inside * nearest->size)) *
                      tally_plan_parts(nearest->size, at_once);
    uint64_t wanted = tally_plan_parts((uint64_t)TALLY_ANY_GROUPS * limits->units, strips);
    uint64_t most = nearest->inside / ((uint64_t)TALLY_ANY_PIECE * TALLY_BLOCK);
    uint64_t pieces = wanted < most ? wanted : most > 0 ? most : 1;
    if (TALLY_WIDE_GROUP / at_once > args->swept_size[step->spec.swept_rank - 1] ||
        strips * pieces < (uint64_t)limits->units * TALLY_ANY_GROUPS / 2)
        return false;
    step->spec.policy.fold_any.lines_at_once = (uint16_t)at_once;
    step->spec.group = TALLY_WIDE_GROUP;
    args->line_terms = nearest->inside;
    args->lines = nearest->size;
    args->piece_terms = tally_plan_parts(nearest->inside, pieces);
    args->head.units = strips * tally_plan_parts(nearest->inside, args->piece_terms);
    return true;
}

/* One block at a time, which is several lines, if local memory has room for it. */
static void plan_staged(const tally_limits *limits, const near_axis *nearest, tally_step *step) {
    tally_fold_any_args *args = &step->args.fold_any;
    uint64_t terms = args->terms < TALLY_BLOCK ? args->terms : TALLY_BLOCK;
    uint64_t lines = tally_plan_power(tally_plan_parts(terms, nearest->inside), TALLY_ANY_BESIDE);
    while (TALLY_LANES / lines > args->swept_size[step->spec.swept_rank - 1])
        lines *= 2;
    tally_spec staged = step->spec;
    staged.policy.fold_any.lines_beside = (uint16_t)lines;
    staged.group = TALLY_LANES;
    if (tally_group_local_bytes(&staged) > limits->local_bytes)
        return;
    step->spec = staged;
    args->line_terms = nearest->inside;
}

/*
 * Several outputs at once; or, where terms that are neighbours have a sector each while others lie
 * beside them, lines of terms, whose indices are not counted, or a block in local memory.
 */
static void plan_neighbours(const tally_problem *problem, const tally_limits *limits,
                            tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    const near_axis nearest = nearest_terms(step);
    const bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    const uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    const uint32_t last = step->spec.swept_rank - 1u;
    if (tally_plan_is_side_by_side(step) && args->kept_size[step->spec.kept_rank - 1] > 1) {
        plan_outputs(problem, limits, step);
        return;
    }
    if (nearest.stride * bytes >= TALLY_SECTOR || args->swept_in[last] * bytes < TALLY_SECTOR ||
        args->swept_size[last] < TALLY_ANY_STAGED || step->spec.policy.fold_any.indices)
        return;
    if (!shifted && !tally_plan_is_indexed(problem) && nearest.inside >= TALLY_ANY_LINE &&
        plan_lines(problem, limits, &nearest, step))
        return;
    if (nearest.inside < TALLY_BLOCK)
        plan_staged(limits, &nearest, step);
}

void tally_plan_any(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    step->spec.schedule = TALLY_FOLD_ANY;
    step->spec.policy.fold_any.indices = tally_plan_has_indices(problem, step);
    step->spec.group = wants_team(step, limits) ? tally_plan_team(limits) : 0;
    if (step->spec.first && tally_plan_has_wide_groups(limits) &&
        step->args.fold.terms >= TALLY_TEAM_TERMS)
        plan_neighbours(problem, limits, step);
}
