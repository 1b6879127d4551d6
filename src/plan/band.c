/*
 * The planner of diagonal fills: a work-item per element, one launch, no scratch.
 */
#include "model/dtype.h"
#include "plan/plan.h"

void tally_plan_band(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_step *step = &plan->step[plan->count++];
    tally_band_args *args = &step->args.band;
    uint32_t bytes = tally_dtype_find(problem->output)->bytes;
    args->head.units = tally_dims_elements(&problem->kept);
    step->spec = (tally_spec){
        .schedule = TALLY_BAND,
        .input = (uint8_t)tally_dtype_unsigned(bytes),
        .kept_rank = tally_plan_rank(problem->kept.count),
        .index_bits = tally_plan_index_bits(problem, args->head.units),
        .has_input = problem->has_input,
    };
    args->low = problem->low;
    args->high = problem->high;
    args->inverted = problem->inverted;
    args->value = problem->value;
    tally_plan_axes(&problem->kept, step->spec.kept_rank, args->kept_size, args->kept_in,
                    args->kept_out);
    step->source = problem->has_input ? TALLY_IN_INPUT : TALLY_IN_NOTHING;
    step->target = TALLY_IN_OUTPUT;
    step->source_bytes = step->target_bytes = bytes;
    tally_plan_range(step, limits);
}
