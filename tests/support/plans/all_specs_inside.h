/*
 * all_specs_inside.h: what the files of all_specs.h share: the way down to a visitor, from a
 * program whose schedule, function, type and ranks are chosen to one that is whole. Each agent has
 * the values of its policy's fields; what follows them is the same of all.
 */
#ifndef TESTS_SUPPORT_PLANS_ALL_SPECS_INSIDE_H
#define TESTS_SUPPORT_PLANS_ALL_SPECS_INSIDE_H

#include "plan/spec.h"

typedef struct all_specs_visitor {
    bool thin;
    void (*visit)(const tally_spec *program, void *user);
    void *user;
} all_specs_visitor;

/* The sizes of groups that the schedule may have, and both widths of indices. */
void all_specs_each_size(const all_specs_visitor *it, tally_spec program);

/* Of each row of policy.def, so that a policy whose choices nobody goes through does not link. */
#define TALLY_POLICY(agent, ...)                                                                   \
    void all_specs_each_of_##agent(const all_specs_visitor *it, tally_spec program);
#include "plan/policy.def"
#undef TALLY_POLICY

/* Agents of scans whose parts go on from a carry or hand on states: one way of each, of both. */
void all_specs_each_of_parts(const all_specs_visitor *it, tally_spec program);

#endif
