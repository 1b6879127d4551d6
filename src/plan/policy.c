/*
 * The table of policies.
 */
#include "plan/policy.h"

_Static_assert(sizeof(tally_policy) == sizeof(((tally_policy *)0)->field),
               "TALLY_POLICY_FIELDS is the most that a policy has");

#define TALLY_FIELD(member, letters, macro, note) {#member, #letters, #macro, note},
#define TALLY_POLICY(agent, fields) static const tally_policy_field agent##_fields[] = {fields};
#include "plan/policy.def"
#undef TALLY_POLICY
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
