/*
 * A plan told as a whole: the lines of its problem, its launches and what a driver says of them,
 * and the programs of the launches as the compiler gets them.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "plan/explain/explain.h"
#include "plan/program/source.h"
#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/plans/sample.h"
#include "support/plans/source_scan.h"

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
        expect_part(text.data, lines[i]);
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
    expect_part(text.data,
                "  axis                 [20000], strides of the input [1], of the output [1]");
    expect_part(text.data, "launch 1 of 3: tally_scan_");
    expect_part(text.data, ", where input and output lie apart\n");
    expect_part(text.data, ", in place\n");
    tally_text_free(&text);
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    fill.output = shape_tensor(TALLY_F64, SHAPE(4, 5));
    fill.begin = -3;
    ck_assert_int_eq(tally_problem_diagonal(&fill, &problem, NULL), TALLY_OK);
    plan = plan_sample_fill(&fill, &plan_sample_cpu);
    text = explain(&problem, &plan, &plan_sample_cpu, false);
    expect_part(text.data, "problem: fill of f64\n");
    expect_part(text.data, "  source               nothing\n");
    expect_part(text.data, "  argument low         -3\n");
    tally_text_free(&text);
    const tally_reduce none = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(0, 5), 2);
    ck_assert_int_eq(tally_problem_reduce(&none, &problem, NULL), TALLY_OK);
    plan = plan_sample_reduce(&none, &plan_sample_gpu);
    text = explain(&problem, &plan, &plan_sample_gpu, false);
    expect_part(text.data, "plan: nothing to do, as the output is empty\n");
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
    ck_assert(!text.failed);
    expect_part(text.data, "  local memory         1111 bytes of a group, says the driver\n");
    expect_part(text.data, ", 77 in a group at a time\n");
    expect_part(text.data, "  private memory       2222 bytes of a work-item, says the driver\n");
    expect_part(text.data, "  largest group        3333 work-items, says the driver\n");
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
    expect_part(text.data,
                "// program of launch 1, 2, 3; options of the compiler: of a test\n#pragma");
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

Suite *suite_explain_text(void);

Suite *suite_explain_text(void) {
    Suite *suite = suite_create("explain_text");
    TCase *tests = tcase_create("explain_text");
    tcase_add_test(tests, a_plan_of_two_launches);
    tcase_add_test(tests, scans_fills_and_nothing);
    tcase_add_test(tests, a_driver_may_say_more);
    tcase_add_test(tests, usual_limits_are_of_their_family);
    tcase_add_test(tests, launches_share_programs);
    tcase_add_test(tests, launches_have_programs_of_their_own);
    suite_add_tcase(suite, tests);
    return suite;
}
