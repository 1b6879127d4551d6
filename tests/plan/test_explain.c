/*
 * What plans are told by: every schedule has its reason, and every field of specs and argument
 * structs its line. The whole of a plan is test_explain_text.c's.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "plan/explain/explain.h"
#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/plans/sample.h"

Suite *suite_explain(void);

/* ---- Fields -------------------------------------------------------------------------------- */

/* Whether a byte of a spec is a part of another agent's policy. */
static bool is_of_another(const tally_spec *spec, size_t byte) {
    const size_t begin = offsetof(tally_spec, policy) + tally_spec_policy(spec)->count * 2;
    return byte >= begin && byte < offsetof(tally_spec, policy) + sizeof(tally_policy);
}

/* A byte of a spec that changes nothing of what is told is a field without a row. */
static void expect_all_fields(const tally_spec *spec) {
    tally_text before = TALLY_TEXT_INIT;
    tally_explain_spec(spec, &before);
    for (size_t i = 0; i < sizeof *spec; i++) {
        tally_spec other = *spec;
        tally_text after = TALLY_TEXT_INIT;
        ((unsigned char *)&other)[i] ^= 1;
        tally_explain_spec(&other, &after);
        ck_assert(!after.failed);
        if ((strcmp(before.data, after.data) == 0) != is_of_another(spec, i))
            ck_abort_msg("byte %zu of the spec of %s has no row, or another's", i,
                         tally_schedule_find(spec->schedule)->name);
        tally_text_free(&after);
    }
    tally_text_free(&before);
}

START_TEST(every_field_of_a_spec_is_told) {
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++) {
        const tally_spec spec = {
            .schedule = schedule, .function = TALLY_SUM, .input = TALLY_F32, .group = 1};
        expect_all_fields(&spec);
    }
}
END_TEST

START_TEST(fields_have_names_and_values) {
    const tally_spec spec = {.schedule = TALLY_SCAN_ROWS,
                             .function = TALLY_MAX,
                             .input = TALLY_F16,
                             .kept_rank = 4,
                             .nan = TALLY_NAN_IGNORE,
                             .group = 512,
                             .policy.scan_rows.carry = TALLY_CARRY_TWO_PASSES,
                             .phase = TALLY_TOTALS,
                             .last = 1,
                             .output = TALLY_U64};
    static const char *const lines[] = {
        "spec schedule        scan_rows  ", "spec function        max ",
        "spec input           f16 ",        "spec kept_rank       4 ",
        "spec nan             ignore ",     "spec tie             first ",
        "spec group           512 ",        "spec carry           two_passes ",
        "spec phase           totals ",     "spec first           no ",
        "spec last            yes ",        "spec output          u64 "};
    tally_text text = TALLY_TEXT_INIT;
    tally_explain_spec(&spec, &text);
    ck_assert(!text.failed);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_part(text.data, lines[i]);
    tally_text_free(&text);
}
END_TEST

/* Each member is a number of its own, and is told; the head is told elsewhere. */
START_TEST(every_argument_is_told) {
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++) {
        tally_step step = {
            .spec = {.schedule = schedule, .kept_rank = TALLY_AXES, .swept_rank = TALLY_AXES}};
        tally_text text = TALLY_TEXT_INIT;
        const size_t head = sizeof(tally_head) / 8;
        const size_t members = tally_spec_args_bytes(&step.spec) / 8;
        for (uint64_t i = head; i < members; i++)
            memcpy((char *)&step.args + i * 8, &(uint64_t){1000000 + i}, 8);
        tally_explain_args(&step, &text);
        for (size_t i = head; i < members; i++) {
            char number[24];
            snprintf(number, sizeof number, " %zu", 1000000 + i);
            if (strstr(text.data, number) == NULL)
                ck_abort_msg("member %zu of the arguments of %s has no row in "
                             "plan/args.def",
                             i, tally_schedule_find(schedule)->name);
        }
        tally_text_free(&text);
    }
}
END_TEST

/* ---- Reasons ------------------------------------------------------------------------------- */

static tally_text reason_of(const tally_problem *problem, const tally_limits *limits,
                            const tally_step *step) {
    tally_text text = TALLY_TEXT_INIT;
    tally_plan_reason(problem, limits, step, &text);
    ck_assert(!text.failed);
    return text;
}

START_TEST(every_schedule_has_a_reason) {
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++) {
        const tally_schedule_row *row = tally_schedule_find(schedule);
        const tally_problem problem = {.kind = row->kind};
        for (uint16_t group = 0; group <= 64; group += 64) {
            const tally_step step = {.spec = {.schedule = schedule, .group = group, .first = 1}};
            tally_text text = reason_of(&problem, &plan_sample_gpu, &step);
            if (text.length < 20)
                ck_abort_msg("%s has no row in plan/explain/reason.c", row->name);
            ck_assert(text.data[0] >= 'A' && text.data[0] <= 'Z');
            ck_assert_ptr_eq(strchr(text.data, '.'), text.data + text.length - 1);
            tally_text_free(&text);
        }
    }
}
END_TEST

START_TEST(every_phase_has_its_part) {
    tally_step step = {.spec = {.schedule = TALLY_SCAN_ROWS}};
    ck_assert_ptr_null(tally_plan_part(&step));
    for (step.spec.phase = 1; step.spec.phase < TALLY_PHASES; step.spec.phase++)
        if (tally_plan_part(&step) == NULL)
            ck_abort_msg("phase %s has no row in plan/explain/reason.c",
                         tally_phase_name(step.spec.phase));
    tally_step piece = {.spec = {.schedule = TALLY_SCAN_CPU_ROWS, .phase = TALLY_PASS}};
    step.spec.phase = TALLY_PASS;
    ck_assert_str_ne(tally_plan_part(&step), tally_plan_part(&piece));
    step.spec.phase = piece.spec.phase = TALLY_APPLY;
    ck_assert_str_eq(tally_plan_part(&step), tally_plan_part(&piece));
    piece.spec.schedule = TALLY_SCAN_CPU_PANEL;
    step.spec.phase = piece.spec.phase = TALLY_TOTALS;
    ck_assert_str_ne(tally_plan_part(&step), tally_plan_part(&piece));
}
END_TEST

static void expect_reason(const tally_limits *limits, const char *part) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 5, 7), 5);
    tally_problem problem;
    ck_assert_int_eq(tally_problem_reduce(&desc, &problem, NULL), TALLY_OK);
    const tally_plan plan = plan_sample_reduce(&desc, limits);
    tally_text text = reason_of(&problem, limits, &plan.step[0]);
    expect_part(text.data, part);
    tally_text_free(&text);
    text = reason_of(&problem, limits, &plan.step[plan.count - 1]);
    expect_part(text.data, "It reads the states of the launch before: ");
    tally_text_free(&text);
}

START_TEST(what_is_left_for_all_strides_says_why) {
    tally_limits generic = plan_sample_gpu;
    generic.family = TALLY_FAMILY_GENERIC;
    expect_reason(&generic, "The family generic has only schedules that serve all strides: a ");
    expect_reason(&plan_sample_narrow, "groups or local memory are too small");
}
END_TEST

START_TEST(what_repeats_results_says_why) {
    tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(9, 9000000), 2);
    tally_problem problem;
    shape_repeat(&desc.input, 1);
    ck_assert_int_eq(tally_problem_reduce(&desc, &problem, NULL), TALLY_OK);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
    tally_text text = reason_of(&problem, &plan_sample_gpu, &plan.step[plan.count - 1]);
    expect_part(text.data, "each result, folded once, is copied to all of its places: ");
    tally_text_free(&text);
}
END_TEST

Suite *suite_explain(void) {
    Suite *suite = suite_create("explain");
    TCase *tests = tcase_create("explain");
    tcase_add_test(tests, every_field_of_a_spec_is_told);
    tcase_add_test(tests, fields_have_names_and_values);
    tcase_add_test(tests, every_argument_is_told);
    tcase_add_test(tests, every_schedule_has_a_reason);
    tcase_add_test(tests, every_phase_has_its_part);
    tcase_add_test(tests, what_is_left_for_all_strides_says_why);
    tcase_add_test(tests, what_repeats_results_says_why);
    suite_add_tcase(suite, tests);
    return suite;
}
