/*
 * The table of where the terms of outputs side by side lie: how many entries it has, and how many
 * groups of swept axes a launch folds by it. Who takes the terms is not known here.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/axes.h"
#include "plan/fold/outputs.h"
#include "plan/tuning.h"

static uint64_t group_terms(const tally_problem *problem, uint32_t g) {
    return tally_dims_elements(&problem->swept[g]);
}

uint64_t tally_outputs_entries(const uint64_t *nest, uint32_t groups, bool exact) {
    uint64_t entries = 1;
    for (uint32_t g = 0; g < groups; g++) {
        uint64_t terms = nest[g];
        if (terms > TALLY_TABLE_MAX || (terms > TALLY_LANES && g > 0 && !exact))
            return 0;
        uint64_t times = tally_plan_parts(terms, TALLY_LANES);
        entries *= exact ? terms : times * tally_plan_power(terms, TALLY_LANES);
        if (entries > TALLY_TABLE_MAX)
            return 0;
    }
    return entries;
}

bool tally_plan_has_indices(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    return tally_plan_is_indexed(problem) && step->spec.first && args->terms > 1 &&
           args->index_scale == 0;
}

/* Entries that fit: half as many if each has an index too. */
static uint64_t fitting_entries(uint64_t entries, bool indices) {
    return entries <= TALLY_TABLE_MAX / (indices ? 2 : 1) ? entries : 0;
}

/* The same of the innermost swept groups. */
static uint64_t table_entries(const tally_problem *problem, uint32_t groups) {
    uint64_t nest[TALLY_NEST];
    for (uint32_t g = 0; g < groups; g++)
        nest[g] = group_terms(problem, g);
    const tally_dims terms = tally_fold_terms(problem, groups);
    uint64_t entries = tally_outputs_entries(nest, groups, tally_problem_is_exact(problem));
    return fitting_entries(entries,
                           tally_plan_is_indexed(problem) && tally_fold_index_scale(&terms) == 0);
}

/*
 * The least stride of the kept axes, or of so many groups' axes. That of an axis which repeats its
 * terms brings nothing nearer.
 */
static uint64_t least_stride(const tally_dims *dims, uint32_t lists) {
    uint64_t least = UINT64_MAX;
    for (uint32_t g = 0; g < lists; g++)
        for (uint32_t k = 0; k < dims[g].count; k++)
            least = dims[g].in[k] > 0 && dims[g].in[k] < least ? dims[g].in[k] : least;
    return least;
}

/*
 * Whether work-items that are neighbours read neighbours: outputs beside each other, or hardly any
 * elements apart, so that the terms between come with them; or terms that slices deal out one by
 * one, or few of them; or whether none are neighbours, as each element has a sector of its own.
 */
static bool reads_neighbours(const tally_problem *problem, uint32_t groups) {
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    uint64_t swept = least_stride(problem->swept, groups), terms = 1;
    const tally_dims *dealt = &problem->swept[tally_problem_is_exact(problem) ? 0 : groups - 1];
    for (uint32_t g = 0; g < groups; g++)
        terms *= group_terms(problem, g);
    uint64_t kept = least_stride(&problem->kept, 1);
    return kept < swept || kept <= TALLY_TABLE_NEAR || terms <= TALLY_TABLE_FEW ||
           (swept < UINT64_MAX && swept * bytes >= TALLY_SECTOR) ||
           (dealt->in[dealt->count - 1] == swept &&
            dealt->size[dealt->count - 1] >= TALLY_TABLE_FEW);
}

uint32_t tally_plan_nested(const tally_problem *problem, const tally_limits *limits) {
    uint32_t groups = problem->groups < TALLY_NEST ? problem->groups : TALLY_NEST;
    if (!tally_plan_has_wide_groups(limits) || problem->terms <= 1)
        return 1;
    bool rows = problem->swept[0].count == 1 && problem->swept[0].in[0] == 1;
    if (rows && group_terms(problem, 0) > TALLY_TABLE_FEW)
        return 1;
    while (groups > 1 &&
           (table_entries(problem, groups) == 0 || !reads_neighbours(problem, groups)))
        groups--;
    return groups > 0 ? groups : 1;
}

uint64_t tally_outputs_table(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    bool exact = tally_problem_is_exact(problem);
    uint32_t groups = 1;
    while (groups < TALLY_NEST && args->nest[groups] > 1)
        groups++;
    bool axes = step->spec.first && problem->groups > 0 && problem->swept[0].count > 1;
    return axes || (groups > 1 && !(exact && !step->spec.first))
               ? fitting_entries(tally_outputs_entries(args->nest, groups, exact),
                                 tally_plan_has_indices(problem, step))
               : 0;
}
