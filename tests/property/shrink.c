/*
 * shrink.c: the changes, a function each, and going round them. Every change keeps a legal problem
 * legal, or says that it can't be made.
 */
#include "shrink.h"

#include "programs.h"

/* ---- The description as a whole -------------------------------------------------------------- */

static bool clear(uint32_t *value) {
    const bool was_set = *value != 0;
    *value = 0;
    return was_set;
}

static bool lower(bool *value) {
    const bool was_set = *value;
    *value = false;
    return was_set;
}

static bool leave_position(problem *it) {
    return lower(&it->how.in_place);
}

static bool pack_output(problem *it) {
    return !it->how.in_place && clear(&problem_output(it)->flags);
}

static bool pack_input(problem *it) {
    tally_tensor *input = problem_input(it);
    return !it->how.in_place && input != NULL && clear(&input->flags);
}

static bool pack_both(problem *it) {
    tally_tensor *input = problem_input(it);
    return input != NULL && clear(&problem_output(it)->flags) && clear(&input->flags);
}

static bool drop_input_offset(problem *it) {
    return clear(&it->how.input_offset);
}

static bool drop_output_offset(problem *it) {
    return clear(&it->how.output_offset);
}

static bool drop_input(problem *it) {
    return it->kind == PROBLEM_DIAGONAL && !it->how.in_place && lower(&it->has_input);
}

static bool take_plain_values(problem *it) {
    const bool changed = it->how.values != VALUES_SMALL;
    it->how.values = VALUES_SMALL;
    return changed;
}

static bool take_first_tie(problem *it) {
    const bool changed = it->kind == PROBLEM_REDUCE && it->reduce.tie != TALLY_TIE_FIRST;
    it->reduce.tie = TALLY_TIE_FIRST;
    return changed;
}

static bool propagate_nan(problem *it) {
    tally_nan *nan = it->kind == PROBLEM_REDUCE ? &it->reduce.nan : &it->cumulative.nan;
    const bool changed = it->kind != PROBLEM_DIAGONAL && *nan != TALLY_NAN_PROPAGATE;
    *nan = TALLY_NAN_PROPAGATE;
    return changed;
}

static bool ascend(problem *it) {
    return it->kind == PROBLEM_CUMULATIVE && lower(&it->cumulative.descending);
}

static bool include(problem *it) {
    return it->kind == PROBLEM_CUMULATIVE && lower(&it->cumulative.exclusive);
}

/* Towards 0, and from the ends of int64_t at one stroke to where a matrix is. */
static bool move(int64_t *bound) {
    const int64_t was = *bound;
    *bound = was > 1000 ? 1000 : was < -1000 ? -1000 : was / 2;
    return *bound != was;
}

static bool move_begin(problem *it) {
    return it->kind == PROBLEM_DIAGONAL && move(&it->diagonal.begin);
}

static bool move_end(problem *it) {
    return it->kind == PROBLEM_DIAGONAL && move(&it->diagonal.end);
}

/* ---- An axis --------------------------------------------------------------------------------- */

static void remove_axis(tally_tensor *tensor, uint32_t axis) {
    tensor->rank--;
    for (uint32_t k = axis; k < tensor->rank; k++) {
        tensor->size[k] = tensor->size[k + 1];
        tensor->stride[k] = tensor->stride[k + 1];
    }
}

/* A scan keeps its axis, a fill its rows and columns. */
static bool drop_axis(problem *it, uint32_t axis) {
    tally_tensor *input = problem_input(it), *output = problem_output(it);
    const uint32_t below = (1u << axis) - 1;
    if (it->kind == PROBLEM_CUMULATIVE && axis == it->cumulative.axis)
        return false;
    if (it->kind == PROBLEM_DIAGONAL && axis + 2 >= output->rank)
        return false;
    it->reduce.axes = (it->reduce.axes & below) | (it->reduce.axes >> 1 & ~below);
    it->cumulative.axis -= axis < it->cumulative.axis;
    if (input != NULL)
        remove_axis(input, axis);
    remove_axis(output, axis);
    return true;
}

/* Smaller sizes never let strides collide that did not before. */
static bool set_size(problem *it, uint32_t axis, uint64_t size) {
    tally_tensor *input = problem_input(it), *output = problem_output(it);
    const bool swept = it->kind == PROBLEM_REDUCE && (it->reduce.axes >> axis & 1) != 0;
    const uint64_t was = input != NULL ? input->size[axis] : output->size[axis];
    if (size >= was)
        return false;
    if (input != NULL)
        input->size[axis] = size;
    if (!swept)
        output->size[axis] = size;
    return true;
}

static uint64_t size_of(problem *it, uint32_t axis) {
    const tally_tensor *input = problem_input(it);
    return input != NULL ? input->size[axis] : problem_output(it)->size[axis];
}

static bool set_size_1(problem *it, uint32_t axis) {
    return set_size(it, axis, 1);
}

static bool halve_size(problem *it, uint32_t axis) {
    const uint64_t size = size_of(it, axis);
    return size > 1 && set_size(it, axis, (size + 1) / 2);
}

static bool decrease_size(problem *it, uint32_t axis) {
    const uint64_t size = size_of(it, axis);
    return size > 1 && set_size(it, axis, size - 1);
}

/* ---- Going round ----------------------------------------------------------------------------- */

/* Of the whole or of an axis, those that leave least behind first. */
static const struct {
    bool (*whole)(problem *it); /* true if it changed something */
    bool (*axis)(problem *it, uint32_t axis);
} changes[] = {
    {pack_both, NULL},   {NULL, drop_axis},         {NULL, set_size_1},
    {NULL, halve_size},  {leave_position, NULL},    {pack_input, NULL},
    {pack_output, NULL}, {drop_input_offset, NULL}, {drop_output_offset, NULL},
    {drop_input, NULL},  {take_first_tie, NULL},    {propagate_nan, NULL},
    {ascend, NULL},      {include, NULL},           {move_begin, NULL},
    {move_end, NULL},    {take_plain_values, NULL}, {NULL, decrease_size},
};

static bool apply(size_t change, problem *it, uint32_t axis) {
    return changes[change].whole != NULL ? changes[change].whole(it)
                                         : changes[change].axis(it, axis);
}

/* Try a change, on each axis there is, the last first; the first that leaves a failure is kept. */
static bool try_change(size_t change, problem *it, uint32_t *tries,
                       bool (*fails)(const problem *it)) {
    programs needed;
    uint32_t axis = changes[change].axis != NULL ? problem_output(it)->rank : 1;
    while (axis-- > 0 && *tries > 0) {
        problem smaller = *it;
        if (!apply(change, &smaller, axis) || !programs_of(&smaller, &needed))
            continue;
        --*tries;
        if (fails(&smaller)) {
            *it = smaller;
            return true;
        }
    }
    return false;
}

uint32_t shrink(problem *it, bool (*fails)(const problem *it)) {
    uint32_t tries = SHRINK_TRIES, taken = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
            while (try_change(k, it, &tries, fails)) {
                changed = true;
                taken++;
            }
        }
    }
    return taken;
}
