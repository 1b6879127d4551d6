/*
 * test_cache_folder.c: the folder of a cache. One that is no good, full or too small is no failure;
 * what is in it can be listed and removed; the user's is where the platform has such things.
 */
#define _XOPEN_SOURCE 700
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/runtime.h"
#include "cache_case.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

Suite *suite_cache_folder(void);

/* ---- Folders ----------------------------------------------------------------------------------
 */

static void check_unused(const char *why) {
    tally_runtime *runtime = cache_case_open();
    ck_assert_msg(strstr(cache_case_told, why) != NULL, "'%s' lacks '%s'", cache_case_told, why);
    cache_case_check_result(runtime, TALLY_SUM);
    const tally_stats stats = fixture_stats(runtime);
    ck_assert_uint_eq(stats.programs_built, 1);
    ck_assert_uint_eq(stats.cache_hits + stats.cache_misses + stats.cache_writes, 0);
    tally_runtime_release(runtime);
}

START_TEST(a_folder_that_is_no_good_is_not_used) {
    char real[FOLDER_PATH_BYTES];
    tally_error error;
    ck_assert_int_eq(chmod(cache_case_path, 0777), 0);
    check_unused("the cache is not used: the folder '");
    check_unused("can be written by others");
    refusal_check(REFUSAL(TALLY_INVALID, "can be written by others", cache_case_path),
                  tally_cache_clear(cache_case_path, NULL, &error), &error);
    ck_assert_int_eq(chmod(cache_case_path, 0700), 0);
    ck_assert_uint_eq(folder_count(cache_case_path, ""), 0);
    strcpy(real, cache_case_path);
    strcat(cache_case_path, "/link");
    ck_assert_int_eq(symlink(real, cache_case_path), 0);
    check_unused("is a symbolic link");
    ck_assert_int_eq(remove(cache_case_path), 0);
    folder_write(cache_case_path, (const unsigned char *)"x", 1);
    check_unused("Not a directory");
    cache_case_path[0] = '\0';
    check_unused("can't be opened");
    strcpy(cache_case_path, real);
}
END_TEST

/* The disk is full when the program is to be stored. */
static ssize_t write_nothing(int file, const void *bytes, size_t size) {
    (void)file;
    (void)bytes;
    (void)size;
    return -1;
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

/* ---- Listing, clearing, the default -----------------------------------------------------------
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

/* Set a variable, or unset it. */
static void set(const char *name, const char *value) {
    ck_assert_int_eq(value != NULL ? setenv(name, value, 1) : unsetenv(name), 0);
}

static char *copy_of(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL ? strdup(value) : NULL;
}

START_TEST(the_default_is_the_users_folder) {
    static const struct {
        const char *xdg, *home, *expected;
    } cases[] = {{"/x/cache", "/home/me", "/x/cache/tally"},
                 {NULL, "/home/me", "/home/me/.cache/tally"},
                 {"", "/home/me", "/home/me/.cache/tally"},
                 {"relative", "/home/me", "/home/me/.cache/tally"},
                 {"/x", NULL, "/x/tally"},
                 {NULL, NULL, NULL},
                 {"relative", "", NULL}};
    char *xdg = copy_of("XDG_CACHE_HOME"), *home = copy_of("HOME");
    char found[64];
    tally_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set("XDG_CACHE_HOME", cases[i].xdg);
        set("HOME", cases[i].home);
        const tally_status status = tally_default_cache_dir(found, sizeof found, &error);
        if (cases[i].expected != NULL) {
            fixture_ok(status, &error, "tally_default_cache_dir");
            ck_assert_str_eq(found, cases[i].expected);
        } else {
            refusal_check(REFUSAL(TALLY_UNSUPPORTED, "XDG_CACHE_HOME", "HOME"), status, &error);
            ck_assert_str_eq(found, "");
        }
    }
    set("XDG_CACHE_HOME", "/x/cache");
    fixture_ok(tally_default_cache_dir(found, 15, &error), &error, "tally_default_cache_dir");
    refusal_check(REFUSAL(TALLY_INVALID, "15 bytes", "14 fit"),
                  tally_default_cache_dir(found, 14, &error), &error);
    ck_assert_int_eq(tally_default_cache_dir(found, 0, NULL), TALLY_INVALID);
    refusal_check(REFUSAL(TALLY_INVALID, "NULL"), tally_default_cache_dir(NULL, 0, &error), &error);
    set("XDG_CACHE_HOME", xdg);
    set("HOME", home);
    free(xdg);
    free(home);
}
END_TEST

Suite *suite_cache_folder(void) {
    Suite *suite = suite_create("cache_folder");
    TCase *tests = tcase_create("cache_folder");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, cache_case_set_up, cache_case_tear_down);
    tcase_add_test(tests, a_folder_that_is_no_good_is_not_used);
    tcase_add_test(tests, a_full_disk_is_no_failure);
    tcase_add_test(tests, the_limit_is_the_configs);
    tcase_add_test(tests, a_cache_is_listed_and_cleared);
    tcase_add_test(tests, the_default_is_the_users_folder);
    suite_add_tcase(suite, tests);
    return suite;
}
