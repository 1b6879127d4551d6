/*
 * The fixed set: kinds of problems, each with its functions, times types, in order; and what the
 * kinds share. Knows no device.
 */
#include "cli/verify_set.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/verify_parts.h"

/* ---- Functions and types ------------------------------------------------------------------- */

typedef struct type_row {
    tally_dtype dtype;
    const char *name;
    bool floating, wide; /* wide: sums and products are defined */
} type_row;

static const type_row types[] = {
    {TALLY_F16, "f16", true, true},   {TALLY_F32, "f32", true, true},
    {TALLY_F64, "f64", true, true},   {TALLY_I8, "i8", false, false},
    {TALLY_I16, "i16", false, false}, {TALLY_I32, "i32", false, true},
    {TALLY_I64, "i64", false, true},  {TALLY_U8, "u8", false, false},
    {TALLY_U16, "u16", false, false}, {TALLY_U32, "u32", false, true},
    {TALLY_U64, "u64", false, true},
};

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

static const verify_kind_row *const kinds[VERIFY_KINDS] = {[VERIFY_REDUCE] = &verify_kind_reduce,
                                                           [VERIFY_SCAN] = &verify_kind_scan,
                                                           [VERIFY_FILL] = &verify_kind_fill};

static bool takes(const verify_function *function, const type_row *type) {
    return function->types == VERIFY_ALL || type->floating ||
           (function->types == VERIFY_WIDES && type->wide);
}

/* The index-th of a kind; else *index is less by the number of its groups. */
static bool group_of_kind(verify_kind kind, size_t *index, verify_group *group) {
    const verify_kind_row *row = kinds[kind];
    for (size_t t = 0; t < VERIFY_COUNT(types); t++) {
        for (size_t f = 0; f < row->count; f++) {
            if (!takes(&row->functions[f], &types[t]) || (*index)-- != 0)
                continue;
            *group = (verify_group){.kind = kind,
                                    .row = (uint32_t)f,
                                    .function = row->functions[f].function,
                                    .dtype = types[t].dtype,
                                    .function_name = row->functions[f].name,
                                    .dtype_name = types[t].name,
                                    .total_name = row->total_name,
                                    .needs_f64 = row->needs_f64 && types[t].dtype == TALLY_F64};
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

verify_class verify_values_of(const verify_palette *values, const verify_group *group,
                              const verify_layout *shape, size_t index) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < shape->rank; k++)
        elements *= shape->size[k];
    const size_t turn =
        elements > LARGE_ELEMENTS ? 0 : index + (size_t)group->dtype + (size_t)group->function;
    return (*values)[turn % VERIFY_PALETTE];
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
    problem->output_bytes = extent(&problem->output) * verify_element_bytes(problem->output.dtype);
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

void verify_name_places(const verify_layout *shape, verify_problem *problem) {
    static const char *const ways[] = {"",        " transposed",   " gapped",
                                       " spaced", " repeat-outer", " repeat-inner"};
    verify_name(problem, "%s", ways[shape->in]);
    if (shape->skip > 0)
        verify_name(problem, " +%" PRIu64, shape->skip);
    if (shape->out != PACKED)
        verify_name(problem, " to%s", ways[shape->out]);
    verify_name(problem, " %s", verify_class_name(problem->values));
}
