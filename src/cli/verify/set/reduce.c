/*
 * The reductions of the fixed set: functions with the values that suit them, layouts and options,
 * multiplied in order. Knows no device.
 */
#include "cli/verify/set/parts.h"

/* ---- Functions ----------------------------------------------------------------------------- */

static const verify_function functions[] = {
#define CLI_FUNCTION(enumerator, name, types, options, values, ...)                                \
    {TALLY_##enumerator, #name, VERIFY_VALUES_##values},
#include "cli/tables/functions.def"
};

static const verify_extra extras[] = {
    {TALLY_AVERAGE, TALLY_F16, &verify_layouts_ranked},
    {TALLY_SUM, TALLY_F16, &verify_layouts_large},
    {TALLY_ARGMAX, TALLY_F32, &verify_layouts_ranked},
    {TALLY_ARGMAX, TALLY_F32, &verify_layouts_large},
    {TALLY_LOG_SUM_EXP, TALLY_F32, &verify_layouts_ranked},
    {TALLY_LOG_SUM_EXP, TALLY_F32, &verify_layouts_large},
    {TALLY_SUM, TALLY_F32, &verify_layouts_ranked},
    {TALLY_SUM, TALLY_F32, &verify_layouts_large},
    {TALLY_SUM, TALLY_F64, &verify_layouts_ranked},
    {TALLY_SUM, TALLY_F64, &verify_layouts_repeated},
    {TALLY_MAX, TALLY_I8, &verify_layouts_ranked},
    {TALLY_MAX, TALLY_I8, &verify_layouts_large},
    {TALLY_SUM, TALLY_I64, &verify_layouts_ranked},
    {TALLY_SUM, TALLY_I64, &verify_layouts_repeated},
};

/* ---- Problems ------------------------------------------------------------------------------ */

/* An index has 64 bits if it is of the largest, 32 if of the smallest; a sign by turns. */
static tally_dtype output_type(const verify_group *group, size_t index) {
    if (group->function == TALLY_ARGMAX)
        return index % 2 == 0 ? TALLY_I64 : TALLY_U64;
    if (group->function == TALLY_ARGMIN)
        return index % 2 == 0 ? TALLY_I32 : TALLY_U32;
    return group->dtype;
}

/* The index-th of its group, with the options that are chosen already. */
static void describe(const verify_group *group, const verify_layout *shape, size_t index,
                     verify_problem *problem) {
    tally_reduce *desc = &problem->reduce;
    problem->values = verify_values_of(functions[group->row].values, group, shape, index);
    verify_set_tensors(group, shape, problem);
    problem->output.dtype = output_type(group, index);
    for (uint32_t k = 0; k < shape->rank; k++)
        if ((shape->axes >> k & 1) != 0)
            problem->output.size[k] = 1;
    verify_arrange(&problem->output, shape->out);
    desc->struct_size = (uint32_t)sizeof *desc;
    desc->function = group->function;
    desc->axes = shape->axes;
    desc->input = problem->input;
    desc->output = problem->output;
    verify_set_memory(shape, problem);
    verify_name_sizes(shape, problem);
    verify_name_axes(shape, problem);
    verify_name_positions(shape, problem);
    verify_name(problem, "%s%s", desc->tie == TALLY_TIE_LAST ? " tie-last" : "",
                desc->nan == TALLY_NAN_IGNORE ? " nan-ignore" : "");
}

/* An index of nothing is refused: those layouts are left out. */
static bool is_legal(const verify_group *group, const verify_layout *shape) {
    bool empty = false;
    for (uint32_t k = 0; k < shape->rank; k++)
        empty = empty || (shape->size[k] == 0 && (shape->axes >> k & 1) != 0);
    return !empty || !cli_function_is_index(group->function);
}

/* The layout at *index of those that are legal; else *index is less by their number. */
static const verify_layout *layout_at(const verify_group *group, const verify_layout_list *list,
                                      size_t *index) {
    for (size_t i = 0; i < list->count; i++)
        if (is_legal(group, &list->layouts[i]) && (*index)-- == 0)
            return &list->layouts[i];
    return NULL;
}

/* The layouts without options: the common ones, then what this group has besides. */
static const verify_layout *plain_at(const verify_group *group, size_t *index) {
    const verify_layout *found = layout_at(group, &verify_layouts_common, index);
    for (size_t i = 0; i < VERIFY_COUNT(extras) && found == NULL; i++)
        if (extras[i].function == group->function && extras[i].dtype == group->dtype)
            found = layout_at(group, extras[i].list, index);
    return found;
}

/* The layouts with options: of each combination that bears on the function and the type. */
static const verify_layout *optional_at(const verify_group *group, size_t *index,
                                        tally_reduce *desc) {
    static const struct {
        tally_tie tie;
        tally_nan nan;
    } combinations[] = {{TALLY_TIE_LAST, TALLY_NAN_PROPAGATE},
                        {TALLY_TIE_FIRST, TALLY_NAN_IGNORE},
                        {TALLY_TIE_LAST, TALLY_NAN_IGNORE}};
    const cli_options takes = cli_function_find(group->function).options;
    const bool floating = cli_type_is_float(group->dtype);
    const verify_layout *found = NULL;
    for (size_t i = 0; i < VERIFY_COUNT(combinations) && found == NULL; i++) {
        desc->tie = combinations[i].tie;
        desc->nan = combinations[i].nan;
        if ((desc->nan == TALLY_NAN_IGNORE && (!floating || takes == CLI_PLAIN)) ||
            (desc->tie == TALLY_TIE_LAST && takes != CLI_INDEXED))
            continue;
        found = group->dtype == TALLY_F32 ? layout_at(group, &verify_layouts_optional, index)
                                          : layout_at(group, &verify_layouts_few, index);
    }
    return found;
}

static bool problem_at(const verify_group *group, size_t index, verify_problem *problem) {
    size_t left = index;
    const verify_layout *shape = plain_at(group, &left);
    if (shape == NULL)
        shape = optional_at(group, &left, &problem->reduce);
    if (shape != NULL)
        describe(group, shape, index, problem);
    return shape != NULL;
}

const verify_kind_row verify_kind_reduce = {functions, VERIFY_COUNT(functions), "total", true,
                                            problem_at};
