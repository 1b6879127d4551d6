/*
 * schedules.h: what the suites of the ring share: that a simulator is there, and that every
 * schedule of a family was used.
 */
#ifndef TESTS_OCLGRIND_SCHEDULES_H
#define TESTS_OCLGRIND_SCHEDULES_H

#include <check.h>

#include "plan/spec.h"

/* Policies that have kernels of their own. */
#define SCHEDULES_PARTS 18

/* Which schedules the plans so far name, and which of their policies. */
typedef struct schedules_used {
    bool by[TALLY_SCHEDULES], part[SCHEDULES_PARTS];
} schedules_used;

#define SCHEDULES_NONE                                                                             \
    {                                                                                              \
        {false}, {                                                                                 \
            false                                                                                  \
        }                                                                                          \
    }

/* Fail unless the device is Oclgrind's: else nobody watches. */
void schedules_check_simulator(void);

void schedules_note(schedules_used *used, const char *plan);

/* Fail unless every schedule of this kind that the family has of its own was used. */
void schedules_check(const schedules_used *used, tally_kind kind, tally_family family);

/* A case each, so that they can run beside each other: CK_RUN_CASE names one. */
void schedules_add_case(Suite *suite, const char *name, const TTest *test);

#endif
