/*
 * The fixed set: functions with the values that suit them, types, layouts and options, multiplied
 * in order. Knows no device.
 */
#include "cli/verify_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/verify_layouts.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

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

#define PALETTE 8
#define LARGE_ELEMENTS 250000

/* The values of a function's problems, taken in turns: those that suit it more often. */
typedef verify_class palette[PALETTE];

static const palette of_sums = {VERIFY_MIXED, VERIFY_CANCEL, VERIFY_WIDE,     VERIFY_RARE,
                                VERIFY_MIXED, VERIFY_HUGE,   VERIFY_DENORMAL, VERIFY_CANCEL};
static const palette of_products = {VERIFY_UNIT, VERIFY_MIXED, VERIFY_UNIT, VERIFY_RARE,
                                    VERIFY_UNIT, VERIFY_WIDE,  VERIFY_TIES, VERIFY_DENORMAL};
static const palette of_logs = {VERIFY_POSITIVE, VERIFY_MIXED,    VERIFY_POSITIVE, VERIFY_RARE,
                                VERIFY_POSITIVE, VERIFY_DENORMAL, VERIFY_TIES,     VERIFY_WIDE};
static const palette of_exponents = {VERIFY_EXPONENT, VERIFY_MIXED,    VERIFY_EXPONENT,
                                     VERIFY_RARE,     VERIFY_EXPONENT, VERIFY_TIES,
                                     VERIFY_WIDE,     VERIFY_SPECIAL};
static const palette of_extremes = {VERIFY_TIES, VERIFY_SPECIAL, VERIFY_MIXED, VERIFY_DENORMAL,
                                    VERIFY_RARE, VERIFY_WIDE,    VERIFY_HUGE,  VERIFY_TIES};

typedef struct function_row {
    tally_function function;
    const char *name;
    enum { FLOATS, WIDES, ALL } types;
    enum { PLAIN, ORDERED, INDEXED } options; /* none; nan; nan and tie */
    const palette *values;
} function_row;

static const function_row functions[] = {
    {TALLY_ARGMAX, "argmax", ALL, INDEXED, &of_extremes},
    {TALLY_ARGMIN, "argmin", ALL, INDEXED, &of_extremes},
    {TALLY_AVERAGE, "average", FLOATS, PLAIN, &of_sums},
    {TALLY_L1, "l1", WIDES, PLAIN, &of_sums},
    {TALLY_L2, "l2", FLOATS, PLAIN, &of_sums},
    {TALLY_LOG_SUM, "log_sum", FLOATS, PLAIN, &of_logs},
    {TALLY_LOG_SUM_EXP, "log_sum_exp", FLOATS, PLAIN, &of_exponents},
    {TALLY_MAX, "max", ALL, ORDERED, &of_extremes},
    {TALLY_MIN, "min", ALL, ORDERED, &of_extremes},
    {TALLY_MULTIPLY, "multiply", WIDES, PLAIN, &of_products},
    {TALLY_SUM, "sum", WIDES, PLAIN, &of_sums},
    {TALLY_SUM_SQUARE, "sum_square", WIDES, PLAIN, &of_sums},
};

/* What a group computes besides the common layouts. */
typedef struct extra_row {
    tally_function function;
    tally_dtype dtype;
    const verify_layout_list *list;
} extra_row;

static const extra_row extras[] = {
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

static bool takes(const function_row *function, const type_row *type) {
    return function->types == ALL || type->floating || (function->types == WIDES && type->wide);
}

static const function_row *find_function(tally_function function) {
    for (size_t i = 0; i < COUNT(functions); i++)
        if (functions[i].function == function)
            return &functions[i];
    return NULL;
}

bool verify_group_at(size_t index, verify_group *group) {
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t f = 0; f < COUNT(functions); f++) {
            if (!takes(&functions[f], &types[t]) || index-- != 0)
                continue;
            *group = (verify_group){VERIFY_REDUCE, functions[f].function, types[t].dtype,
                                    functions[f].name, types[t].name};
            return true;
        }
    }
    return false;
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

/* ---- Problems ------------------------------------------------------------------------------ */

static size_t append(char *text, size_t used, const char *part, uint64_t number) {
    int length = part != NULL ? snprintf(text + used, VERIFY_NAME_BYTES - used, "%s", part)
                              : snprintf(text + used, VERIFY_NAME_BYTES - used, "%" PRIu64, number);
    return used + (size_t)length;
}

static void name_problem(const verify_layout *shape, verify_problem *problem) {
    static const char *const ways[] = {"",        " transposed",   " gapped",
                                       " spaced", " repeat-outer", " repeat-inner"};
    char *text = problem->name;
    size_t used = 0;
    for (uint32_t k = 0; k < shape->rank; k++) {
        used = append(text, used, k > 0 ? "x" : "", 0);
        used = append(text, used, NULL, shape->size[k]);
    }
    used = append(text, used, " {", 0);
    for (uint32_t k = 0; k < shape->rank; k++)
        if ((shape->axes >> k & 1) != 0)
            used = append(text, used, NULL, k);
    used = append(text, used, "}", 0);
    used = append(text, used, ways[shape->in], 0);
    if (shape->skip > 0) {
        used = append(text, used, " +", 0);
        used = append(text, used, NULL, shape->skip);
    }
    if (shape->out != PACKED) {
        used = append(text, used, " to", 0);
        used = append(text, used, ways[shape->out], 0);
    }
    used = append(text, used, " ", 0);
    used = append(text, used, verify_class_name(problem->values), 0);
    used = append(text, used, problem->reduce.tie == TALLY_TIE_LAST ? " tie-last" : "", 0);
    append(text, used, problem->reduce.nan == TALLY_NAN_IGNORE ? " nan-ignore" : "", 0);
}

/* An index has 64 bits if it is of the largest, 32 if of the smallest; a sign by turns. */
static tally_dtype output_type(const verify_group *group, size_t index) {
    if (group->function == TALLY_ARGMAX)
        return index % 2 == 0 ? TALLY_I64 : TALLY_U64;
    if (group->function == TALLY_ARGMIN)
        return index % 2 == 0 ? TALLY_I32 : TALLY_U32;
    return group->dtype;
}

/* By turns, so that a layout meets other values with another function or type; the largest ones
 * have the first, which rounds at every step. */
static verify_class values_of(const function_row *row, const verify_group *group,
                              const verify_layout *shape, size_t index) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < shape->rank; k++)
        elements *= shape->size[k];
    const size_t turn =
        elements > LARGE_ELEMENTS ? 0 : index + (size_t)group->dtype + (size_t)group->function;
    return (*row->values)[turn % PALETTE];
}

/* The index-th of its group, with the options that are chosen already. */
static void describe(const verify_group *group, const verify_layout *shape, size_t index,
                     verify_problem *problem) {
    const function_row *row = find_function(group->function);
    tally_reduce *desc = &problem->reduce;
    problem->kind = VERIFY_REDUCE;
    problem->skip = shape->skip;
    problem->values = values_of(row, group, shape, index);
    desc->struct_size = (uint32_t)sizeof *desc;
    desc->function = group->function;
    desc->axes = shape->axes;
    desc->input.dtype = group->dtype;
    desc->input.rank = shape->rank;
    memcpy(desc->input.size, shape->size, sizeof desc->input.size);
    desc->output = desc->input;
    desc->output.dtype = output_type(group, index);
    for (uint32_t k = 0; k < shape->rank; k++)
        desc->output.size[k] = (shape->axes >> k & 1) != 0 ? 1 : shape->size[k];
    verify_arrange(&desc->input, shape->in);
    verify_arrange(&desc->output, shape->out);
    const uint64_t reach = extent(&desc->input);
    problem->input_elements = reach > 0 ? shape->skip + reach : 0;
    problem->output_bytes = extent(&desc->output) * verify_element_bytes(desc->output.dtype);
    name_problem(shape, problem);
}

/* An index of nothing is refused: those layouts are left out. */
static bool is_legal(const verify_group *group, const verify_layout *shape) {
    bool empty = false;
    for (uint32_t k = 0; k < shape->rank; k++)
        empty = empty || (shape->size[k] == 0 && (shape->axes >> k & 1) != 0);
    return !empty || find_function(group->function)->options != INDEXED;
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
    for (size_t i = 0; i < COUNT(extras) && found == NULL; i++)
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
    const function_row *row = find_function(group->function);
    const bool floating = group->dtype <= TALLY_F64;
    const verify_layout *found = NULL;
    for (size_t i = 0; i < COUNT(combinations) && found == NULL; i++) {
        desc->tie = combinations[i].tie;
        desc->nan = combinations[i].nan;
        if ((desc->nan == TALLY_NAN_IGNORE && (!floating || row->options == PLAIN)) ||
            (desc->tie == TALLY_TIE_LAST && row->options != INDEXED))
            continue;
        found = group->dtype == TALLY_F32 ? layout_at(group, &verify_layouts_optional, index)
                                          : layout_at(group, &verify_layouts_few, index);
    }
    return found;
}

bool verify_problem_at(const verify_group *group, size_t index, verify_problem *problem) {
    size_t left = index;
    memset(problem, 0, sizeof *problem);
    const verify_layout *shape = plain_at(group, &left);
    if (shape == NULL)
        shape = optional_at(group, &left, &problem->reduce);
    if (shape != NULL)
        describe(group, shape, index, problem);
    return shape != NULL;
}
