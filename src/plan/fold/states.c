/*
 * What parts of a problem hand on: states that lie in one way on all devices, whatever way the plan
 * of a part has them in between.
 */
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/plan.h"

bool tally_plan_has_states(const tally_problem *problem) {
    return problem->partial.from_states || problem->partial.to_states;
}

/* The copy of states, of 4 or 8 bytes or of pairs of 8, from those of each line side by side. */
static tally_problem transposed(const tally_problem *problem, uint64_t lines) {
    const uint32_t bytes = tally_problem_state_bytes(problem);
    const uint64_t states = problem->partial.states, words = bytes > 8 ? bytes / 8 : 1;
    tally_problem copy = {.kind = TALLY_KIND_FOLD,
                          .input = tally_dtype_unsigned(bytes / (uint32_t)words),
                          .output = tally_dtype_unsigned(bytes / (uint32_t)words),
                          .has_input = true,
                          .input_extent = states * lines * words,
                          .output_extent = states * lines * words,
                          .terms = 1};
    tally_dims_append(&copy.kept, states, words, lines * words);
    tally_dims_append(&copy.kept, lines, states * words, words);
    tally_dims_append(&copy.kept, words, 1, 1);
    tally_dims_merge(&copy.kept);
    return tally_plan_copy_fill(&copy);
}

/*
 * The last step writes to the scratch, and another one adds the index of the part's first term to
 * the indices there. Kernels of elements need not know of it so.
 */
static void add_first_index(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan) {
    const uint32_t bytes = tally_problem_state_bytes(problem);
    tally_step *before = &plan->step[plan->count - 1], *step = &plan->step[plan->count++];
    tally_fold_any_args *args = &step->args.fold_any;
    before->target = step->source = TALLY_IN_SCRATCH;
    before->target_offset = step->source_offset = plan->scratch;
    plan->scratch += tally_plan_scratch_of(problem->output_extent, bytes);
    step->target = TALLY_IN_OUTPUT;
    step->source_bytes = step->target_bytes = bytes;
    step->spec = (tally_spec){.function = before->spec.function,
                              .input = before->spec.input,
                              .nan = before->spec.nan,
                              .tie = before->spec.tie,
                              .index_bits = before->spec.index_bits,
                              .kept_rank = 1,
                              .swept_rank = 1};
    args->head.units = args->outputs = problem->output_extent;
    args->blocks = args->terms = args->parts = args->index_scale = 1;
    args->first_term = problem->partial.first_index;
    for (uint32_t g = 0; g < TALLY_NEST; g++)
        args->nest[g] = 1;
    const tally_dims outputs = {.count = 1, .size = {args->outputs}, .in = {1}, .out = {1}};
    tally_plan_axes(&outputs, 1, args->kept_size, args->kept_in, args->kept_out);
    tally_plan_axes(&(tally_dims){0}, 1, args->swept_size, args->swept_in, NULL);
    tally_plan_any(problem, limits, step);
    tally_plan_range(step, limits);
}

void tally_plan_hand_on(const tally_problem *problem, const tally_limits *limits,
                        tally_plan *plan) {
    const uint64_t lines = tally_dims_elements(&problem->kept);
    if (problem->partial.states > 1 && lines > 1) {
        const tally_problem fill = transposed(problem, lines);
        tally_plan_add_copy(&fill, limits, plan);
    }
    if (problem->partial.first_index > 0 && tally_plan_is_indexed(problem))
        add_first_index(problem, limits, plan);
}
