/*
 * test_single_pass.c: who decides whether scans take a single pass, what is said of it, and that
 * it never shows in the bits.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/runtime.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

static tally_scans ask(tally_runtime *runtime) {
    tally_scans scans = TALLY_SCANS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_scans(runtime, &scans, &error), &error, "tally_runtime_scans");
    ck_assert_ptr_nonnull(scans.reason);
    return scans;
}

/* Without kernels of GPUs there is nothing to decide, nor where overrides decide. */
START_TEST(overrides_decide_without_a_trial) {
    static const struct {
        tally_family family;
        tally_single_pass wish;
        bool single;
        const char *reason;
    } cases[] = {{TALLY_FAMILY_CPU, TALLY_SINGLE_PASS_AUTO, false, "only the kernels of GPUs"},
                 {TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_ON, false, "only the kernels of GPUs"},
                 {TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON, true, "the overrides ask for it"},
                 {TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, false, "the overrides forbid it"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_runtime *runtime = fixture_make_runtime_with(cases[i].family, cases[i].wish);
        tally_stats stats = {.struct_size = sizeof stats};
        const tally_scans scans = ask(runtime);
        ck_assert_int_eq(scans.single_pass, cases[i].single);
        ck_assert_uint_eq(scans.units, 0);
        ck_assert_ptr_nonnull(strstr(scans.reason, cases[i].reason));
        ck_assert_int_eq(tally_runtime_stats(runtime, &stats, NULL), TALLY_OK);
        ck_assert_uint_eq(stats.programs, 0);
        tally_runtime_release(runtime);
    }
}
END_TEST

/* Once: the second answer is the first. A no has a reason, a yes few groups that waited in vain. */
START_TEST(the_device_is_tried_once) {
    tally_runtime *runtime = fixture_make_runtime_with(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_AUTO);
    const tally_scans first = ask(runtime);
    tally_stats before = {.struct_size = sizeof before}, after = before;
    ck_assert_uint_ge(first.units, 200);
    if (first.single_pass)
        ck_assert_uint_le(first.left, first.units / 20);
    else
        ck_assert_uint_gt(strlen(first.reason), 0);
    ck_assert_int_eq(tally_runtime_stats(runtime, &before, NULL), TALLY_OK);
    const tally_scans again = ask(runtime);
    ck_assert_int_eq(tally_runtime_stats(runtime, &after, NULL), TALLY_OK);
    ck_assert_int_eq(again.single_pass, first.single_pass);
    ck_assert_uint_eq(again.left, first.left);
    ck_assert_uint_eq(after.program_requests, before.program_requests);
    tally_runtime_release(runtime);
}
END_TEST

/* A device whose programs don't build can't be tried: that is a no, and operators say why. */
START_TEST(a_trial_that_fails_is_a_no) {
    tally_runtime *runtime = fixture_make_runtime_with(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_AUTO);
    runtime->device.build_options = "-cl-no-such-option";
    const tally_scans scans = ask(runtime);
    ck_assert(!scans.single_pass);
    ck_assert_ptr_nonnull(strstr(scans.reason, "could not be tried: building"));
    tally_runtime_release(runtime);
}
END_TEST

/* A device may count any number of compute units: its trial takes no more memory for that. */
START_TEST(a_trial_is_bounded) {
    tally_limits limits = fixture_get()->runtime->device.limits;
    tally_problem problem;
    tally_error error;
    uint64_t count = 0;
    limits.units = 1u << 20;
    fixture_ok(tally_trial_state(&limits, &problem, &count, &error), &error, "tally_trial_state");
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_le(count * sizeof(float), UINT64_C(128) << 20);
}
END_TEST

START_TEST(bad_questions_are_refused) {
    tally_scans scans = TALLY_SCANS_INIT;
    tally_error error;
    tally_runtime *runtime = fixture_get()->runtime;
    refusal_check(REFUSAL(TALLY_INVALID, "runtime is NULL"),
                  tally_runtime_scans(NULL, &scans, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "tally_scans is NULL"),
                  tally_runtime_scans(runtime, NULL, &error), &error);
    scans.struct_size--;
    refusal_check(REFUSAL(TALLY_INVALID, "struct_size", "tally_scans"),
                  tally_runtime_scans(runtime, &scans, &error), &error);
}
END_TEST

Suite *suite_single_pass(void);
Suite *suite_single_pass(void) {
    Suite *suite = suite_create("single_pass");
    TCase *tests = tcase_create("single_pass");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, overrides_decide_without_a_trial);
    tcase_add_test(tests, the_device_is_tried_once);
    tcase_add_test(tests, a_trial_that_fails_is_a_no);
    tcase_add_test(tests, a_trial_is_bounded);
    tcase_add_test(tests, bad_questions_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
