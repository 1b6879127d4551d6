/*
 * The policies of policy.def: of each agent a struct with its fields, and a union of them all that
 * is part of a spec. All that prints, names or compiles in a policy walks the table.
 */
#ifndef TALLY_PLAN_POLICY_H
#define TALLY_PLAN_POLICY_H

#include <stddef.h>
#include <stdint.h>

/* Fields are 16 bits wide, all of them: so no policy has padding, and the n-th is the n-th. */
#define TALLY_FIELD(member, letters, macro, note) uint16_t member;
#define TALLY_CHOICE(member, choices, macro, note) uint16_t member;
#define TALLY_POLICY(agent, fields)                                                                \
    typedef struct tally_##agent##_policy {                                                        \
        fields                                                                                     \
    } tally_##agent##_policy;
#include "plan/policy.def"
#undef TALLY_POLICY
#undef TALLY_CHOICE
#undef TALLY_FIELD

/* The most fields that a policy has. */
#define TALLY_POLICY_FIELDS 21

/* The list comes first, so that a union which is set to zero is zero as a whole. */
typedef union tally_policy {
    uint16_t field[TALLY_POLICY_FIELDS];
#define TALLY_POLICY(agent, fields) tally_##agent##_policy agent;
#include "plan/policy.def"
#undef TALLY_POLICY
} tally_policy;

/* Which of them a schedule has, as schedule.def says. */
typedef enum tally_policy_of {
    TALLY_POLICY_none,
#define TALLY_POLICY(agent, fields) TALLY_POLICY_##agent,
#include "plan/policy.def"
#undef TALLY_POLICY
    TALLY_POLICIES
} tally_policy_of;

/* A field, as a row of policy.def. */
typedef struct tally_policy_field {
    const char *name;
    const char *letters;        /* NULL of a choice */
    const char *const *choices; /* names of its numbers; NULL of a number */
    uint16_t count;             /* of choices */
    const char *macro;
    const char *note;
} tally_policy_field;

/* The fields of a policy in their order. */
typedef struct tally_policy_row {
    const char *name;
    size_t count;
    const tally_policy_field *fields;
} tally_policy_row;

const tally_policy_row *tally_policy_find(tally_policy_of policy);

/* The name of a choice; NULL of a field that is a number, and of no choice. */
const char *tally_policy_choice(const tally_policy_field *field, uint16_t value);

/* Where a scan's carry comes from, TALLY_CARRY_WALK of cl/core/sizes.h say; and its name. */
uint16_t tally_policy_carry(tally_policy_of policy, const tally_policy *fields);
const char *tally_policy_carry_name(uint16_t carry);

#endif
