/*
 * all_specs.h: every spec that a planner may ask for, gone through one by one.
 */
#ifndef TESTS_SUPPORT_PLANS_ALL_SPECS_H
#define TESTS_SUPPORT_PLANS_ALL_SPECS_H

#include "plan/spec.h"

/* Call visit for the spec of every program; thin: with a few of the ranks and group sizes only. */
void all_specs_each_program(bool thin, void (*visit)(const tally_spec *program, void *user),
                            void *user);

#endif
