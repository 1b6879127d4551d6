/*
 * Folds by outputs whose order in memory is not that of their terms: work-items of a group stand
 * beside each other along both, and results change hands. What is planned here is which axes the
 * results lie along, and how many of a group's outputs are along each of the two.
 */
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/*
 * Outputs whose order in memory is not that of their terms: terms of each, at most, since of more
 * terms results are a small part of what moves; outputs from one to the next along the order of
 * results, at least; outputs of a group along that order.
 */
#define TALLY_CROSSED_TERMS 32
#define TALLY_CROSSED_STRIDED 32
#define TALLY_CROSSED_CACHE_LINE 16

/* The axis along which outputs lie closest, of the first count. */
static uint32_t closest(const tally_dims *kept, uint32_t count) {
    uint32_t least = 0;
    for (uint32_t k = 1; k < count; k++)
        least = kept->out[k] < kept->out[least] ? k : least;
    return least;
}

/*
 * Move those axes behind the others, the closest last, until a sector of outputs is along them;
 * returns how many that are. The innermost axis of the input ends it: 0 if it is the closest. So it
 * is if from an output to the next one along the closest axis are few others.
 */
static uint64_t move_closest(tally_dims *kept, uint32_t bytes) {
    uint64_t outputs = 1;
    for (uint32_t others = kept->count; others > 1 && outputs * bytes < TALLY_SECTOR; others--) {
        uint32_t k = closest(kept, others);
        uint64_t inside = 1;
        for (uint32_t i = k + 1; i < kept->count; i++)
            inside *= kept->size[i];
        if (k == others - 1 || (outputs == 1 && inside < TALLY_CROSSED_STRIDED))
            break;
        outputs *= kept->size[k];
        tally_dims_move(kept, k, others - 1);
    }
    return outputs > 1 ? outputs : 0;
}

bool tally_plan_crossed(const tally_problem *problem, const tally_limits *limits,
                        tally_step *step) {
    tally_fold_team_args *args = &step->args.fold_team;
    uint32_t rank = step->spec.kept_rank, bytes = tally_dtype_find(problem->output)->bytes;
    tally_dims kept = {0};
    if (!step->spec.first || !step->spec.last || !tally_plan_has_wide_groups(limits) ||
        args->blocks != 1 || args->terms == 0 || args->terms > TALLY_CROSSED_TERMS ||
        args->outputs < (uint64_t)limits->units * TALLY_BUSY_ITEMS)
        return false;
    for (uint32_t k = 0; k < rank; k++)
        tally_dims_append(&kept, args->kept_size[k], args->kept_in[k], args->kept_out[k]);
    args->crossed_outputs = move_closest(&kept, bytes);
    if (args->crossed_outputs == 0)
        return false;
    tally_plan_axes(&kept, (uint8_t)rank, args->kept_size, args->kept_in, args->kept_out);
    uint64_t others = args->outputs / args->crossed_outputs;
    uint64_t along = tally_plan_power(args->crossed_outputs, TALLY_CROSSED_CACHE_LINE);
    uint64_t team_width = tally_plan_power(others, TALLY_WIDE_GROUP / along);
    step->spec.policy.fold_outputs.crossed = (uint16_t)team_width;
    args->team_width = team_width;
    args->slices = 1;
    args->head.units = tally_plan_parts(others, team_width) *
                       tally_plan_parts(args->crossed_outputs, TALLY_WIDE_GROUP / team_width) *
                       TALLY_WIDE_GROUP;
    return true;
}
