/*
 * Folds whose input repeats its elements along kept axes: results along such an axis are of the
 * same terms, so these are folded once, to results that lie packed, and a fill that covers nothing
 * copies each result to all of its positions.
 */
#include "model/dtype.h"
#include "plan/plan.h"

/*
 * Bytes that a fold would read again for results that repeat, at least, where these are copied
 * instead: memory moves so many in the time of a launch or two.
 */
#define TALLY_REPEAT_BYTES (UINT64_C(1) << 23)

static bool is_repeated(const tally_dims *kept, uint32_t k) {
    return kept->in[k] == 0 && kept->size[k] > 1;
}

/*
 * The kept axes with strides of packed results in place of the input's: 0 where they repeat, else
 * in the order of the output's memory, so that the fill reads as it writes.
 */
static tally_dims pack_results(const tally_dims *kept) {
    tally_dims results = *kept;
    for (uint32_t k = 0; k < kept->count; k++) {
        uint64_t stride = 1;
        for (uint32_t j = 0; j < kept->count; j++)
            if (!is_repeated(kept, j) && kept->out[j] < kept->out[k])
                stride *= kept->size[j];
        results.in[k] = is_repeated(kept, k) ? 0 : stride;
    }
    return results;
}

/*
 * Whether what is not read again is worth a launch; on GPUs beside the results, which are written
 * and read once more. On CPUs these are little next to what kernels lose where axes repeat: of two
 * terms, twice each, they took ten times as long.
 */
static bool is_worth(const tally_problem *once, const tally_limits *limits, uint64_t repeats) {
    const uint64_t results = once->output_extent * tally_dtype_find(once->output)->bytes;
    const uint64_t more = limits->family == TALLY_FAMILY_CPU ? 0 : 2 * results;
    const uint64_t least = (TALLY_REPEAT_BYTES + more) / tally_dtype_find(once->input)->bytes;
    return repeats > tally_plan_parts(tally_plan_parts(least, once->terms), once->output_extent);
}

bool tally_plan_fold_once(const tally_problem *problem, const tally_limits *limits,
                          tally_problem *once) {
    const tally_dims results = pack_results(&problem->kept);
    uint64_t repeats = 1;
    *once = *problem;
    once->kept = (tally_dims){0};
    for (uint32_t k = 0; k < results.count; k++)
        if (is_repeated(&problem->kept, k))
            repeats *= results.size[k];
        else
            tally_dims_append(&once->kept, results.size[k], problem->kept.in[k], results.in[k]);
    once->output_extent = tally_dims_elements(&once->kept);
    tally_dims_merge(&once->kept);
    if (repeats == 1 || !tally_plan_has_own_schedules(limits))
        return false;
    *once = tally_plan_fold_problem(once, limits);
    return once->groups > 0 && once->terms > 0 && is_worth(once, limits, repeats);
}

tally_problem tally_plan_repeat_fill(const tally_problem *problem) {
    tally_problem results = *problem;
    results.kept = pack_results(&problem->kept);
    results.groups = 0;
    results.terms = 1;
    results.input_extent = 1;
    for (uint32_t k = 0; k < results.kept.count; k++)
        results.input_extent += (results.kept.size[k] - 1) * results.kept.in[k];
    return tally_plan_copy_fill(&results);
}

void tally_plan_add_copy(const tally_problem *fill, const tally_limits *limits, tally_plan *plan) {
    const uint64_t results = plan->scratch;
    tally_step *step = &plan->step[plan->count - 1];
    step->target = TALLY_IN_SCRATCH;
    step->target_offset = results;
    plan->scratch +=
        tally_plan_scratch_of(fill->input_extent, tally_dtype_find(fill->output)->bytes);
    tally_plan_fill(fill, limits, plan);
    step = &plan->step[plan->count - 1];
    step->source = TALLY_IN_SCRATCH;
    step->source_offset = results;
}

void tally_plan_repeat(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    const tally_problem fill = tally_plan_repeat_fill(problem);
    tally_plan_add_copy(&fill, limits, plan);
}
