/*
 * A step of a plan: one launch as plain data. Knows not which steps are around it.
 */
#ifndef TALLY_PLAN_STEP_H
#define TALLY_PLAN_STEP_H

#include "plan/args.h"
#include "plan/spec.h"

/* The most numbers of an argument struct. */
#define TALLY_ARGS_MEMBERS 96

/* Where a step reads or writes. One that reads no element, a fill of zeros say, reads nowhere. */
typedef enum tally_role {
    TALLY_IN_INPUT,
    TALLY_IN_OUTPUT,
    TALLY_IN_SCRATCH,
    TALLY_IN_NOTHING,
    TALLY_IN_CARRY,
    TALLY_ROLES
} tally_role;

/* The arguments: of a schedule's kernels the member that schedule.def names, which begins with that
 * of its kind. As long as all of them, so that it is zero where it is set to zero. */
typedef union tally_args {
    uint64_t all[TALLY_ARGS_MEMBERS];
    tally_head head;
#define TALLY_ARGS(name, members) tally_##name##_args name;
#include "plan/args.def"
#undef TALLY_ARGS
} tally_args;

_Static_assert(sizeof(tally_args) == TALLY_ARGS_MEMBERS * sizeof(uint64_t),
               "no argument struct is longer than all");

/* One launch. */
typedef struct tally_step {
    tally_spec spec;
    tally_role source, target;
    uint64_t source_offset, target_offset; /* bytes into the scratch, where that is the position */
    uint32_t source_bytes, target_bytes;   /* of an element or state there */
    uint64_t groups;
    uint64_t slots;  /* units that a group with its size compiled in works on at a time; 0: one.
                        Where plan/group.c does not say how many, the planner does */
    uint32_t group;  /* work-items of each */
    tally_args args; /* offsets still 0 */
} tally_step;

#endif
