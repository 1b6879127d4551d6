/*
 * What the kinds of problems of the fixed set share: values, tensors and names. Knows no device.
 */
#include "cli/verify/set/parts.h"
#include "cli/tables/types.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LARGE_ELEMENTS 250000

const verify_palette verify_palette_sums = {VERIFY_MIXED,    VERIFY_CANCEL, VERIFY_WIDE,
                                            VERIFY_RARE,     VERIFY_MIXED,  VERIFY_HUGE,
                                            VERIFY_DENORMAL, VERIFY_CANCEL};
const verify_palette verify_palette_products = {VERIFY_UNIT, VERIFY_MIXED,   VERIFY_UNIT,
                                                VERIFY_RARE, VERIFY_UNIT,    VERIFY_WIDE,
                                                VERIFY_TIES, VERIFY_DENORMAL};
const verify_palette verify_palette_extremes = {VERIFY_TIES,     VERIFY_SPECIAL, VERIFY_MIXED,
                                                VERIFY_DENORMAL, VERIFY_RARE,    VERIFY_WIDE,
                                                VERIFY_HUGE,     VERIFY_TIES};

const verify_palette verify_palette_logs = {VERIFY_POSITIVE, VERIFY_MIXED,    VERIFY_POSITIVE,
                                            VERIFY_RARE,     VERIFY_POSITIVE, VERIFY_DENORMAL,
                                            VERIFY_TIES,     VERIFY_WIDE};
const verify_palette verify_palette_exponents = {VERIFY_EXPONENT, VERIFY_MIXED,    VERIFY_EXPONENT,
                                                 VERIFY_RARE,     VERIFY_EXPONENT, VERIFY_TIES,
                                                 VERIFY_WIDE,     VERIFY_SPECIAL};

verify_class verify_values_of(const verify_palette *values, const verify_group *group,
                              const verify_layout *shape, size_t index) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < shape->rank; k++)
        elements *= shape->size[k];
    const size_t chosen =
        elements > LARGE_ELEMENTS ? 0 : index + (size_t)group->dtype + (size_t)group->function;
    return (*values)[chosen % VERIFY_PALETTE];
}

/* ---- Tensors ------------------------------------------------------------------------------- */

/* Elements from the first to behind the last. */
static uint64_t extent(const tally_tensor *tensor) {
    uint64_t last = 0, step = 1;
    for (uint32_t k = tensor->rank; k-- > 0;) {
        const bool strided = (tensor->flags & TALLY_STRIDED) != 0;
        if (tensor->size[k] == 0)
            return 0;
        last += (tensor->size[k] - 1) * (strided ? tensor->stride[k] : step);
        step *= tensor->size[k];
    }
    return last + 1;
}

void verify_set_tensors(const verify_group *group, const verify_layout *shape,
                        verify_problem *problem) {
    tally_tensor *input = &problem->input;
    input->dtype = group->dtype;
    input->rank = shape->rank;
    memcpy(input->size, shape->size, sizeof input->size);
    problem->output = *input;
    verify_arrange(&problem->input, shape->in);
    verify_arrange(&problem->output, shape->out);
    problem->has_input = true;
    problem->skip = shape->skip;
}

void verify_set_memory(const verify_layout *shape, verify_problem *problem) {
    const uint64_t reach = extent(&problem->input);
    problem->input_elements = reach > 0 ? shape->skip + reach : 0;
    problem->output_bytes = extent(&problem->output) * cli_type_bytes(problem->output.dtype);
}

/* ---- Names --------------------------------------------------------------------------------- */

void verify_name(verify_problem *problem, const char *format, ...) {
    const size_t used = strlen(problem->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->name + used, sizeof problem->name - used, format, arguments);
    va_end(arguments);
}

void verify_name_sizes(const verify_layout *shape, verify_problem *problem) {
    for (uint32_t k = 0; k < shape->rank; k++)
        verify_name(problem, "%s%" PRIu64, k > 0 ? "x" : "", shape->size[k]);
}

void verify_name_axes(const verify_layout *shape, verify_problem *problem) {
    verify_name(problem, " {");
    for (uint32_t k = 0; k < shape->rank; k++)
        if ((shape->axes >> k & 1) != 0)
            verify_name(problem, "%" PRIu32, k);
    verify_name(problem, "}");
}

void verify_name_positions(const verify_layout *shape, verify_problem *problem) {
    static const char *const ways[] = {"",        " transposed",   " gapped",
                                       " spaced", " repeat-outer", " repeat-inner"};
    verify_name(problem, "%s", ways[shape->in]);
    if (shape->skip > 0)
        verify_name(problem, " +%" PRIu64, shape->skip);
    if (shape->out != PACKED)
        verify_name(problem, " to%s", ways[shape->out]);
    verify_name(problem, " %s", verify_class_name(problem->values));
}
