/*
 * fuzz_plan.c: from bytes to a description and a device, from there to a problem and a plan.
 * Whatever the bytes: a refusal has a sentence, a plan keeps the rules of support/rules/rules.h,
 * and one that is small enough to be run by the simulation is right and has the bits of another
 * device's.
 */
#include <string.h>

#include "model/dtype.h"
#include "plan/program/source.h"
#include "plan_desc.h"
#include "refused.h"
#include "support/fail.h"
#include "support/plans/check.h"

/* A problem that is simulated: elements and bytes of a tensor, bytes of scratch, terms in all. */
#define SMALL_ELEMENTS 5000
#define SMALL_BYTES 100000
#define SMALL_SCRATCH 1000000

static bool collapses(const sim_case *it, tally_problem *problem) {
    tally_error error;
    memset(&error, 0xAB, sizeof error);
    tally_error_clear(&error);
    return refused_check(it->collapse(it->of.desc, problem, &error), &error);
}

static bool is_small_tensor(const tally_tensor *tensor) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < tensor->rank; k++) {
        if (tensor->size[k] > SMALL_ELEMENTS)
            return false;
        elements *= tensor->size[k];
        if (elements > SMALL_ELEMENTS)
            return false;
    }
    return true;
}

static bool is_small(const sim_case *it, const tally_problem *problem, const tally_plan *plan) {
    return is_small_tensor(it->of.output) &&
           (it->of.input == NULL || is_small_tensor(it->of.input)) &&
           problem->input_extent <= SMALL_BYTES / 8 && problem->output_extent <= SMALL_BYTES / 8 &&
           plan->scratch <= SMALL_SCRATCH;
}

/* A name that fits, words, and a source: they only have to be there. */
static void check_texts(const tally_plan *plan, bool with_sources) {
    tally_text said = TALLY_TEXT_INIT;
    tally_plan_describe(plan, &said);
    for (uint32_t i = 0; i < plan->count; i++) {
        char name[TALLY_NAME_BYTES];
        tally_spec_name(&plan->step[i].spec, name);
        if (memchr(name, '\0', sizeof name) == NULL || strlen(name) + 1 == sizeof name)
            fail_with("the name of step %u has no room: %.127s", i, name);
        if (with_sources)
            tally_source_write(&plan->step[i].spec, &said);
    }
    if (said.failed || said.length == 0)
        fail_with("the plan has no words");
    tally_text_free(&said);
}

/* Agents that inputs came to so far. */
static bool met[TALLY_SCHEDULES];

static void note_agents(const tally_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++)
        met[plan->step[i].spec.schedule] = true;
}

/* The corpus, which every build runs, comes to each agent. */
void replay_end(void);
void replay_end(void) {
    met[TALLY_SCAN_CARRY] = true; /* of parts, which no description has */
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++)
        if (!met[schedule])
            fail_with("no input is planned with %s", tally_schedule_find(schedule)->name);
}

static void check_twice(const tally_problem *problem, const tally_limits *limits,
                        const tally_plan *plan) {
    static tally_plan again;
    memset(&again, 0xCD, sizeof again);
    if (tally_plan_make(problem, limits, &again, NULL) != TALLY_OK ||
        memcmp(plan, &again, sizeof again) != 0)
        fail_with("planning twice does not give the same bytes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static tally_plan plan;
    static text words;
    byte_source from = {data, data + size};
    plan_desc desc;
    tally_problem problem;
    const sim_device device = plan_device_draw(&from);
    sim_case it = plan_desc_draw(&from, &desc);
    const bool with_sources = bytes_choose(&from, 32) == 31;
    if (!collapses(&it, &problem))
        return 0;
    words.length = 0;
    it.of.describe(&words, it.of.desc);
    if (!plan_check(&words, &problem, &device.limits, &plan))
        return 0;
    check_twice(&problem, &device.limits, &plan);
    check_texts(&plan, with_sources);
    note_agents(&plan);
    it.in_place = it.in_place && problem.in_place;
    if (is_small(&it, &problem, &plan)) {
        const sim_device *const devices[] = {&device, sim_device_at(0)};
        sim_case_check_on(&it, devices, 2);
    }
    return 0;
}
