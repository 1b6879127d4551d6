/*
 * The fields of specs and of argument structs, by name: a row for each. A field without a row is
 * one that tests/plan/test_explain.c misses.
 */
#include "plan/explain/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/dtype.h"
#include "model/monoid.h"

/* ---- Specs --------------------------------------------------------------------------------- */

static const char *schedule_name(unsigned value) {
    const tally_schedule_row *row = tally_schedule_find((uint8_t)value);
    return row != NULL ? row->name : NULL;
}

static const char *function_name(unsigned value) {
    const tally_monoid *row = tally_monoid_find((tally_function)value);
    return row != NULL ? row->name : NULL;
}

static const char *dtype_name(unsigned value) {
    const tally_dtype_row *row = tally_dtype_find((tally_dtype)value);
    return row != NULL ? row->name : NULL;
}

static const char *nan_name(unsigned value) {
    return value == TALLY_NAN_PROPAGATE ? "propagate" : value == TALLY_NAN_IGNORE ? "ignore" : NULL;
}

static const char *tie_name(unsigned value) {
    return value == TALLY_TIE_FIRST ? "first" : value == TALLY_TIE_LAST ? "last" : NULL;
}

static const char *part_name(unsigned value) {
    return value == TALLY_PART_STATES ? "states" : value == TALLY_PART_CARRIED ? "carried" : NULL;
}

static const char *flag_name(unsigned value) {
    return value == 0 ? "no" : value == 1 ? "yes" : NULL;
}

typedef const char *value_name(unsigned value);

#define ROW(field, name_of, note)                                                                  \
    { #field, offsetof(tally_spec, field), sizeof((tally_spec *)0)->field, name_of, note }

/* name_of gives NULL, or is NULL, where the value is a number. */
static const struct {
    const char *name;
    size_t offset, bytes;
    value_name *name_of;
    const char *note;
} spec_fields[] = {
    ROW(schedule, schedule_name, "who does what when"),
    ROW(function, function_name, "what is computed; a fill has none"),
    ROW(input, dtype_name, "element type; of a fill the unsigned type of that size"),
    ROW(kept_rank, NULL, "axes of the outputs that the kernel has room for"),
    ROW(swept_rank, NULL, "axes of the terms that the kernel has room for"),
    ROW(index_bits, NULL, "bits of element offsets and of indices"),
    ROW(nan, nan_name, "what MIN, MAX, ARGMIN and ARGMAX do with NaN"),
    ROW(tie, tie_name, "which of equal extremes ARGMIN and ARGMAX report"),
    ROW(group, NULL, "work-items of a group, compiled in; 0: any number will do"),
    ROW(levels, NULL, "levels of a scan's order that a line can fill; 0: no such choice"),
    ROW(part, part_name, "of a problem in parts; 0: of none"),
    ROW(word, NULL, "bytes of a word that groups tell each other; 0: they do not"),
    ROW(phase, tally_phase_name, "which of several launches of a scan; 0: there is one"),
    ROW(first, flag_name, "reads elements, not states"),
    ROW(last, flag_name, "writes elements, not states"),
    ROW(output, dtype_name, "of an index that is written; 0: no index"),
    ROW(exclusive, flag_name, "a scan writes each value before its own term enters"),
    ROW(has_input, flag_name, "a fill reads an input"),
    ROW(closing, flag_name, "the groups that end last fold the states of all groups"),
};

static void add_field(tally_text *text, const char *name, const char *value, const char *note) {
    tally_text_format(text, "  spec %-15s %-16s %s\n", name, value, note);
}

static void add_policy(const tally_spec *spec, tally_text *text) {
    const tally_policy_row *policy = tally_spec_policy(spec);
    for (size_t i = 0; i < policy->count; i++) {
        char number[16];
        const char *choice = tally_policy_choice(&policy->fields[i], spec->policy.field[i]);
        snprintf(number, sizeof number, "%u", (unsigned)spec->policy.field[i]);
        add_field(text, policy->fields[i].name, choice != NULL ? choice : number,
                  policy->fields[i].note);
    }
}

void tally_explain_spec(const tally_spec *spec, tally_text *text) {
    for (size_t i = 0; i < sizeof spec_fields / sizeof spec_fields[0]; i++) {
        char number[16];
        uint16_t wide = 0;
        uint8_t narrow = 0;
        const char *at = (const char *)spec + spec_fields[i].offset;
        memcpy(spec_fields[i].bytes == 2 ? (void *)&wide : (void *)&narrow, at,
               spec_fields[i].bytes);
        unsigned value = spec_fields[i].bytes == 2 ? wide : narrow;
        const char *name = spec_fields[i].name_of != NULL ? spec_fields[i].name_of(value) : NULL;
        snprintf(number, sizeof number, "%u", value);
        add_field(text, spec_fields[i].name, name != NULL ? name : number, spec_fields[i].note);
    }
    add_policy(spec, text);
}

/* ---- Arguments ----------------------------------------------------------------------------- */

/*
 * A row of 64-bit members: one; TALLY_AXES of them, of which a rank is used; or one for each axis
 * of a box or each group of swept axes that one launch folds.
 */
typedef struct argument {
    const char *name;
    size_t offset;
    enum { ONE, KEPT, SWEPT, BOX, NEST } of;
} argument;

#define TALLY_ARGUMENT(args, member, of) {#member, offsetof(tally_##args##_args, member), of},
#define TALLY_BOX_ARGUMENT(args, member, of)                                                       \
    {#member, offsetof(tally_##args##_args, box.member), of},
#define TALLY_ARGS(name, members) static const argument name##_arguments[] = {members};
#include "plan/args.def"
#undef TALLY_ARGS
#undef TALLY_BOX_ARGUMENT
#undef TALLY_ARGUMENT

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

#define TALLY_ARGS(name, members) {name##_arguments, COUNT(name##_arguments)},
static const struct {
    const argument *rows;
    size_t count;
} arguments[] = {
#include "plan/args.def"
};
#undef TALLY_ARGS

/* A stride of a descending walk, or the first diagonal of a band, is negative. */
static void add_number(tally_text *text, const char *separator, uint64_t number) {
    tally_text_format(text, "%s%" PRId64, separator, (int64_t)number);
}

static void add_argument(const tally_step *step, const argument *row, tally_text *text) {
    uint64_t values[TALLY_AXES], any = 0;
    const size_t ranks[] = {[ONE] = 1,
                            [KEPT] = step->spec.kept_rank,
                            [SWEPT] = step->spec.swept_rank,
                            [BOX] = TALLY_BOX_AXES,
                            [NEST] = TALLY_NEST};
    size_t rank = ranks[row->of];
    memcpy(values, (const char *)&step->args + row->offset, rank * sizeof values[0]);
    for (size_t k = 0; k < rank; k++)
        any |= values[k];
    if (any == 0)
        return;
    tally_text_format(text, "  argument %-11s", row->name);
    for (size_t k = 0; k < rank; k++)
        add_number(text, k > 0 ? ", " : " ", values[k]);
    tally_text_add(text, "\n");
}

void tally_explain_args(const tally_step *step, tally_text *text) {
    static const tally_args_of common[] = {[TALLY_KIND_FOLD] = TALLY_ARGS_fold,
                                           [TALLY_KIND_SCAN] = TALLY_ARGS_scan,
                                           [TALLY_KIND_FILL] = TALLY_ARGS_fill};
    const tally_schedule_row *schedule = tally_schedule_find(step->spec.schedule);
    tally_args_of first = common[schedule->kind], own = schedule->args;
    for (size_t i = 0; i < arguments[first].count; i++)
        add_argument(step, &arguments[first].rows[i], text);
    for (size_t i = 0; own != first && i < arguments[own].count; i++)
        add_argument(step, &arguments[own].rows[i], text);
}
