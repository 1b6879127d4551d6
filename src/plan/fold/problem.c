/*
 * The problem whose terms a fold's plan follows: where combining does not round, swept axes are
 * grouped as they lie in memory, and of an index each has the step that it adds. Of schedules it
 * knows whether one launch would do.
 */
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/axes.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/*
 * Where combining is exact, over several axes: bytes of an input that is small, and of one that is
 * not large, and terms of a long row.
 */
#define TALLY_ONE_GROUP_SMALL (UINT64_C(1) << 22)
#define TALLY_ONE_GROUP_MIDDLE (UINT64_C(1) << 24)
#define TALLY_ONE_GROUP_ROW 512

/*
 * The nearest of several swept axes, whose functions do not round, that has a launch of its own:
 * its terms, at least, and the columns that it goes down, at most.
 */
#define TALLY_STRIDED_TERMS 8
#define TALLY_STRIDED_COLUMNS 16

/* On a CPU the outermost of them has one where the nearest has at most so many terms, and it reads
 * at least so many times the bytes that it leaves, of an input that is not small. */
#define TALLY_OUTERMOST_TERMS 32
#define TALLY_OUTERMOST_READS 8

/*
 * Whether the nearest of several swept axes is folded better by a launch of its own: rows, or
 * narrow columns without a gap, that leave few states.
 */
static bool is_strided(const tally_problem *problem, const tally_dims *swept) {
    uint32_t k = swept->count - 1;
    uint64_t columns = swept->in[k];
    for (uint32_t i = 0; i < problem->kept.count; i++)
        if (problem->kept.size[i] > 1 && problem->kept.in[i] == 1)
            return problem->kept.size[i] == columns && columns <= TALLY_STRIDED_COLUMNS &&
                   swept->size[k] >= TALLY_STRIDED_TERMS;
    return columns == 1 && swept->size[k] >= TALLY_STRIDED_TERMS;
}

/*
 * All swept axes in the order of the input's memory; of an index, those that repeat their terms are
 * outermost.
 */
static tally_dims sorted_axes(const tally_problem *problem) {
    tally_dims all = tally_fold_terms(problem, problem->groups);
    bool indexed = tally_plan_is_indexed(problem);
    tally_dims_sort(&all, false);
    for (uint32_t k = 0; indexed && k < all.count && all.in[all.count - 1] == 0; k++)
        tally_dims_move(&all, all.count - 1, 0);
    tally_dims_merge(&all);
    return all;
}

static tally_dims one_axis(const tally_dims *axes, uint32_t k) {
    return (tally_dims){
        .count = 1, .size = {axes->size[k]}, .in = {axes->in[k]}, .out = {axes->out[k]}};
}

/* Elements that lie within the outermost swept axis one behind the other; 0: not so. */
static uint64_t packed_within(const tally_problem *problem, const tally_dims *swept) {
    tally_dims inner = problem->kept;
    uint64_t elements = 1;
    for (uint32_t k = 1; k < swept->count; k++)
        tally_dims_append(&inner, swept->size[k], swept->in[k], 0);
    tally_dims_sort(&inner, false);
    for (uint32_t k = inner.count; k-- > 0; elements *= inner.size[k])
        if (inner.size[k] > 1 && inner.in[k] != elements)
            return 0;
    return elements;
}

/*
 * Whether the outermost swept axis is folded better first, down columns that lie side by side: what
 * lies within it of all outputs, of whose nearest terms few lie one after the other.
 */
static bool are_columns(const tally_problem *problem, const tally_dims *swept) {
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    const uint64_t columns = packed_within(problem, swept), read = swept->size[0] * type->bytes;
    return !tally_plan_has_states(problem) && columns > 0 && swept->in[0] == columns &&
           swept->size[swept->count - 1] <= TALLY_OUTERMOST_TERMS &&
           read >= (uint64_t)TALLY_OUTERMOST_READS * type->compute_bytes &&
           columns * read >= TALLY_ONE_GROUP_SMALL;
}

/* All swept axes in the order of memory: one group, or two, the nearest or the outermost first. */
static void merge_groups(tally_problem *problem) {
    tally_dims all = sorted_axes(problem);
    const bool outermost = all.count > 1 && are_columns(problem, &all);
    problem->groups = 1;
    if (outermost || (all.count > 1 && is_strided(problem, &all))) {
        tally_dims_move(&all, outermost ? 0 : all.count - 1, all.count - 1);
        problem->swept[0] = one_axis(&all, --all.count);
        problem->swept[1] = all;
        problem->groups = 2;
        return;
    }
    problem->swept[0] = all;
}

/* A group for each swept axis, the closest in memory first. */
static void split_groups(tally_problem *problem) {
    const tally_dims all = sorted_axes(problem);
    problem->groups = all.count;
    for (uint32_t g = 0; g < all.count; g++)
        problem->swept[g] = one_axis(&all, all.count - 1 - g);
}

/* Whether kept elements lie closer than the terms of the nearest swept axis, a group each. */
static bool is_columns(const tally_problem *split) {
    for (uint32_t k = 0; k < split->kept.count; k++)
        if (split->kept.size[k] > 1 && split->kept.in[k] > 0 &&
            split->kept.in[k] < split->swept[0].in[0])
            return true;
    return false;
}

/* Whether the swept axes lie close to each other from the nearest on, for a line. */
static bool is_dense(const tally_problem *split) {
    uint64_t elements = split->swept[0].in[0];
    for (uint32_t g = 0; g < split->groups && split->swept[g].in[0] <= 4 * elements; g++)
        elements = split->swept[g].in[0] * split->swept[g].size[0];
    return elements * tally_dtype_find(split->input)->bytes >= TALLY_OUTPUTS_CACHE_LINE;
}

/* Whether rows of the nearest axis lie one after the other, so that launches load whole dwords. */
static bool is_packed(const tally_problem *split) {
    uint64_t row = split->swept[0].size[0];
    bool packed = false;
    for (uint32_t g = 1; g < split->groups; g++)
        packed = packed || split->swept[g].in[0] == row;
    for (uint32_t k = 0; k < split->kept.count; k++)
        packed = packed || split->kept.in[k] == row;
    return packed && split->swept[0].in[0] == 1;
}

/*
 * Whether swept axes had better be one group than a group each: it takes one launch, which works
 * out where each term lies, and its index. So it is where there is little to read; where terms lie
 * close to each other, if a launch more would count; else where they do, or where a group of some
 * would leave about as many bytes of states as it reads. Not if those of one axis are a long row by
 * themselves, nor narrow elements that launches load by dwords.
 */
static bool wants_one_group(const tally_problem *split) {
    uint32_t bytes = tally_dtype_find(split->input)->bytes;
    uint64_t all = tally_dims_elements(&split->kept) * split->terms * bytes;
    uint64_t nearest = split->swept[0].size[0], stride = split->swept[0].in[0] * bytes;
    bool is_piece = nearest * bytes >= TALLY_SECTOR / 2 && nearest * bytes < 2 * TALLY_SECTOR;
    bool is_middle = all <= TALLY_ONE_GROUP_MIDDLE && stride <= TALLY_SECTOR / 2;
    bool is_wide = bytes >= (is_middle ? 2 : 4) || !is_packed(split);
    if (all <= TALLY_ONE_GROUP_SMALL)
        return true;
    if (is_middle)
        return is_dense(split) && is_wide && (bytes >= 4 || nearest < TALLY_ONE_GROUP_ROW);
    return is_wide && nearest < TALLY_ONE_GROUP_ROW &&
           (is_dense(split) || (is_piece && bytes >= 4)) &&
           (stride <= TALLY_SECTOR / 4 || !is_columns(split));
}

/*
 * Whether the nearest axis had better wait: a launch of its own would leave many states, or its
 * terms have gaps, while as outputs they are read side by side.
 */
static bool wants_longest(const tally_problem *split) {
    const tally_dims *nearest = &split->swept[0];
    uint32_t bytes = tally_dtype_find(split->input)->bytes;
    return is_columns(split) ? nearest->size[0] * bytes < 2 * TALLY_SECTOR : nearest->in[0] > 1;
}

/* The longest axis first; the others stay in the order of memory. */
static void begin_with_longest(tally_problem *split) {
    uint32_t longest = 0;
    for (uint32_t g = 1; g < split->groups; g++)
        longest = split->swept[g].size[0] > split->swept[longest].size[0] ? g : longest;
    const tally_dims first = split->swept[longest];
    for (uint32_t g = longest; g > 0; g--)
        split->swept[g] = split->swept[g - 1];
    split->swept[0] = first;
}

/* Whether a launch finds the terms of the first group as it is. */
static bool is_found(const tally_problem *problem) {
    return problem->swept[0].count == 1 ||
           tally_dims_elements(&problem->swept[0]) <= TALLY_TABLE_MAX;
}

/*
 * Groups of an index, from a group for each axis: those that it has, if no axes of several are one
 * in memory; or the longest axis first, unless it would be folded together with others.
 */
static void group_indexed(tally_problem *problem, tally_problem *split,
                          const tally_limits *limits) {
    uint32_t axes = 0;
    for (uint32_t g = 0; g < problem->groups; g++)
        axes += problem->swept[g].count;
    if (split->groups == axes && is_found(problem))
        return;
    tally_problem longest = *split;
    if (wants_longest(split))
        begin_with_longest(&longest);
    if (tally_plan_nested(&longest, limits) == 1)
        *problem = longest;
    else if (!is_found(problem))
        *problem = *split;
}

/* A group for each swept axis, or one, in the order of memory either way; or an index's. */
static void group_axes(tally_problem *problem, const tally_limits *limits) {
    tally_problem split = *problem;
    bool indexed = tally_plan_is_indexed(problem);
    split_groups(&split);
    bool several = tally_plan_nested(&split, limits) < split.groups;
    if (several && wants_one_group(&split)) {
        problem->swept[0] = sorted_axes(problem);
        problem->groups = 1;
    } else if (several && indexed) {
        group_indexed(problem, &split, limits);
    } else {
        *problem = split;
    }
}

/*
 * On a CPU an index has its own groups, the nearest in the operator's order first. If another axis
 * is nearest in memory, it has a group for each axis, in that order. The longest axis comes first
 * if the nearest had better wait: it is short, so that many states would be left.
 */
static void group_indexed_on_cpu(tally_problem *problem) {
    tally_problem split = *problem;
    split_groups(&split);
    if (split.groups < 2)
        return;
    const tally_dims *own = &problem->swept[0];
    const uint64_t nearest = split.swept[0].size[0];
    const bool is_short = nearest * tally_dtype_find(split.input)->bytes < 2 * TALLY_SECTOR;
    if (is_short || wants_longest(&split)) {
        begin_with_longest(&split);
        if (split.swept[0].size[0] <= nearest)
            return;
    } else if (own->in[own->count - 1] == split.swept[0].in[0]) {
        return;
    }
    *problem = split;
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
    problem->count = problem->terms; /* which no such function asks for */
}

tally_problem tally_plan_fold_problem(const tally_problem *problem, const tally_limits *limits) {
    tally_problem one = *problem;
    const bool is_cpu = limits->family == TALLY_FAMILY_CPU;
    const bool indexed = tally_plan_is_indexed(problem);
    if (indexed)
        set_index_steps(&one);
    if (!is_cpu && !tally_plan_has_wide_groups(limits))
        return one;
    if (!tally_problem_is_exact(problem))
        return one;
    if (tally_monoid_find(problem->function)->state == TALLY_STATE_KEY && problem->terms > 0)
        drop_repeats(&one);
    if (one.groups == 0)
        return one;
    if (!is_cpu)
        group_axes(&one, limits);
    else if (indexed)
        group_indexed_on_cpu(&one);
    else
        merge_groups(&one);
    return one;
}
