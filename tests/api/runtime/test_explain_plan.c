/*
 * test_explain_plan.c: plans told through the public calls. What is told of an operator is what
 * runs, its programs are OpenCL C, and a question that is wrong is told nothing.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

Suite *suite_explain_plan(void);

/* What write was called with; the caller frees it. */
typedef struct told {
    char *text;
    int calls;
} told;

static void keep(void *user, const char *text) {
    told *by = user;
    free(by->text);
    by->text = malloc(strlen(text) + 1);
    ck_assert_ptr_nonnull(by->text);
    memcpy(by->text, text, strlen(text) + 1);
    by->calls++;
}

static void expect_part(const told *by, const char *part) {
    if (by->calls != 1 || strstr(by->text, part) == NULL)
        ck_abort_msg("%d calls, and no '%s' in\n%s", by->calls, part,
                     by->text != NULL ? by->text : "");
}

/* Each line of a plan in few words begins with a kernel's name. */
static void expect_names(const told *by, const tally_op *op) {
    const char *line = tally_op_describe(op);
    while (*line != '\0') {
        const char *name = strstr(line, "tally_");
        char part[160] = "";
        ck_assert_ptr_nonnull(name);
        strncat(part, name, strcspn(name, ","));
        expect_part(by, part);
        line += strcspn(line, "\n") + 1;
    }
}

static void explain_op(tally_family family, uint64_t terms) {
    tally_runtime *runtime = fixture_make_runtime_of(family);
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(2, terms), 1);
    tally_op *op = NULL;
    tally_error error;
    told by = {NULL, 0};
    fixture_ok(tally_cumulative_create(runtime, &desc, &op, &error), &error, "scan");
    memset(&error, 0x55, sizeof error);
    fixture_ok(tally_op_explain(op, false, keep, &by, &error), &error, "tally_op_explain");
    ck_assert_str_eq(error.message, "");
    expect_names(&by, op);
    expect_part(&by, "limits: the device's\n");
    expect_part(&by, " bytes of a group, says the driver\n");
    ck_assert_ptr_null(strstr(by.text, "#pragma"));
    free(by.text);
    tally_op_release(op);
    tally_runtime_release(runtime);
}

START_TEST(an_operator_is_told_as_it_is) {
    explain_op(TALLY_FAMILY_GENERIC, 300);
    explain_op(TALLY_FAMILY_GPU, 20000);
    explain_op(TALLY_FAMILY_CPU, 300);
}
END_TEST

/* Every line of a text is in another one, but for what no one knows without a driver. */
static void expect_lines(const told *before, const told *after) {
    for (const char *line = before->text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        char part[2048] = "";
        ck_assert_uint_lt(strcspn(line, "\n"), sizeof part);
        strncat(part, line, strcspn(line, "\n"));
        if (strstr(part, "known once a device has built") == NULL)
            expect_part(after, part);
    }
}

static uint64_t count_programs(tally_runtime *runtime) {
    tally_stats stats = TALLY_STATS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_stats(runtime, &stats, &error), &error, "tally_runtime_stats");
    return stats.programs;
}

/* What a runtime tells of a description is what it tells of the operator, made afterwards. */
static void check_told(tally_runtime *runtime, const tally_desc *desc) {
    tally_op *op = NULL;
    tally_error error;
    told before = {NULL, 0}, after = {NULL, 0};
    const uint64_t programs = count_programs(runtime);
    fixture_ok(tally_runtime_explain(runtime, desc, false, keep, &before, &error), &error,
               "tally_runtime_explain");
    ck_assert_uint_eq(count_programs(runtime), programs);
    fixture_ok(tally_op_create(runtime, desc, &op, &error), &error, "create");
    fixture_ok(tally_op_explain(op, false, keep, &after, &error), &error, "tally_op_explain");
    expect_names(&before, op);
    expect_part(&before, "limits: the device's\n");
    expect_lines(&before, &after);
    free(before.text);
    free(after.text);
    tally_op_release(op);
}

/*
 * In every family. Scans are in a single pass without a trial, which may come out otherwise when
 * the operator is made: on a busy machine its groups wait longer than it lets them.
 */
START_TEST(a_description_is_told_within_the_limits_of_a_runtime) {
    static const uint64_t terms[] = {300, 20000};
    tally_runtime *runtime = fixture_make_runtime_with((tally_family)_i, TALLY_SINGLE_PASS_ON);
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(2, terms[i]), 1);
        const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(2, terms[i]), 2);
        tally_desc of_scan = TALLY_DESC_INIT, of_sum = TALLY_DESC_INIT;
        of_scan.cumulative = &scan;
        of_sum.reduce = &sum;
        check_told(runtime, &of_sum);
        check_told(runtime, &of_scan);
    }
    tally_runtime_release(runtime);
}
END_TEST

/* The text of one program, comments and all, is one that the device builds. */
static void expect_kernel(const char *text, const char *options, const char *name) {
    const fixture *fix = fixture_get();
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(fix->context, 1, &text, NULL, &code);
    fixture_check(code);
    fixture_check(clBuildProgram(program, 1, &fix->device, options, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, name, &code);
    fixture_check(code);
    fixture_check(clReleaseKernel(kernel));
    fixture_check(clReleaseProgram(program));
}

static tally_desc of_reduce(const tally_reduce *reduce) {
    tally_desc desc = TALLY_DESC_INIT;
    desc.reduce = reduce;
    return desc;
}

START_TEST(sources_are_programs) {
    static const char options[] = "-cl-std=CL1.2 -DTALLY_ROUNDS_CORRECTLY=0";
    static const char name[] = "tally_fold_any_sum_i32_k1_s1_i32_g128_p4_first_last";
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(2, 100), 2);
    const tally_desc desc = of_reduce(&sum);
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GENERIC);
    tally_op *op = NULL;
    tally_error error;
    told by = {NULL, 0}, of_op = {NULL, 0};
    fixture_ok(
        tally_explain(&desc, TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_AUTO, true, keep, &by, &error),
        &error, "tally_explain");
    expect_part(&by, "// limits: the usual ones");
    expect_part(&by, name);
    expect_kernel(by.text, options, name);
    fixture_ok(tally_reduce_create(runtime, &sum, &op, &error), &error, "reduce");
    fixture_ok(tally_op_explain(op, true, keep, &of_op, &error), &error, "tally_op_explain");
    expect_part(&of_op, "// limits: the device's\n");
    if (strstr(of_op.text, name) != NULL)
        expect_kernel(of_op.text, options, name);
    free(by.text);
    free(of_op.text);
    tally_op_release(op);
    tally_runtime_release(runtime);
}
END_TEST

/* Each kind of operator, of each family. */
START_TEST(descriptions_are_told_without_a_device) {
    const tally_reduce reduce = shape_reduce(TALLY_ARGMAX, TALLY_F16, SHAPE(20, 30), 1);
    const tally_cumulative scan = shape_scan(TALLY_MIN, TALLY_U8, SHAPE(20, 30), 1);
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    fill.output = shape_tensor(TALLY_I16, SHAPE(20, 30));
    tally_desc desc[3] = {TALLY_DESC_INIT, TALLY_DESC_INIT, TALLY_DESC_INIT};
    static const char *const problems[] = {"problem: fold, argmax of f16\n",
                                           "problem: scan, min of u8\n", "problem: fill of i16\n"};
    desc[0].reduce = &reduce;
    desc[1].cumulative = &scan;
    desc[2].diagonal = &fill;
    for (int i = 0; i < 3; i++)
        for (int family = TALLY_FAMILY_GENERIC; family <= TALLY_FAMILY_CPU; family++) {
            tally_error error;
            told by = {NULL, 0};
            fixture_ok(tally_explain(&desc[i], (tally_family)family, TALLY_SINGLE_PASS_OFF, false,
                                     keep, &by, &error),
                       &error, "tally_explain");
            expect_part(&by, problems[i]);
            expect_part(&by, "launch 1 of 1: tally_");
            free(by.text);
        }
}
END_TEST

START_TEST(wrong_questions_are_told_nothing) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(2, 100), 4);
    const tally_desc beyond = of_reduce(&sum), none = TALLY_DESC_INIT;
    const tally_family gpu = TALLY_FAMILY_GPU;
    const tally_single_pass on = TALLY_SINGLE_PASS_ON;
    tally_error error;
    told by = {NULL, 0};
    refusal_check(REFUSAL(TALLY_INVALID, "the operator is NULL"),
                  tally_op_explain(NULL, false, keep, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "the description is NULL"),
                  tally_explain(NULL, gpu, on, false, keep, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "the function that takes the text is NULL"),
                  tally_explain(&beyond, gpu, on, false, NULL, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "family 0 is none of GENERIC (1) to CPU (3)"),
                  tally_explain(&beyond, TALLY_FAMILY_AUTO, on, false, keep, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "family 4 is none of"),
                  tally_explain(&beyond, (tally_family)4, on, false, keep, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "single_pass 3 is no", "the highest is 2"),
                  tally_explain(&beyond, gpu, (tally_single_pass)3, false, keep, &by, &error),
                  &error);
    refusal_check(REFUSAL(TALLY_INVALID, "0 of its three descriptions"),
                  tally_explain(&none, gpu, on, false, keep, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "axes"),
                  tally_explain(&beyond, gpu, on, false, keep, &by, &error), &error);
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GENERIC);
    refusal_check(REFUSAL(TALLY_INVALID, "the runtime is NULL"),
                  tally_runtime_explain(NULL, &beyond, false, keep, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "the tally_desc is NULL"),
                  tally_runtime_explain(runtime, NULL, false, keep, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "the function that takes the text is NULL"),
                  tally_runtime_explain(runtime, &beyond, false, NULL, &by, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "axes"),
                  tally_runtime_explain(runtime, &beyond, false, keep, &by, &error), &error);
    tally_runtime_release(runtime);
    ck_assert_int_eq(by.calls, 0);
}
END_TEST

Suite *suite_explain_plan(void) {
    Suite *suite = suite_create("explain_plan");
    TCase *tests = tcase_create("explain_plan");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, an_operator_is_told_as_it_is);
    tcase_add_loop_test(tests, a_description_is_told_within_the_limits_of_a_runtime,
                        TALLY_FAMILY_GENERIC, TALLY_FAMILY_CPU + 1);
    tcase_add_test(tests, sources_are_programs);
    tcase_add_test(tests, descriptions_are_told_without_a_device);
    tcase_add_test(tests, wrong_questions_are_told_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
