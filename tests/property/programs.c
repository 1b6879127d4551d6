/*
 * programs.c: as far as a create call goes before it builds.
 */
#include "programs.h"

#include "api/runtime.h"
#include "support/fixtures/fixture.h"

static tally_status collapse(const problem *it, tally_problem *collapsed) {
    tally_error error;
    const tally_diagonal diagonal = problem_diagonal(it);
    if (it->kind == PROBLEM_REDUCE)
        return tally_problem_reduce(&it->reduce, collapsed, &error);
    if (it->kind == PROBLEM_CUMULATIVE)
        return tally_problem_cumulative(&it->cumulative, collapsed, &error);
    return tally_problem_diagonal(&diagonal, collapsed, &error);
}

bool programs_of(const problem *it, programs *needed) {
    const tally_limits *limits = &fixture_get()->runtime->device.limits;
    tally_problem collapsed;
    tally_plan plan;
    tally_error error;
    needed->count = 0;
    if (collapse(it, &collapsed) != TALLY_OK)
        return false;
    const tally_status status = tally_plan_make(&collapsed, limits, &plan, &error);
    if (status != TALLY_OK)
        return status == TALLY_UNSUPPORTED && collapsed.input == TALLY_F64 && !limits->has_f64;
    for (uint32_t i = 0; i < plan.count; i++) {
        const tally_spec key = tally_spec_program(&plan.step[i].spec);
        programs_add(needed->key, &needed->count, &key);
    }
    return true;
}

bool programs_contain(const tally_spec *list, uint32_t count, const tally_spec *key) {
    for (uint32_t i = 0; i < count; i++)
        if (tally_spec_equal(&list[i], key))
            return true;
    return false;
}

bool programs_add(tally_spec *list, uint32_t *count, const tally_spec *key) {
    if (programs_contain(list, *count, key))
        return false;
    list[(*count)++] = *key;
    return true;
}
