/*
 * What the three kinds of problem share: options and extents.
 */
#include "model/problem.h"

#include "model/dtype.h"
#include "model/monoid.h"
#include "model/tensor.h"

tally_status tally_problem_set_options(tally_problem *problem, tally_tie tie, tally_nan nan,
                                       tally_error *error) {
    if (tie != TALLY_TIE_FIRST && tie != TALLY_TIE_LAST)
        return tally_fail(error, TALLY_INVALID, "tie %d is neither TALLY_TIE_FIRST nor _LAST",
                          (int)tie);
    if (nan != TALLY_NAN_PROPAGATE && nan != TALLY_NAN_IGNORE)
        return tally_fail(error, TALLY_INVALID, "nan %d is neither TALLY_NAN_PROPAGATE nor _IGNORE",
                          (int)nan);
    tally_state state = tally_monoid_find(problem->function)->state;
    bool ordered = state == TALLY_STATE_KEY || state == TALLY_STATE_INDEXED;
    bool floating = tally_dtype_find(problem->input)->class == TALLY_FLOATING;
    problem->tie = state == TALLY_STATE_INDEXED ? tie : TALLY_TIE_FIRST;
    problem->nan = ordered && floating ? nan : TALLY_NAN_PROPAGATE;
    return TALLY_OK;
}

void tally_problem_set_extents(tally_problem *problem, const tally_tensor *input,
                               const tally_tensor *output) {
    problem->output_extent = tally_tensor_extent(output);
    problem->input_extent = input != NULL ? tally_tensor_extent(input) : 0;
    problem->has_input = problem->input_extent > 0;
}

uint32_t tally_problem_state_bytes(const tally_problem *problem) {
    return tally_monoid_state_bytes(problem->function, problem->input, sizeof(uint64_t));
}

uint32_t tally_problem_carry_bytes(const tally_problem *problem) {
    return problem->partial.has_carry ? tally_problem_state_bytes(problem) : 0;
}

uint32_t tally_problem_input_bytes(const tally_problem *problem) {
    return problem->partial.from_states ? tally_problem_state_bytes(problem)
                                        : tally_dtype_find(problem->input)->bytes;
}

uint32_t tally_problem_output_bytes(const tally_problem *problem) {
    return problem->partial.to_states ? tally_problem_state_bytes(problem)
                                      : tally_dtype_find(problem->output)->bytes;
}

bool tally_problem_is_exact(const tally_problem *problem) {
    return tally_monoid_is_exact(problem->function, problem->input);
}

bool tally_problem_same_layout(const tally_tensor *input, const tally_tensor *output) {
    for (uint32_t k = 0; k < input->rank; k++)
        if (input->size[k] != 1 && input->stride[k] != output->stride[k])
            return false;
    return true;
}
