/*
 * Plans told to people: every schedule has its reason, every field of specs and argument structs
 * its line, and the programs are those of the launches.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "plan/explain/explain.h"
#include "plan/program/source.h"
#include "support/descriptions/shape.h"
#include "support/plans/sample.h"
#include "support/plans/source_scan.h"

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

static void expect_part(const tally_text *text, const char *part) {
    ck_assert(!text->failed);
    if (text->data == NULL || strstr(text->data, part) == NULL)
        ck_abort_msg("no '%s' in\n%s", part, text->data != NULL ? text->data : "");
}

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
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_part(&text, lines[i]);
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
    expect_part(&text, part);
    tally_text_free(&text);
    text = reason_of(&problem, limits, &plan.step[plan.count - 1]);
    expect_part(&text, "It reads the states of the launch before: ");
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
    expect_part(&text, "each result, folded once, is copied to all of its places: ");
    tally_text_free(&text);
}
END_TEST

/* ---- The whole ----------------------------------------------------------------------------- */

/* An explanation of a problem, with nothing but the plan to go by. */
static tally_text explain(const tally_problem *problem, const tally_plan *plan,
                          const tally_limits *limits, bool programs) {
    tally_text text = TALLY_TEXT_INIT;
    tally_explanation of = {.problem = problem,
                            .limits = limits,
                            .whose = "of a test",
                            .plan = plan,
                            .options = "of a test"};
    tally_explain_own_kernels(&of);
    if (programs)
        tally_explain_programs(&of, &text);
    else
        tally_explain_plan(&of, &text);
    ck_assert(!text.failed);
    return text;
}

START_TEST(a_plan_of_two_launches) {
    static const char *const lines[] = {
        "limits: of a test\n",
        "  group                128 work-items at most\n",
        "problem: fold, sum of f32\n",
        "  kept axes            [2], strides of the input [10000], of the output [1]\n",
        "  swept group 1 of 1   [10000], strides of the input [1]\n",
        "  terms                10000 of each output\n",
        "plan: 2 launches, 256 bytes of scratch\n",
        "launch 1 of 2: tally_fold_any_sum_f32_",
        "  source               the input, 4 bytes each\n",
        "  target               scratch from byte 0, 4 bytes each\n",
        "  units of work        6\n",
        "  local memory         known once",
        "launch 2 of 2: tally_fold_any_sum_f32_",
        "  ND-range             1 groups of 64 work-items\n",
        "  argument terms       3\n"};
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(2, 10000), 2);
    tally_problem problem;
    ck_assert_int_eq(tally_problem_reduce(&desc, &problem, NULL), TALLY_OK);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_narrow);
    tally_text text = explain(&problem, &plan, &plan_sample_narrow, false);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_part(&text, lines[i]);
    tally_text_free(&text);
}
END_TEST

START_TEST(scans_fills_and_nothing) {
    tally_problem problem;
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1, 20000), 1);
    ck_assert_int_eq(tally_problem_cumulative(&scan, &problem, NULL), TALLY_OK);
    tally_plan plan = plan_sample_scan(&scan, &plan_sample_large);
    plan.count = 3;
    plan.out_of_place_steps = 1;
    tally_text text = explain(&problem, &plan, &plan_sample_large, false);
    expect_part(&text,
                "  axis                 [20000], strides of the input [1], of the output [1]");
    expect_part(&text, "launch 1 of 3: tally_scan_");
    expect_part(&text, ", where input and output lie apart\n");
    expect_part(&text, ", in place\n");
    tally_text_free(&text);
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    fill.output = shape_tensor(TALLY_F64, SHAPE(4, 5));
    fill.begin = -3;
    ck_assert_int_eq(tally_problem_diagonal(&fill, &problem, NULL), TALLY_OK);
    plan = plan_sample_fill(&fill, &plan_sample_cpu);
    text = explain(&problem, &plan, &plan_sample_cpu, false);
    expect_part(&text, "problem: fill of f64\n");
    expect_part(&text, "  source               nothing\n");
    expect_part(&text, "  argument low         -3\n");
    tally_text_free(&text);
    const tally_reduce none = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(0, 5), 2);
    ck_assert_int_eq(tally_problem_reduce(&none, &problem, NULL), TALLY_OK);
    plan = plan_sample_reduce(&none, &plan_sample_gpu);
    text = explain(&problem, &plan, &plan_sample_gpu, false);
    expect_part(&text, "plan: nothing to do, as the output is empty\n");
    tally_text_free(&text);
}
END_TEST

/* What a driver says is told in its place. */
START_TEST(a_driver_may_say_more) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(5), 1);
    tally_problem problem;
    tally_text text = TALLY_TEXT_INIT;
    ck_assert_int_eq(tally_problem_reduce(&desc, &problem, NULL), TALLY_OK);
    tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
    plan.step[0].slots = 77;
    const tally_explanation of = {.problem = &problem,
                                  .limits = &plan_sample_gpu,
                                  .whose = "of a test",
                                  .plan = &plan,
                                  .options = "of a test",
                                  .driver = {{true, 1111, 2222, 3333}}};
    tally_explain_plan(&of, &text);
    expect_part(&text, "  local memory         1111 bytes of a group, says the driver\n");
    expect_part(&text, ", 77 in a group at a time\n");
    expect_part(&text, "  private memory       2222 bytes of a work-item, says the driver\n");
    expect_part(&text, "  largest group        3333 work-items, says the driver\n");
    tally_text_free(&text);
}
END_TEST

START_TEST(usual_limits_are_of_their_family) {
    for (int family = TALLY_FAMILY_GENERIC; family <= TALLY_FAMILY_CPU; family++) {
        const tally_limits limits =
            tally_limits_usual((tally_family)family, TALLY_SINGLE_PASS_AUTO);
        ck_assert_int_eq(limits.family, family);
        ck_assert_uint_ge(limits.group_max, 256);
        ck_assert_uint_ge(limits.local_bytes, 32768);
        ck_assert_uint_gt(limits.units, 0);
        ck_assert_int_eq(limits.single_pass, family == TALLY_FAMILY_GPU);
    }
    ck_assert(!tally_limits_usual(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF).single_pass);
}
END_TEST

/* ---- Programs ------------------------------------------------------------------------------ */

/* Kernels of one program stand in it together, and once. */
START_TEST(launches_share_programs) {
    const tally_spec common = {.schedule = TALLY_FOLD_ANY,
                               .function = TALLY_SUM,
                               .input = TALLY_F32,
                               .kept_rank = 1,
                               .swept_rank = 1,
                               .index_bits = 32};
    tally_plan plan = {.count = 3};
    for (uint32_t i = 0; i < plan.count; i++) {
        plan.step[i].spec = common;
        plan.step[i].spec.first = i == 0;
        plan.step[i].spec.last = i == 2;
    }
    tally_text text = explain(NULL, &plan, &plan_sample_large, true);
    expect_part(&text, "// program of launch 1, 2, 3; options of the compiler: of a test\n#pragma");
    for (uint32_t i = 0; i < plan.count; i++) {
        char line[TALLY_NAME_BYTES + 32], name[TALLY_NAME_BYTES];
        tally_spec_name(&plan.step[i].spec, name);
        snprintf(line, sizeof line, "#define TALLY_KERNEL %s\n", name);
        const char *found = text.data != NULL ? strstr(text.data, line) : NULL;
        ck_assert_ptr_nonnull(found);
        ck_assert_ptr_null(strstr(found + 1, line));
    }
    ck_assert_uint_eq(source_scan_count(text.data, "__kernel"), 3);
    tally_text_free(&text);
}
END_TEST

/* Of two programs each is the source that the compiler gets. */
START_TEST(launches_have_programs_of_their_own) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(10000), 1);
    tally_problem problem;
    ck_assert_int_eq(tally_problem_reduce(&desc, &problem, NULL), TALLY_OK);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_narrow);
    tally_text text = explain(&problem, &plan, &plan_sample_narrow, true), wanted = TALLY_TEXT_INIT;
    for (uint32_t i = 0; i < plan.count; i++) {
        const tally_spec *spec = &plan.step[i].spec;
        tally_text_format(&wanted, "// program of launch %u; options of the compiler: of a test\n",
                          (unsigned)i + 1);
        tally_source_write_kernels(spec, tally_source_kernel(spec), &wanted);
    }
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_str_eq(text.data, wanted.data);
    tally_text_free(&text);
    tally_text_free(&wanted);
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
    tcase_add_test(tests, a_plan_of_two_launches);
    tcase_add_test(tests, scans_fills_and_nothing);
    tcase_add_test(tests, a_driver_may_say_more);
    tcase_add_test(tests, usual_limits_are_of_their_family);
    tcase_add_test(tests, launches_share_programs);
    tcase_add_test(tests, launches_have_programs_of_their_own);
    suite_add_tcase(suite, tests);
    return suite;
}
