/*
 * The problem whose terms a fold's plan follows: where joins do not round, swept axes are grouped
 * as they lie in memory, and of an index each has the step that it adds. Of schedules it knows
 * whether one launch would do.
 */
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold_axes.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/*
 * Whether the nearest of several swept axes is folded better by a launch of its own: rows, or
 * narrow columns without a gap, that leave few states.
 */
static bool is_apart(const tally_problem *problem, const tally_dims *swept) {
    uint32_t k = swept->count - 1;
    uint64_t columns = swept->in[k];
    for (uint32_t i = 0; i < problem->kept.count; i++)
        if (problem->kept.size[i] > 1 && problem->kept.in[i] == 1)
            return problem->kept.size[i] == columns && columns <= TALLY_APART_COLUMNS &&
                   swept->size[k] >= TALLY_APART_TERMS;
    return columns == 1 && swept->size[k] >= TALLY_APART_TERMS;
}

/*
 * All swept axes in the order of the input's memory; of an index, those that repeat their terms are
 * outermost.
 */
static tally_dims sorted_axes(const tally_problem *problem) {
    tally_dims all = tally_fold_terms(problem, problem->groups);
    bool indexed = tally_monoid_find(problem->function)->state == TALLY_STATE_INDEXED;
    tally_dims_sort(&all, false);
    for (uint32_t k = 0; indexed && k < all.count && all.in[all.count - 1] == 0; k++)
        tally_dims_move(&all, all.count - 1, 0);
    tally_dims_merge(&all);
    return all;
}

/* All swept axes in the order of the input's memory: one group, or two if the nearest is apart. */
static void merge_groups(tally_problem *problem) {
    tally_dims all = sorted_axes(problem);
    problem->groups = 1;
    if (all.count > 1 && is_apart(problem, &all)) {
        uint32_t k = --all.count;
        problem->groups = 2;
        problem->swept[1] = all;
        all = (tally_dims){.count = 1, .size = {all.size[k]}, .in = {all.in[k]}, .out = {0}};
    }
    problem->swept[0] = all;
}

/* A group for each swept axis, the closest in memory first. */
static void split_groups(tally_problem *problem) {
    const tally_dims all = sorted_axes(problem);
    problem->groups = all.count;
    for (uint32_t g = 0; g < all.count; g++) {
        uint32_t k = all.count - 1 - g;
        problem->swept[g] =
            (tally_dims){.count = 1, .size = {all.size[k]}, .in = {all.in[k]}, .out = {all.out[k]}};
    }
}

/*
 * Whether the swept axes, a group each, lie close to each other from the nearest on, for a line.
 * Roughly: also with a few kept elements or gaps in between.
 */
static bool is_dense(const tally_problem *split, bool roughly) {
    uint32_t bytes = tally_dtype_find(split->input)->bytes;
    uint64_t elements = split->swept[0].in[0], apart = roughly ? 4 : 2;
    bool near = roughly && elements * bytes <= TALLY_SECTOR / 2;
    for (uint32_t k = 0; !near && k < split->kept.count; k++)
        if (split->kept.size[k] > 1 && split->kept.in[k] > 0 && split->kept.in[k] < elements)
            return false;
    for (uint32_t g = 0; g < split->groups && split->swept[g].in[0] <= apart * elements; g++)
        elements = split->swept[g].in[0] * split->swept[g].size[0];
    return elements * bytes >= TALLY_OUTPUTS_LINE;
}

/*
 * Whether swept axes had better be one group than a group each: it takes one launch, which works
 * out where each term lies, and its index. So it is where there is little to read; where terms lie
 * close to each other, if a launch more would count; else where they are wide as well, unless those
 * of one axis are a long row by themselves.
 */
static bool wants_one_group(const tally_problem *split, const tally_limits *limits) {
    uint32_t bytes = tally_dtype_find(split->input)->bytes;
    uint64_t all = tally_dims_elements(&split->kept) * split->terms * bytes;
    if (split->groups < 2 || tally_plan_nested(split, limits) == split->groups)
        return false;
    if (all <= TALLY_ONE_GROUP_MIDDLE)
        return all <= TALLY_ONE_GROUP_SMALL || is_dense(split, true);
    return bytes >= 4 && split->swept[0].size[0] < TALLY_ONE_GROUP_ROW && is_dense(split, false);
}

/* A group for each swept axis, or one, in the order of memory either way. */
static void group_axes(tally_problem *problem, const tally_limits *limits) {
    tally_problem split = *problem;
    split_groups(&split);
    if (wants_one_group(&split, limits)) {
        problem->swept[0] = sorted_axes(problem);
        problem->groups = 1;
    } else {
        *problem = split;
    }
}

/* What a step along each swept axis adds to the index of a term, in place of the output's stride.
 */
static void set_index_steps(tally_problem *problem) {
    uint64_t step = 1;
    for (uint32_t g = 0; g < problem->groups; g++)
        for (uint32_t k = problem->swept[g].count; k-- > 0; step *= problem->swept[g].size[k])
            problem->swept[g].out[k] = step;
}

/* Without the swept axes that repeat their terms, which change no extreme. */
static void drop_repeats(tally_problem *problem) {
    uint32_t groups = 0;
    for (uint32_t g = 0; g < problem->groups; g++) {
        const tally_dims swept = problem->swept[g];
        tally_dims rest = {0};
        for (uint32_t k = 0; k < swept.count; k++)
            if (swept.in[k] == 0)
                problem->terms /= swept.size[k];
            else
                tally_dims_append(&rest, swept.size[k], swept.in[k], 0);
        if (rest.count > 0)
            problem->swept[groups++] = rest;
    }
    problem->groups = groups;
}

tally_problem tally_plan_fold_problem(const tally_problem *problem, const tally_limits *limits) {
    tally_problem one = *problem;
    const bool is_cpu = limits->family == TALLY_FAMILY_CPU;
    const tally_state state = tally_monoid_find(problem->function)->state;
    if (state == TALLY_STATE_INDEXED)
        set_index_steps(&one);
    if (is_cpu ? state == TALLY_STATE_INDEXED : !tally_plan_has_wide_groups(limits))
        return one;
    if (!tally_plan_is_exact(problem))
        return one;
    if (state == TALLY_STATE_KEY && problem->terms > 0)
        drop_repeats(&one);
    if (one.groups > 0 && is_cpu)
        merge_groups(&one);
    else if (one.groups > 0)
        group_axes(&one, limits);
    return one;
}
