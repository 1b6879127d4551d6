/*
 * The scans of the fixed set: functions, layouts and the ways to go along an axis. Sums and
 * maxima of float32 go every way over all but the longest, the others one of them by turns. Knows
 * no device.
 */
#include "cli/verify/set/parts.h"

static const verify_function functions[] = {
#define CLI_SCAN(enumerator, name, values, number)                                                 \
    [number] = {TALLY_##enumerator, "scan_" #name, VERIFY_VALUES_##values},
#include "cli/tables/functions.def"
};

static const verify_extra extras[] = {
    {TALLY_SUM, TALLY_F16, &verify_layouts_scan_ranked},
    {TALLY_SUM, TALLY_F16, &verify_layouts_scan_long},
    {TALLY_SUM, TALLY_F32, &verify_layouts_scan_ranked},
    {TALLY_SUM, TALLY_F32, &verify_layouts_scan_long},
    {TALLY_MAX, TALLY_F32, &verify_layouts_scan_ranked},
    {TALLY_SUM, TALLY_F64, &verify_layouts_scan_ranked},
    {TALLY_SUM, TALLY_F64, &verify_layouts_scan_long},
    {TALLY_MIN, TALLY_I8, &verify_layouts_scan_ranked},
    {TALLY_MAX, TALLY_I8, &verify_layouts_scan_long},
    {TALLY_SUM, TALLY_I64, &verify_layouts_scan_ranked},
    {TALLY_SUM, TALLY_I64, &verify_layouts_scan_long},
};

typedef struct way {
    bool descending, exclusive, in_place;
} way;

static const way ways[] = {
    {false, false, false}, {true, false, false}, {false, true, false},
    {true, true, false},   {false, false, true}, {true, true, true},
};
#define WAYS VERIFY_COUNT(ways)

/* What a problem is before it is described. */
typedef struct choice {
    const verify_layout *shape;
    way way;
    tally_nan nan;
} choice;

/* In place input and output are one tensor, which is an output's. */
static bool fits_in_place(const verify_layout *shape) {
    return shape->in == shape->out && shape->in != REPEAT_OUTER && shape->in != REPEAT_INNER &&
           shape->skip == 0;
}

/* Not in step with the turns of the values, so that ways and values meet. */
static way way_of(const verify_group *group, size_t layout) {
    return ways[(layout + layout / VERIFY_PALETTE + 5 * (size_t)group->dtype +
                 (size_t)group->function) %
                WAYS];
}

/* Where what rounds and what does not meet every way. */
static bool goes_every_way(const verify_group *group) {
    return group->dtype == TALLY_F32 &&
           (group->function == TALLY_SUM || group->function == TALLY_MAX);
}

/* The problem at *index of a list's; else *index is less by their number. */
static bool choose(const verify_group *group, const verify_layout_list *list, size_t *index,
                   choice *chosen) {
    const bool every_way = goes_every_way(group) && list != &verify_layouts_scan_long;
    for (size_t i = 0; i < list->count; i++) {
        const bool in_place = fits_in_place(&list->layouts[i]);
        for (size_t k = 0; k < (every_way ? WAYS : 1); k++) {
            chosen->way = every_way ? ways[k] : way_of(group, i);
            if (every_way && chosen->way.in_place && !in_place)
                continue;
            chosen->way.in_place = chosen->way.in_place && in_place;
            chosen->shape = &list->layouts[i];
            if ((*index)-- == 0)
                return true;
        }
    }
    return false;
}

/* The common layouts, then what this group has besides, then those where NaN is ignored. */
static bool choose_any(const verify_group *group, size_t index, choice *chosen) {
    bool found = choose(group, &verify_layouts_scans, &index, chosen);
    for (size_t i = 0; i < VERIFY_COUNT(extras) && !found; i++)
        if (extras[i].function == group->function && extras[i].dtype == group->dtype)
            found = choose(group, extras[i].list, &index, chosen);
    if (found || cli_function_find(group->function).options == CLI_PLAIN ||
        !cli_type_is_float(group->dtype))
        return found;
    chosen->nan = TALLY_NAN_IGNORE;
    return choose(group, &verify_layouts_scan_few, &index, chosen);
}

static bool problem_at(const verify_group *group, size_t index, verify_problem *problem) {
    choice chosen = {.nan = TALLY_NAN_PROPAGATE};
    tally_cumulative *desc = &problem->scan;
    if (!choose_any(group, index, &chosen))
        return false;
    problem->values = verify_values_of(functions[group->row].values, group, chosen.shape, index);
    verify_set_tensors(group, chosen.shape, problem);
    verify_set_memory(chosen.shape, problem);
    problem->in_place = chosen.way.in_place;
    desc->struct_size = (uint32_t)sizeof *desc;
    desc->function = group->function;
    desc->input = problem->input;
    desc->output = problem->output;
    while ((chosen.shape->axes >> desc->axis & 1) == 0)
        desc->axis++;
    desc->descending = chosen.way.descending;
    desc->exclusive = chosen.way.exclusive;
    desc->nan = chosen.nan;
    verify_name_sizes(chosen.shape, problem);
    verify_name_axes(chosen.shape, problem);
    verify_name_positions(chosen.shape, problem);
    verify_name(problem, "%s%s%s%s", desc->descending ? " descending" : "",
                desc->exclusive ? " exclusive" : "", problem->in_place ? " in-place" : "",
                desc->nan == TALLY_NAN_IGNORE ? " nan-ignore" : "");
    return true;
}

const verify_kind_row verify_kind_scan = {functions, VERIFY_COUNT(functions), "scan_total", true,
                                          problem_at};
