/*
 * test_injection_devices.c: every call that the library makes for two devices fails, as in
 * test_injection.c: while they are measured, while an operator on both is made, and while it runs.
 */
#include <check.h>

#include "acts.h"
#include "support/share.h"

START_TEST(lists) {
    stage at = stage_open(&subjects[3], 0);
    sweep_all(&act_devices, &at, !share_is_asked_for());
    stage_close(&at);
}
END_TEST

/* Of what only a measurement calls; each try of it sums much memory. */
START_TEST(measurements) {
    static const layer_call calls[] = {LAYER_clCreateCommandQueue, LAYER_clCreateBuffer,
                                       LAYER_clFinish};
    stage at = stage_open(&subjects[3], 0);
    sweep(&act_devices_measured, &at,
          (layer_failure){.call = calls[_i], .code = CL_OUT_OF_RESOURCES});
    stage_close(&at);
}
END_TEST

/* A reduction by states, and a scan with a carry. */
START_TEST(operators) {
    stage at = stage_open(&subjects[((const int[]){3, 12})[_i]], 0);
    sweep_all(&act_devices_op, &at, false);
    sweep_all(&act_devices_run, &at, _i == 1 && !share_is_asked_for());
    stage_close(&at);
}
END_TEST

static void release_programs(void) {
    layer_heal();
    layer_release_programs();
}

Suite *suite_injection_devices(void);
Suite *suite_injection_devices(void) {
    Suite *suite = suite_create("injection_devices");
    TCase *tests = tcase_create("devices");
    tcase_set_timeout(tests, 0); /* what hangs is ended by ctest */
    tcase_add_checked_fixture(tests, NULL, layer_heal);
    tcase_add_unchecked_fixture(tests, NULL, release_programs);
    tcase_add_test(tests, lists);
    tcase_add_loop_test(tests, measurements, 0, 3);
    tcase_add_loop_test(tests, operators, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
