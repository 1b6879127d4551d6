/*
 * test_injection_parts.c: every call that the library makes for a scan in two parts fails, as in
 * test_injection.c: while its operators are made, and while they are enqueued, one with a carry.
 */
#include <check.h>

#include "acts.h"

/* By lines, and by steps that need scratch. */
START_TEST(scans) {
    stage at = stage_open(&subjects[((const int[]){10, 12})[_i]], 0);
    sweep_all(&act_parts, &at, false);
    sweep_all(&act_parts_enqueue, &at, _i == 0);
    stage_close(&at);
}
END_TEST

static void release_programs(void) {
    layer_heal();
    layer_release_programs();
}

Suite *suite_injection_parts(void);
Suite *suite_injection_parts(void) {
    Suite *suite = suite_create("injection_parts");
    TCase *tests = tcase_create("parts");
    tcase_set_timeout(tests, 0); /* what hangs is ended by ctest */
    tcase_add_checked_fixture(tests, NULL, layer_heal);
    tcase_add_unchecked_fixture(tests, NULL, release_programs);
    tcase_add_loop_test(tests, scans, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
