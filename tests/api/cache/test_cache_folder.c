/*
 * test_cache_folder.c: the folder of a cache. One that is full or too small is no failure; what is
 * in it can be listed and removed.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "api/runtime.h"
#include "cache_case.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

Suite *suite_cache_folder(void);

/* ---- Folders ----------------------------------------------------------------------------------
 */

/* The disk is full when the program is to be stored. */
static bool write_nothing(tally_file file, const void *bytes, size_t size) {
    (void)file;
    (void)bytes;
    (void)size;
    return false;
}

START_TEST(a_full_disk_is_no_failure) {
    tally_runtime *runtime = cache_case_open();
    runtime->device.recall.store.write = write_nothing;
    cache_case_check_result(runtime, TALLY_SUM);
    cache_case_check_result(runtime, TALLY_SUM);
    const tally_stats stats = fixture_stats(runtime);
    ck_assert_uint_eq(stats.programs_built, 1);
    ck_assert_uint_eq(stats.cache_writes, 0);
    ck_assert_uint_eq(folder_count(cache_case_path, ""), 0);
    tally_runtime_release(runtime);
}
END_TEST

/* A limit that no program fits into: none is kept. */
START_TEST(the_limit_is_the_configs) {
    tally_config config = fixture_config();
    config.cache_dir = cache_case_path;
    config.cache_limit = 1000;
    tally_runtime *runtime = fixture_make_runtime_by(&config);
    cache_case_check_result(runtime, TALLY_SUM);
    ck_assert_uint_eq(fixture_stats(runtime).cache_writes, 0);
    ck_assert_uint_eq(folder_count(cache_case_path, ""), 0);
    tally_runtime_release(runtime);
}
END_TEST

/* ---- Listing and clearing ---------------------------------------------------------------------
 */

static void count_file(void *user, const tally_cache_file *file) {
    ck_assert_ptr_nonnull(file->key);
    ck_assert_ptr_nonnull(strstr(file->key, "program: tally_fold_"));
    ck_assert_uint_gt(file->bytes, 1000);
    ++*(int *)user;
}

START_TEST(a_cache_is_listed_and_cleared) {
    int files = 0;
    uint64_t removed = 9;
    tally_error error;
    char missing[FOLDER_PATH_BYTES + 8];
    cache_case_check_compiles();
    fixture_ok(tally_cache_list(cache_case_path, count_file, &files, &error), &error, "list");
    ck_assert_int_eq(files, 1);
    tally_runtime *runtime = cache_case_open();
    fixture_ok(tally_cache_clear(cache_case_path, &removed, &error), &error, "clear");
    ck_assert_uint_eq(removed, 1);
    ck_assert_uint_eq(folder_count(cache_case_path, ""), 0);
    cache_case_check_result(runtime, TALLY_SUM); /* in use while it was cleared */
    tally_runtime_release(runtime);
    cache_case_check_loads();
    snprintf(missing, sizeof missing, "%s/none", cache_case_path);
    fixture_ok(tally_cache_list(missing, count_file, &files, &error), &error, "list");
    fixture_ok(tally_cache_clear(missing, &removed, &error), &error, "clear");
    ck_assert_uint_eq(removed, 0);
    ck_assert_int_eq(files, 1);
    refusal_check(REFUSAL(TALLY_INVALID, "cache_dir is NULL"),
                  tally_cache_list(NULL, count_file, &files, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "visit is NULL"),
                  tally_cache_list(cache_case_path, NULL, NULL, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "cache_dir is NULL"),
                  tally_cache_clear(NULL, &removed, &error), &error);
}
END_TEST

Suite *suite_cache_folder(void) {
    Suite *suite = suite_create("cache_folder");
    TCase *tests = tcase_create("cache_folder");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, cache_case_set_up, cache_case_tear_down);
    tcase_add_test(tests, a_full_disk_is_no_failure);
    tcase_add_test(tests, the_limit_is_the_configs);
    tcase_add_test(tests, a_cache_is_listed_and_cleared);
    suite_add_tcase(suite, tests);
    return suite;
}
