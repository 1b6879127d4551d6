/*
 * schedules.c: the device's name, and the names in plans.
 */
#include "schedules.h"

#include <string.h>

#include "support/fixtures/fixture.h"

void schedules_check_simulator(void) {
    char version[256] = "";
    fixture_check(
        clGetDeviceInfo(fixture_get()->device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    ck_assert_msg(strstr(version, "Oclgrind") != NULL, "the device is '%s'", version);
}

/* What policies make kernels of their own, in names of kernels. */
static const struct {
    tally_kind kind;
    tally_family family;
    const char *schedule, *policy;
} parts[SCHEDULES_PARTS] = {
    {TALLY_KIND_FOLD, TALLY_FAMILY_GENERIC, "fold_any_", "_g"},
    {TALLY_KIND_SCAN, TALLY_FAMILY_GENERIC, "scan_any_", "_g"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_any_", "_outputsatonce"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_any_", "_linesatonce"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_any_", "_linesbeside"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_any_", "_blocksatonce"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_rows_", "_blocks"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_rows_", "_wholerows1"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_short_rows_", "_ofcolumns1"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_short_rows_", "_sharers"},
    {TALLY_KIND_FOLD, TALLY_FAMILY_GPU, "fold_outputs_", "_spread"},
    {TALLY_KIND_SCAN, TALLY_FAMILY_GPU, "scan_rows_", "_walk"},
    {TALLY_KIND_SCAN, TALLY_FAMILY_GPU, "scan_rows_", "_recompute"},
    {TALLY_KIND_SCAN, TALLY_FAMILY_GPU, "scan_rows_", "_two_passes"},
    {TALLY_KIND_SCAN, TALLY_FAMILY_GPU, "scan_columns_", "_walk"},
    {TALLY_KIND_SCAN, TALLY_FAMILY_GPU, "scan_columns_", "_two_passes"},
    {TALLY_KIND_SCAN, TALLY_FAMILY_GPU, "scan_staged_", "_walk"},
    {TALLY_KIND_SCAN, TALLY_FAMILY_GPU, "scan_staged_", "_two_passes"},
};

/* Whether a kernel's name, up to the comma behind it, has both. */
static bool has_part(const char *plan, const char *schedule, const char *policy) {
    for (const char *at = strstr(plan, schedule); at != NULL; at = strstr(at + 1, schedule)) {
        const char *found = strstr(at, policy);
        if (found != NULL && found < at + strcspn(at, ","))
            return true;
    }
    return false;
}

void schedules_note(schedules_used *used, const char *plan) {
    for (uint8_t s = 0; s < TALLY_SCHEDULES; s++)
        used->by[s] = used->by[s] || strstr(plan, tally_schedule_find(s)->name) != NULL;
    for (size_t i = 0; i < SCHEDULES_PARTS; i++)
        used->part[i] = used->part[i] || has_part(plan, parts[i].schedule, parts[i].policy);
}

static tally_family family_of(const tally_schedule_row *schedule) {
    static const char *const generic[] = {"fold_any", "scan_any", "fill"};
    for (size_t i = 0; i < sizeof generic / sizeof generic[0]; i++)
        if (strcmp(schedule->name, generic[i]) == 0)
            return TALLY_FAMILY_GENERIC;
    return strstr(schedule->name, "_cpu") != NULL ? TALLY_FAMILY_CPU : TALLY_FAMILY_GPU;
}

void schedules_check(const schedules_used *used, tally_kind kind, tally_family family) {
    for (uint8_t s = 0; s < TALLY_SCHEDULES; s++) {
        const tally_schedule_row *schedule = tally_schedule_find(s);
        /* of parts, which no description has; of many lines, which test_boxes.c has */
        if (s == TALLY_SCAN_CARRY || s == TALLY_SCAN_TRANSPOSE)
            continue;
        if (schedule->kind == kind && family_of(schedule) == family)
            ck_assert_msg(used->by[s], "no problem was planned with %s", schedule->name);
    }
    for (size_t i = 0; i < SCHEDULES_PARTS; i++)
        if (parts[i].kind == kind && parts[i].family == family)
            ck_assert_msg(used->part[i], "no problem was planned with %s and %s", parts[i].schedule,
                          parts[i].policy);
}

void schedules_add_case(Suite *suite, const char *name, const TTest *test) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, NULL, fixture_close);
    tcase_add_test(tests, test);
    suite_add_tcase(suite, tests);
}
