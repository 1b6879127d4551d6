/*
 * Everything that every agent has to meet, asked of each row of schedule.def: that all_specs has
 * its programs, which are those that are compiled on a device and by a simulator; and that problems
 * are planned with it, whose plans keep the rules and are right when they are simulated. What a row
 * lacks of rules or of a simulation does not link; a row that no problem comes to is found here.
 */
#include <check.h>

#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/plans/all_specs.h"
#include "support/plans/check.h"
#include "support/rules/parts.h"
#include "support/simulation/case.h"

/* Random problems, besides those that random ones hardly ever are. */
#define PROBLEMS 6000

typedef struct agents {
    bool met[TALLY_SCHEDULES];
} agents;

static void check_all_met(const agents *of, const char *what) {
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++)
        ck_assert_msg(of->met[schedule], "%s %s", what, tally_schedule_find(schedule)->name);
}

/* ---- Programs ------------------------------------------------------------------------------ */

static void take_program(const tally_spec *program, void *user) {
    agents *it = user;
    it->met[program->schedule] = true;
    if (!plan_rules_is_for_cpus(program->schedule) && plan_rules_shares(program))
        ck_assert_msg(program->group != 0, "a program of %s has no size of groups",
                      tally_schedule_find(program->schedule)->name);
}

START_TEST(each_agent_has_programs_that_are_compiled) {
    agents all = {{false}};
    all_specs_each_program(true, take_program, &all);
    check_all_met(&all, "all_specs has no program of");
}
END_TEST

/* ---- Plans --------------------------------------------------------------------------------- */

/* The descriptions are the random problem's own memory: they live as long as its case does. */
typedef struct drawn {
    tally_reduce reduce;
    tally_cumulative cumulative;
    tally_diagonal diagonal;
    tally_tensor input;
} drawn;

static sim_case draw_fold(const random_kind *kind, uint64_t *state, drawn *it) {
    random_reduce(kind, state, &it->reduce);
    const tally_function function = it->reduce.function;
    return sim_case_reduce(&it->reduce, sim_case_values(function, values_random(state)), *state);
}

static sim_case draw_scan(const random_kind *kind, uint64_t *state, drawn *it) {
    random_cumulative(kind, state, &it->cumulative);
    const tally_function function = it->cumulative.function;
    return sim_case_cumulative(&it->cumulative, sim_case_values(function, values_random(state)),
                               *state);
}

static sim_case draw_fill(const random_kind *kind, uint64_t *state, drawn *it) {
    random_diagonal(kind, state, &it->diagonal, &it->input);
    return sim_case_diagonal(&it->diagonal, VALUES_BITS, *state);
}

/* Whether a plan has an agent that no plan before had. */
static bool has_new(const agents *all, const tally_plan *plan) {
    bool found = false;
    for (uint32_t i = 0; i < plan->count; i++)
        found = found || !all->met[plan->step[i].spec.schedule];
    return found;
}

/* One problem on all invented devices; simulated on those whose plans have a new agent. */
static void meet(const sim_case *it, agents *all) {
    static tally_plan plan;
    static text words;
    tally_problem problem;
    words.length = 0;
    it->of.describe(&words, it->of.desc);
    ck_assert_int_eq(it->collapse(it->of.desc, &problem, NULL), TALLY_OK);
    for (uint32_t d = 0; d < sim_devices(); d++) {
        const sim_device *device = sim_device_at(d);
        if (!plan_check(&words, &problem, &device->limits, &plan) || !has_new(all, &plan))
            continue;
        sim_case_check_on(it, &device, 1);
        for (uint32_t i = 0; i < plan.count; i++)
            all->met[plan.step[i].spec.schedule] = true;
    }
}

/* A long set of few columns; long lines beside each other; a scan and a fill of bytes whose inputs
 * are transposed. */
static void meet_rare(agents *all) {
    const tally_reduce set = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(20, 2600, 3), 2);
    tally_reduce lines = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 4099), 3);
    shape_transpose(&lines.input);
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(45, 3, 290), 1);
    shape_transpose(&scan.input);
    tally_diagonal fill = shape_fill(SHAPE(2, 37, 1025));
    fill.output = shape_tensor(TALLY_U8, SHAPE(2, 37, 1025));
    tally_tensor input = fill.output;
    shape_transpose(&input);
    fill.input = &input;
    const sim_case cases[] = {
        sim_case_reduce(&set, VALUES_SMALL, 1), sim_case_reduce(&lines, VALUES_SMALL, 3),
        sim_case_cumulative(&scan, VALUES_SMALL, 4), sim_case_diagonal(&fill, VALUES_BITS, 2)};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        meet(&cases[i], all);
}

START_TEST(each_agent_is_planned_and_simulated) {
    static sim_case (*const draws[])(const random_kind *, uint64_t *,
                                     drawn *) = {draw_fold, draw_scan, draw_fill};
    const random_kind kind = {2500, 5, true};
    agents all = {{false}};
    uint64_t state = 71;
    meet_rare(&all);
    for (uint32_t i = 0; i < PROBLEMS; i++) {
        drawn memory;
        const sim_case it = draws[i % 3](&kind, &state, &memory);
        meet(&it, &all);
    }
    all.met[TALLY_SCAN_CARRY] = true; /* of parts, which no description has: device.parts_scan */
    check_all_met(&all, "no problem was planned with");
}
END_TEST

Suite *suite_agents(void);
Suite *suite_agents(void) {
    Suite *suite = suite_create("agents");
    TCase *tests = tcase_create("agents");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, each_agent_has_programs_that_are_compiled);
    tcase_add_test(tests, each_agent_is_planned_and_simulated);
    suite_add_tcase(suite, tests);
    return suite;
}
