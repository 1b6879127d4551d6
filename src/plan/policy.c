/*
 * The table of policies.
 */
#include "plan/policy.h"

#include "cl/core/sizes.h"

_Static_assert(sizeof(tally_policy) == sizeof(((tally_policy *)0)->field),
               "TALLY_POLICY_FIELDS is the most that a policy has");

/* ---- Choices ------------------------------------------------------------------------------- */

static const char *const carries[] = {
    [TALLY_CARRY_NONE] = "none",           [TALLY_CARRY_WALK] = "walk",
    [TALLY_CARRY_RECOMPUTE] = "recompute", [TALLY_CARRY_TWO_PASSES] = "two_passes",
    [TALLY_CARRY_LOOK_BACK] = "look_back",
};

/* ---- Rows ---------------------------------------------------------------------------------- */

#define TALLY_FIELD(member, letters, macro, note) {#member, #letters, NULL, 0, #macro, note},
#define TALLY_CHOICE(member, choices, macro, note)                                                 \
    {#member, NULL, choices, sizeof(choices) / sizeof(choices)[0], #macro, note},
#define TALLY_POLICY(agent, fields) static const tally_policy_field agent##_fields[] = {fields};
#include "plan/policy.def"
#undef TALLY_POLICY
#undef TALLY_CHOICE
#undef TALLY_FIELD

#define TALLY_POLICY(agent, fields)                                                                \
    [TALLY_POLICY_##                                                                               \
        agent] = {#agent, sizeof(tally_##agent##_policy) / sizeof(uint16_t), agent##_fields},
static const tally_policy_row rows[TALLY_POLICIES] = {
    [TALLY_POLICY_none] = {"none", 0, NULL},
#include "plan/policy.def"
};
#undef TALLY_POLICY

const tally_policy_row *tally_policy_find(tally_policy_of policy) {
    return &rows[policy];
}

const char *tally_policy_choice(const tally_policy_field *field, uint16_t value) {
    return value < field->count ? field->choices[value] : NULL;
}

uint16_t tally_policy_carry(tally_policy_of policy, const tally_policy *fields) {
    for (size_t i = 0; i < rows[policy].count; i++)
        if (rows[policy].fields[i].choices == carries)
            return fields->field[i];
    return TALLY_CARRY_NONE;
}

const char *tally_policy_carry_name(uint16_t carry) {
    return carry < sizeof carries / sizeof carries[0] ? carries[carry] : carries[0];
}
