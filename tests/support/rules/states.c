/*
 * states.c: launches over states, and which of them fold these as elements: of what function and
 * type, worked out from what docs/architecture.md says of them.
 */
#include "model/dtype.h"

#include "parts.h"
#include "support/numbers/number.h"

bool plan_rules_reads_states(const tally_problem *problem, const tally_step *step) {
    return problem->kind == TALLY_KIND_FOLD &&
           (step->source == TALLY_IN_SCRATCH || problem->partial.from_states);
}

/* The type of a state's bits: integers of keys, numbers of sums and products. */
static tally_dtype type_of_states(tally_function function, tally_dtype input) {
    const bool key = function == TALLY_MIN || function == TALLY_MAX;
    const bool wide = number_bytes(input) == 8;
    const tally_class class = tally_dtype_find(input)->class;
    if (class == TALLY_FLOATING)
        return key ? wide ? TALLY_I64 : TALLY_I32 : wide ? TALLY_F64 : TALLY_F32;
    return key && class == TALLY_SIGNED ? wide ? TALLY_I64 : TALLY_I32
           : wide                       ? TALLY_U64
                                        : TALLY_U32;
}

bool plan_rules_needs_end(const tally_problem *problem) {
    const tally_dtype type = type_of_states(problem->function, problem->input);
    const bool is_float = tally_dtype_find(problem->input)->class == TALLY_FLOATING;
    if (problem->function == TALLY_MIN || problem->function == TALLY_MAX)
        return type != problem->input;
    return problem->function == TALLY_L2 || number_bytes(problem->input) < 4 ||
           (is_float && type != problem->input);
}

const char *plan_rules_fold_of_states(const tally_problem *problem, const tally_step *step) {
    const tally_function function = problem->function;
    const tally_spec *spec = &step->spec;
    const bool squares =
        function == TALLY_L1 || function == TALLY_L2 || function == TALLY_SUM_SQUARE;
    if (function == TALLY_ARGMIN || function == TALLY_ARGMAX || function == TALLY_LOG_SUM_EXP)
        return "pairs are no elements";
    if (!plan_rules_is_for_cpus(spec->schedule))
        return "CPUs alone fold states as elements";
    if (spec->function != (squares ? TALLY_SUM : function) ||
        spec->input != type_of_states(function, problem->input))
        return "states are folded by the function that adds them, as the numbers that they are";
    return spec->last && plan_rules_needs_end(problem)
               ? "a fold of states as elements has the problem's results, or leaves states"
               : NULL;
}
