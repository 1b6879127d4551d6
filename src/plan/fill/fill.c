/*
 * The planner of diagonal fills: one launch, no scratch; another one for calls in place, which read
 * nothing and write only what gets the value. See walk.h for the axes; GPUs and CPUs have
 * kernels of their own, and what these do not take is done by work-items with an element each. Maps
 * on GPUs are fills too, see tally_plan_map_fill, and so is what copies a fold's results.
 */
#include "plan/fill/fill.h"

#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "plan/fill/tuning.h"

/* What every schedule starts from: a work-item for an element. */
static void plan_elements(const tally_problem *problem, const tally_walk *walk, bool in_place,
                          tally_step *step) {
    tally_fill_args *args = &step->args.fill;
    const uint32_t bytes = tally_dtype_find(problem->output)->bytes;
    const bool map = problem->function != 0;
    uint32_t count = walk->dims.count;
    args->head.units = tally_dims_elements(&walk->dims);
    step->spec = (tally_spec){
        .schedule = TALLY_FILL,
        .function = (uint8_t)problem->function,
        .input = (uint8_t)(map ? problem->input : tally_dtype_unsigned(bytes)),
        .nan = (uint8_t)problem->nan,
        .tie = (uint8_t)problem->tie,
        .kept_rank = tally_plan_rank(count > 2 ? count : 2),
        .index_bits = tally_plan_index_bits(problem, args->head.units + TALLY_FILL_BEYOND),
        .has_input = walk->reads,
    };
    args->out_start = walk->out_start;
    args->low = walk->low;
    args->high = walk->high;
    args->inverted = walk->inverted;
    args->value = problem->value;
    args->in_place = in_place;
    tally_plan_axes(&walk->dims, step->spec.kept_rank, args->kept_size, args->kept_in,
                    args->kept_out);
    for (uint32_t k = 0; k < count; k++)
        args->diagonal[step->spec.kept_rank - count + k] = walk->diagonal[k];
    step->source = walk->reads ? TALLY_IN_INPUT : TALLY_IN_NOTHING;
    step->target = TALLY_IN_OUTPUT;
    step->source_bytes = step->target_bytes = bytes;
}

static void put_step(const tally_problem *problem, const tally_limits *limits, bool in_place,
                     tally_plan *plan) {
    const bool is_cpu = limits->family == TALLY_FAMILY_CPU;
    const uint32_t bytes = tally_dtype_find(problem->output)->bytes;
    const tally_walk walk =
        tally_fill_walk(problem, in_place, is_cpu ? TALLY_CPU_CACHE_LINE / bytes : 0);
    if (walk.empty)
        return;
    tally_step *step = &plan->step[plan->count++];
    plan_elements(problem, &walk, in_place, step);
    if (limits->family == TALLY_FAMILY_GPU && limits->group_max >= TALLY_FILL_GROUP_MIN)
        tally_plan_fill_gpu(problem, &walk, limits, step);
    if (is_cpu)
        tally_plan_fill_cpu(&walk, limits, step);
    tally_plan_range(step, limits);
}

void tally_plan_fill(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    put_step(problem, limits, false, plan);
    if (!problem->has_input || !problem->in_place)
        return;
    plan->out_of_place_steps = plan->count;
    put_step(problem, limits, true, plan);
}
