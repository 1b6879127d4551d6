/*
 * The fills of the fixed set: bands of matrices, with an input and of zeros. They do no arithmetic:
 * any bits of an input and of a value come out as they are. Knows no device.
 */
#include <inttypes.h>

#include "cli/verify/set/parts.h"

static const verify_palette palette = {VERIFY_SPECIAL,  VERIFY_MIXED,   VERIFY_WIDE, VERIFY_TIES,
                                       VERIFY_DENORMAL, VERIFY_SPECIAL, VERIFY_HUGE, VERIFY_RARE};

enum { OF_INPUT, OF_ZEROS };
static const verify_function functions[] = {
    [OF_INPUT] = {TALLY_FUNCTION_NONE, "fill_input", &palette},
    [OF_ZEROS] = {TALLY_FUNCTION_NONE, "fill_zeros", &palette},
};

/* Values are elements of a class far behind those of inputs, one for each problem. */
#define FIRST_VALUE ((uint64_t)1 << 40)

/* What differs in the input only is nothing of its own without one. */
static bool concerns(const verify_group *group, const verify_band *band) {
    return group->row == OF_INPUT ||
           (band->shape.in == PACKED && band->shape.skip == 0 && !band->in_place);
}

static const verify_band *band_at(const verify_group *group, size_t index) {
    for (size_t i = 0; i < verify_bands.count; i++)
        if (concerns(group, &verify_bands.bands[i]) && index-- == 0)
            return &verify_bands.bands[i];
    return NULL;
}

static bool problem_at(const verify_group *group, size_t index, verify_problem *problem) {
    const verify_band *band = band_at(group, index);
    tally_diagonal *desc = &problem->fill;
    if (band == NULL)
        return false;
    problem->values = verify_values_of(&palette, group, &band->shape, index);
    verify_set_tensors(group, &band->shape, problem);
    verify_set_memory(&band->shape, problem);
    problem->has_input = group->row == OF_INPUT;
    problem->in_place = band->in_place;
    desc->struct_size = (uint32_t)sizeof *desc;
    desc->output = problem->output;
    desc->value.u64 = verify_value(group->dtype, problem->values, FIRST_VALUE + index);
    desc->begin = band->begin;
    desc->end = band->end;
    verify_name_sizes(&band->shape, problem);
    verify_name(problem, " {%" PRId64 ",%" PRId64 "}", desc->begin, desc->end);
    verify_name_positions(&band->shape, problem);
    verify_name(problem, "%s", problem->in_place ? " in-place" : "");
    return true;
}

const verify_kind_row verify_kind_fill = {functions, VERIFY_COUNT(functions), "fill_total", false,
                                          problem_at};
