/*
 * schedules.c: the device's name, and the names in plans.
 */
#include "schedules.h"

#include <string.h>

#include "support/fixture.h"

void schedules_check_simulator(void) {
    char version[256] = "";
    fixture_check(
        clGetDeviceInfo(fixture_get()->device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    ck_assert_msg(strstr(version, "Oclgrind") != NULL, "the device is '%s'", version);
}

void schedules_note(schedules_used *used, const char *plan) {
    for (uint8_t s = 0; s < TALLY_SCHEDULES; s++)
        used->by[s] = used->by[s] || strstr(plan, tally_schedule_find(s)->name) != NULL;
}

static tally_family family_of(const tally_schedule_row *schedule) {
    static const char *const generic[] = {"fold_any", "scan_any"};
    for (size_t i = 0; i < sizeof generic / sizeof generic[0]; i++)
        if (strcmp(schedule->name, generic[i]) == 0)
            return TALLY_FAMILY_GENERIC;
    return strstr(schedule->name, "_cpu") != NULL ? TALLY_FAMILY_CPU : TALLY_FAMILY_GPU;
}

void schedules_check(const schedules_used *used, tally_kind kind, tally_family family) {
    for (uint8_t s = 0; s < TALLY_SCHEDULES; s++) {
        const tally_schedule_row *schedule = tally_schedule_find(s);
        if (schedule->kind == kind && family_of(schedule) == family)
            ck_assert_msg(used->by[s], "no problem was planned with %s", schedule->name);
    }
}

void schedules_add_case(Suite *suite, const char *name, const TTest *test) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, NULL, fixture_close);
    tcase_add_test(tests, test);
    suite_add_tcase(suite, tests);
}
