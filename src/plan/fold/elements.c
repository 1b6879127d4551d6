/*
 * Which states are elements: of a type that has their bits, combined by a function that takes
 * elements as they are. So L2's sums of squares are folded by SUM up to the last launch, which has
 * to take the root.
 */
#include "plan/fold/elements.h"

#include <string.h>

#include "cl/core/order.h"
#include "model/dtype.h"
#include "model/monoid.h"

/* Terms of an output, at least, of which results may take a launch of their own. */
#define TALLY_END_TERMS 8

/* States that are worth kernels of their own: of fewer the launch takes less than its compiling. */
#define TALLY_ELEMENTS_MIN 65536

static bool is_same(const char *one, const char *other) {
    return strcmp(one, other) == 0;
}

/* The type that states of a function are stored as, 0 if there is none. */
static tally_dtype type_of_states(const tally_monoid *monoid, const tally_dtype_row *input) {
    const char *wanted = monoid->state == TALLY_STATE_VALUE ? input->compute : input->key;
    const tally_dtype_row *each;
    if (monoid->state != TALLY_STATE_VALUE && monoid->state != TALLY_STATE_KEY)
        return (tally_dtype)0;
    for (int type = 1; (each = tally_dtype_find((tally_dtype)type)) != NULL; type++)
        if (is_same(each->storage, wanted))
            return (tally_dtype)type;
    return (tally_dtype)0;
}

/* Whether results of the one type have the bits of those of the other. */
static bool has_bits_of(tally_dtype one, tally_dtype other) {
    const tally_dtype_row *a = tally_dtype_find(one), *b = tally_dtype_find(other);
    return one == other ||
           (a->bytes == b->bytes && a->class != TALLY_FLOATING && b->class != TALLY_FLOATING);
}

/* The function of elements that combines states of another one, 0 if there is none. */
static tally_function function_of_states(tally_function function, tally_dtype type, bool last) {
    const tally_monoid *of = tally_monoid_find(function), *each;
    if (of->state == TALLY_STATE_KEY || is_same(of->map, "x"))
        return (of->types & TALLY_BIT(type)) != 0 ? function : (tally_function)0;
    for (int one = 1; (each = tally_monoid_find((tally_function)one)) != NULL; one++)
        if (each->state == of->state && is_same(each->map, "x") &&
            is_same(each->finalize, last ? of->finalize : "a") &&
            is_same(each->combine, of->combine) && is_same(each->identity, of->identity) &&
            (each->types & TALLY_BIT(type)) != 0)
            return (tally_function)one;
    return (tally_function)0;
}

/* The function and the type as which a launch over states is a fold of elements. */
static bool find_fold(const tally_problem *problem, const tally_limits *limits, bool last,
                      tally_function *function, tally_dtype *type) {
    const tally_monoid *monoid = tally_monoid_find(problem->function);
    if (limits->family != TALLY_FAMILY_CPU)
        return false;
    *type = type_of_states(monoid, tally_dtype_find(problem->input));
    if (*type == 0)
        return false;
    /* A key becomes a value again as its own type's key only. */
    if (last && (monoid->state == TALLY_STATE_KEY ? *type != problem->input
                                                  : !has_bits_of(*type, problem->output)))
        return false;
    *function = function_of_states(problem->function, *type, last);
    return *function != 0;
}

/* Whether a launch over states is a fold of elements; last: it writes results. */
static bool are_elements(const tally_problem *problem, const tally_limits *limits, bool last) {
    tally_function function;
    tally_dtype type;
    return find_fold(problem, limits, last, &function, &type);
}

/* Whether states are worth it that are left when so many groups are folded, one of each output. */
static bool are_many(const tally_problem *problem, uint32_t folded) {
    uint64_t states = tally_dims_elements(&problem->kept);
    for (uint32_t g = folded; g < problem->groups; g++)
        states *= tally_dims_elements(&problem->swept[g]);
    return states >= TALLY_ELEMENTS_MIN;
}

/* Whether the states before a group, which has a block of terms, are the last ones. */
static bool is_last(const tally_problem *problem, uint32_t group) {
    return group + 1 == problem->groups && !problem->partial.to_states &&
           tally_dims_elements(&problem->swept[group]) <= TALLY_BLOCK;
}

bool tally_fold_has_end_launch(const tally_problem *problem, const tally_limits *limits,
                               uint32_t group) {
    return group > 0 && is_last(problem, group) && are_many(problem, group) &&
           tally_dims_elements(&problem->swept[group]) >= TALLY_END_TERMS &&
           !are_elements(problem, limits, true) && are_elements(problem, limits, false);
}

tally_states_order tally_fold_states_order(const tally_problem *problem, const tally_limits *limits,
                                           uint32_t folded) {
    if (tally_plan_has_wide_groups(limits))
        return TALLY_STATES_FEW_IN_ROWS;
    if (folded >= problem->groups)
        return tally_fold_has_end_launch(problem, limits, folded - 1) ? TALLY_STATES_AS_READ
                                                                      : TALLY_STATES_IN_ROWS;
    return are_many(problem, folded) && (tally_fold_has_end_launch(problem, limits, folded) ||
                                         are_elements(problem, limits, is_last(problem, folded)))
               ? TALLY_STATES_AS_READ
               : TALLY_STATES_IN_ROWS;
}

bool tally_fold_plan_elements(const tally_problem *problem, const tally_limits *limits,
                              tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    tally_problem of = *problem;
    tally_step fold = *step;
    if (args->outputs * args->terms < TALLY_ELEMENTS_MIN ||
        !find_fold(problem, limits, step->spec.last, &of.function, &of.input))
        return false;
    of.output = step->spec.last ? problem->output : of.input;
    of.groups = 1;
    of.terms = args->terms;
    of.swept[0] = (tally_dims){
        .count = 1, .size = {args->terms}, .in = {args->swept_in[step->spec.swept_rank - 1]}};
    of.partial = (tally_partial){0};
    fold.spec.function = (uint8_t)of.function;
    fold.spec.input = (uint8_t)of.input;
    fold.spec.first = 1;
    tally_plan_fold_schedule(&of, limits, &fold);
    if (fold.spec.schedule == TALLY_FOLD_CPU_ROWS)
        return false;
    *step = fold;
    return true;
}
