/*
 * Queries on a spec and on the table of kernels.
 */
#include "plan/spec.h"

#include <stdio.h>
#include <string.h>

#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/args.h"

_Static_assert(sizeof(tally_spec) == 22 + sizeof(tally_policy),
               "a spec is compared byte by byte: it must have no padding");

#define FILES(...)                                                                                 \
    { __VA_ARGS__ }
#define FIRST TALLY_VARIANT_FIRST
#define LAST TALLY_VARIANT_LAST
#define OUTPUT TALLY_VARIANT_OUTPUT
#define EXCLUSIVE TALLY_VARIANT_EXCLUSIVE
#define HAS_INPUT TALLY_VARIANT_HAS_INPUT
#define ALWAYS_FIRST TALLY_VARIANT_ALWAYS_FIRST
#define ALWAYS_LAST TALLY_VARIANT_ALWAYS_LAST
#define VECTORS TALLY_VARIANT_VECTORS
#define FOLLOWS TALLY_VARIANT_FOLLOWS
#define NO_SPINE TALLY_VARIANT_NO_SPINE
#define PIECES TALLY_VARIANT_PIECES
#define CLOSING TALLY_VARIANT_CLOSING
#define ITEM "item "
#define TEAM "team "
#define WALK "walk "
#define RECOMPUTE "recompute "
#define TWO_PASSES "two_passes "
#define LOOK_BACK "look_back "
#define TALLY_SCHEDULE(enumerator, name, kind, args, policy, slots, local, files, variants,        \
                       reason)                                                                     \
    [TALLY_##enumerator] = {                                                                       \
        #name, TALLY_KIND_##kind, TALLY_ARGS_##args, TALLY_POLICY_##policy, files, variants,       \
        reason},
static const tally_schedule_row rows[] = {
#include "plan/schedule.def"
};
#undef TALLY_SCHEDULE

const tally_schedule_row *tally_schedule_find(uint8_t schedule) {
    return schedule < TALLY_SCHEDULES ? &rows[schedule] : NULL;
}

const tally_policy_row *tally_spec_policy(const tally_spec *spec) {
    const tally_schedule_row *row = tally_schedule_find(spec->schedule);
    return tally_policy_find(row != NULL ? row->policy : TALLY_POLICY_none);
}

uint16_t tally_spec_carry(const tally_spec *spec) {
    const tally_schedule_row *row = tally_schedule_find(spec->schedule);
    return row != NULL ? tally_policy_carry(row->policy, &spec->policy) : TALLY_CARRY_NONE;
}

uint32_t tally_carry_phases(uint16_t carry) {
    return carry == TALLY_CARRY_TWO_PASSES
               ? 1u << TALLY_TOTALS | 1u << TALLY_SPINE | 1u << TALLY_APPLY
           : carry == TALLY_CARRY_LOOK_BACK ? 1u << TALLY_PASS
                                            : 0;
}

const char *tally_spec_file(const tally_spec *spec, size_t n) {
    const char *const words[] = {spec->group == 0 ? "item " : "team ",
                                 tally_policy_carry_name(tally_spec_carry(spec))};
    const char *file = rows[spec->schedule].files[n];
    const char *name = file != NULL ? strrchr(file, ' ') : NULL;
    if (name == NULL)
        return file;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *found = strstr(file, words[i]);
        if (found != NULL && found < name)
            return name + 1;
    }
    return NULL;
}

tally_spec tally_spec_program(const tally_spec *spec) {
    tally_spec program = *spec;
    memset((char *)&program + offsetof(tally_spec, phase), 0,
           sizeof program - offsetof(tally_spec, phase));
    return program;
}

bool tally_spec_equal(const tally_spec *a, const tally_spec *b) {
    /* Its policy's list of fields is all of that union, and there is no padding. */
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    return memcmp(a, b, sizeof *a) == 0;
}

bool tally_spec_is_map(const tally_spec *spec) {
    return rows[spec->schedule].kind == TALLY_KIND_FILL && spec->function != 0;
}

bool tally_spec_is_exact(const tally_spec *spec) {
    return tally_monoid_is_exact((tally_function)spec->function, (tally_dtype)spec->input);
}

uint32_t tally_spec_state_bytes(const tally_spec *spec) {
    return tally_monoid_state_bytes((tally_function)spec->function, (tally_dtype)spec->input,
                                    spec->index_bits / 8u);
}

#define TALLY_ARGS(name, members) {"tally_" #name "_args", sizeof(tally_##name##_args)},
static const struct {
    const char *type;
    size_t bytes;
} structs[] = {
#include "plan/args.def"
};
#undef TALLY_ARGS

const char *tally_spec_args_type(const tally_spec *spec) {
    return structs[rows[spec->schedule].args].type;
}

size_t tally_spec_args_bytes(const tally_spec *spec) {
    return structs[rows[spec->schedule].args].bytes;
}

/* Add to a name that has room: the longest one is well below TALLY_NAME_BYTES (a test says so). */
static void add(char *name, const char *part) {
    size_t length = strlen(name);
    snprintf(name + length, TALLY_NAME_BYTES - length, "_%s", part);
}

/* A field that is 0 is left out: a name is as long as there is something to say. */
static void add_number(char *name, const char *letters, unsigned number) {
    char part[32];
    snprintf(part, sizeof part, "%s%u", letters, number);
    if (number != 0)
        add(name, part);
}

/* Of a choice its name. */
static void add_field(char *name, const tally_policy_field *field, uint16_t value) {
    const char *choice = tally_policy_choice(field, value);
    if (field->choices == NULL)
        add_number(name, field->letters, value);
    else if (value != 0 && choice != NULL)
        add(name, choice);
}

static void add_policy(char *name, const tally_spec *spec) {
    const tally_policy_row *policy = tally_spec_policy(spec);
    for (size_t i = 0; i < policy->count; i++)
        add_field(name, &policy->fields[i], spec->policy.field[i]);
}

static const char *const phases[TALLY_PHASES] = {
    [TALLY_PASS] = "pass",   [TALLY_TOTALS] = "totals", [TALLY_SPINE] = "spine",
    [TALLY_APPLY] = "apply", [TALLY_FOLLOW] = "follow", [TALLY_STRETCHES] = "stretches",
};

const char *tally_phase_name(unsigned phase) {
    return phase < TALLY_PHASES ? phases[phase] : NULL;
}

bool tally_phase_writes(unsigned phase) {
    return phase == TALLY_PASS || phase == TALLY_APPLY || phase == TALLY_FOLLOW;
}

void tally_spec_name(const tally_spec *spec, char name[TALLY_NAME_BYTES]) {
    const tally_monoid *monoid = tally_monoid_find(spec->function);
    const tally_dtype_row *output = tally_dtype_find(spec->output);
    strcpy(name, "tally");
    add(name, rows[spec->schedule].name);
    if (monoid != NULL)
        add(name, monoid->name);
    add(name, tally_dtype_find(spec->input)->name);
    if (output != NULL)
        add(name, output->name);
    add_number(name, "k", spec->kept_rank);
    add_number(name, "s", spec->swept_rank);
    add_number(name, "i", spec->index_bits);
    add_number(name, "g", spec->group);
    add_policy(name, spec);
    add_number(name, "l", spec->levels);
    add_number(name, "w", spec->word);
    if (spec->part != 0)
        add(name, spec->part == TALLY_PART_CARRIED ? "carried" : "ofpart");
    if (spec->phase != 0)
        add(name, phases[spec->phase]);
    const struct {
        bool said;
        const char *word;
    } words[] = {
        {spec->nan == TALLY_NAN_IGNORE, "nonan"},
        {spec->tie == TALLY_TIE_LAST, "tielast"},
        {spec->first != 0, "first"},
        {spec->last != 0, "last"},
        {spec->closing != 0, "closing"},
        {spec->exclusive != 0, "exclusive"},
        {spec->has_input != 0, "input"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].said)
            add(name, words[i].word);
}
