/*
 * The combining of states: a problem whose input has the states of all parts, packed state by
 * state. A reduction's results, or what comes before a scan's next part, are its output.
 */
#include <inttypes.h>

#include "model/parts/part.h"
#include "model/parts/tensors.h"

/* Refuse a number of states that parts of the cut cannot have together. */
static tally_status check_states(const tally_cut *cut, uint64_t states, tally_error *error) {
    const uint64_t all = tally_part_states(cut, 0, cut->size);
    const bool totals = cut->kind == TALLY_CUT_TOTALS;
    uint64_t least = all, most = all;
    if (cut->kind == TALLY_CUT_RESULTS)
        return tally_fail(error, TALLY_INVALID,
                          "the cut along axis %" PRIu32 " gives results, so there are no states",
                          cut->axis);
    if (cut->grain == 0 && all > 0)
        most = cut->size; /* one of each part */
    if (totals) {
        least = 1;
        most = most > 0 ? most : 1;
    }
    if (states >= least && states <= most)
        return TALLY_OK;
    if (least == most)
        return tally_fail(error, TALLY_INVALID,
                          "%" PRIu64 " states are to be combined, but the parts of this cut have "
                          "%" PRIu64 " together",
                          states, most);
    return tally_fail(error, TALLY_INVALID,
                      "%" PRIu64 " states are to be combined, but the parts of this cut have "
                      "%" PRIu64 " to %" PRIu64 " together",
                      states, least, most);
}

/* The states of each line that are combined: states of each line, the lines side by side. */
static void set_combined(const tally_cut *cut, uint64_t states, tally_problem *problem) {
    problem->partial.from_states = true;
    problem->groups = states > 1 ? 1 : 0;
    problem->swept[0] = (tally_dims){0};
    tally_dims_append(&problem->swept[0], states, cut->lines, 0);
    problem->terms = states;
    problem->input_extent = states * cut->lines;
    problem->has_input = problem->input_extent > 0;
    problem->in_place = false;
}

/* The kept axes of the whole's output, as states of their lines lie. */
static void set_lines(const tally_tensor *output, uint32_t swept, tally_problem *problem) {
    tally_tensor lines = *output;
    tally_pack_axes(&lines, tally_all_axes(output) & ~swept, 1);
    problem->kept = (tally_dims){0};
    for (uint32_t k = 0; k < output->rank; k++)
        if ((swept >> k & 1u) == 0)
            tally_dims_append(&problem->kept, output->size[k], lines.stride[k], output->stride[k]);
    tally_dims_merge(&problem->kept);
}

/* A state of each line, side by side. */
static void set_one_state(const tally_cut *cut, tally_problem *problem) {
    problem->kept = (tally_dims){0};
    tally_dims_append(&problem->kept, cut->lines, 1, 1);
    problem->partial.to_states = true;
    problem->partial.states = 1;
    problem->output_extent = cut->lines;
}

tally_status tally_part_combine(const tally_whole *whole, const tally_cut *cut, uint64_t states,
                                tally_problem *problem, tally_error *error) {
    tally_status status = check_states(cut, states, error);
    if (status != TALLY_OK)
        return status;
    *problem = whole->problem;
    if (cut->kind == TALLY_CUT_STATES) {
        set_combined(cut, states, problem);
        set_lines(&whole->output, whole->swept, problem);
        return TALLY_OK;
    }
    if (tally_problem_is_exact(&whole->problem))
        problem->kind = TALLY_KIND_FOLD;
    problem->descending = problem->exclusive = false;
    problem->count = states;
    set_combined(cut, states, problem);
    set_one_state(cut, problem);
    return TALLY_OK;
}
