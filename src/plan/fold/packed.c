/*
 * Folds whose results are better folded to where they lie packed, and then copied by a fill that
 * covers nothing. Where the input repeats its elements along kept axes, results along these are of
 * the same terms: they are folded once, and copied to all of their positions. Where results that
 * are neighbours for the fold are far apart in the output, a CPU would write them one by one.
 */
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "plan/plan.h"

/*
 * Bytes that a fold would read again for results that repeat, at least, where these are copied
 * instead: memory moves so many in the time of a launch or two.
 */
#define TALLY_REPEAT_BYTES (UINT64_C(1) << 23)

/*
 * Of results that a CPU would write one by one: bytes of the terms of each, at most, and bytes of
 * all of them, at least, which caches would not hold. Of single terms also the bytes of all, at
 * most, as the scratch has as many; and the bytes in the input from one result's to the next one's,
 * at least, as nearer ones are read along.
 */
#define TALLY_SCATTERED_TERMS 256
#define TALLY_SCATTERED_BYTES (UINT64_C(1) << 20)
#define TALLY_SCATTERED_MAP (UINT64_C(1) << 30)
#define TALLY_SCATTERED_STRIDE 8192

static bool is_repeated(const tally_dims *kept, uint32_t k) {
    return kept->in[k] == 0 && kept->size[k] > 1;
}

/* Results of the same terms that each position of the output has, its own among them. */
static uint64_t repeats_of(const tally_dims *kept) {
    uint64_t repeats = 1;
    for (uint32_t k = 0; k < kept->count; k++)
        if (is_repeated(kept, k))
            repeats *= kept->size[k];
    return repeats;
}

/* Whether axis j lies inside of axis k by these strides; of equal ones the later axis does. */
static bool is_inside(const uint64_t *stride, uint32_t j, uint32_t k) {
    return stride[j] != stride[k] ? stride[j] < stride[k] : j > k;
}

/*
 * The kept axes with strides of packed results in place of the input's. Where some repeat, these
 * have 0, and the others are in the order of the output's memory, so that the fill reads as it
 * writes. Else they are in the order of the input's, so that the fold writes as it reads.
 */
static tally_dims pack_results(const tally_dims *kept) {
    const uint64_t *by = repeats_of(kept) > 1 ? kept->out : kept->in;
    tally_dims results = *kept;
    for (uint32_t k = 0; k < kept->count; k++) {
        uint64_t stride = 1;
        for (uint32_t j = 0; j < kept->count; j++)
            if (!is_repeated(kept, j) && is_inside(by, j, k))
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
static bool is_worth(const tally_problem *packed, const tally_limits *limits, uint64_t repeats) {
    const uint64_t results = packed->output_extent * tally_dtype_find(packed->output)->bytes;
    const uint64_t more = limits->family == TALLY_FAMILY_CPU ? 0 : 2 * results;
    const uint64_t least = (TALLY_REPEAT_BYTES + more) / tally_dtype_find(packed->input)->bytes;
    return repeats >
           tally_plan_parts(tally_plan_parts(least, packed->terms), packed->output_extent);
}

/*
 * Whether neighbours in the input are in different cache lines of the output, while others, farther
 * apart in the input, share lines: along the nearest kept axis, or along the one outside of it
 * where both tensors have its few results side by side.
 */
static bool lose_neighbours(const tally_dims *kept, uint64_t bytes) {
    tally_dims axes = *kept;
    tally_dims_sort(&axes, false);
    if (axes.count < 2)
        return false;
    uint32_t near = axes.count - 1;
    if (axes.out[near] * axes.size[near] * bytes < TALLY_CPU_CACHE_LINE)
        near--;
    for (uint32_t k = 0; k < near; k++)
        if (axes.out[near] * bytes > TALLY_CPU_CACHE_LINE &&
            axes.out[k] * bytes < TALLY_CPU_CACHE_LINE)
            return true;
    return false;
}

/*
 * Whether a CPU would write results one by one, each of few terms and into a cache line that it
 * reads for that, into an output that caches do not hold.
 */
static bool is_scattered(const tally_problem *problem, const tally_limits *limits) {
    const tally_dims *kept = &problem->kept;
    const uint64_t bytes = tally_dtype_find(problem->output)->bytes;
    const uint64_t most = TALLY_SCATTERED_TERMS / tally_dtype_find(problem->input)->bytes;
    return limits->family == TALLY_FAMILY_CPU && problem->terms <= most &&
           tally_dims_elements(kept) >= TALLY_SCATTERED_BYTES / bytes &&
           lose_neighbours(kept, bytes);
}

/*
 * Whether results of single terms that are neighbours in the output are far apart in the input, as
 * the output's axes go from the nearest one on that fills a cache line. Narrow elements are moved
 * one by one then, so for them a cache line is far. Indices, which are all 0, are not read at all.
 */
static bool are_far(const tally_problem *problem) {
    const uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    tally_dims axes = problem->kept;
    if (tally_plan_is_indexed(problem) || tally_dims_elements(&axes) > TALLY_SCATTERED_MAP / bytes)
        return false;
    tally_dims_sort(&axes, true);
    while (axes.count > 1 &&
           axes.out[axes.count - 1] * axes.size[axes.count - 1] * bytes < TALLY_CPU_CACHE_LINE)
        axes.count--;
    return axes.count > 0 && axes.in[axes.count - 1] * bytes >=
                                 (bytes < 4 ? TALLY_CPU_CACHE_LINE : TALLY_SCATTERED_STRIDE);
}

bool tally_plan_fold_packed(const tally_problem *problem, const tally_limits *limits,
                            tally_problem *packed) {
    const tally_dims results = pack_results(&problem->kept);
    const uint64_t repeats = repeats_of(&problem->kept);
    *packed = *problem;
    packed->kept = (tally_dims){0};
    for (uint32_t k = 0; k < results.count; k++)
        if (!is_repeated(&problem->kept, k))
            tally_dims_append(&packed->kept, results.size[k], problem->kept.in[k], results.in[k]);
    packed->output_extent = tally_dims_elements(&packed->kept);
    tally_dims_merge(&packed->kept);
    if ((repeats == 1 && !is_scattered(problem, limits)) || !tally_plan_has_own_schedules(limits))
        return false;
    *packed = tally_plan_fold_problem(packed, limits);
    if (packed->terms == 0)
        return false;
    if (packed->groups == 0)
        return repeats == 1 && are_far(problem);
    return repeats == 1 || is_worth(packed, limits, repeats);
}

tally_problem tally_plan_results_fill(const tally_problem *problem) {
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

void tally_plan_copy_results(const tally_problem *problem, const tally_limits *limits,
                             tally_plan *plan) {
    const tally_problem fill = tally_plan_results_fill(problem);
    tally_plan_add_copy(&fill, limits, plan);
}
