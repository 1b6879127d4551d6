/*
 * The fixed set: kinds of problems, each with its functions, times types, in order. Knows no
 * device.
 */
#include "cli/verify/set/set.h"

#include <string.h>

#include "cli/verify/set/parts.h"

/* ---- Functions and types ------------------------------------------------------------------- */

static const verify_kind_row *const kinds[VERIFY_KINDS] = {[VERIFY_REDUCE] = &verify_kind_reduce,
                                                           [VERIFY_SCAN] = &verify_kind_scan,
                                                           [VERIFY_FILL] = &verify_kind_fill};

static bool takes(const verify_function *function, const cli_type *type) {
    return type->in_set && function->values != NULL &&
           type->class <= cli_function_find(function->function).types;
}

/* The index-th of a kind; else *index is less by the number of its groups. */
static bool group_of_kind(verify_kind kind, size_t *index, verify_group *group) {
    const verify_kind_row *row = kinds[kind];
    for (size_t t = 0; t < cli_type_count; t++) {
        for (size_t f = 0; f < row->count; f++) {
            if (!takes(&row->functions[f], &cli_types[t]) || (*index)-- != 0)
                continue;
            *group = (verify_group){.kind = kind,
                                    .row = (uint32_t)f,
                                    .function = row->functions[f].function,
                                    .dtype = cli_types[t].dtype,
                                    .function_name = row->functions[f].name,
                                    .dtype_name = cli_types[t].name,
                                    .total_name = row->total_name,
                                    .needs_f64 = row->needs_f64 && cli_types[t].dtype == TALLY_F64};
            return true;
        }
    }
    return false;
}

bool verify_group_at(size_t index, verify_group *group) {
    for (verify_kind kind = VERIFY_REDUCE; kind < VERIFY_KINDS; kind++)
        if (group_of_kind(kind, &index, group))
            return true;
    return false;
}

bool verify_problem_at(const verify_group *group, size_t index, verify_problem *problem) {
    memset(problem, 0, sizeof *problem);
    problem->kind = group->kind;
    return kinds[group->kind]->problem_at(group, index, problem);
}
