/*
 * test_cache_rights.c: the folder of a cache by POSIX's rules: one that others can write to, or
 * that is none, is not used; the user's is where the environment has such things.
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

Suite *suite_cache_rights(void);

/* ---- Folders that are no good ---------------------------------------------------------------- */

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

/* ---- The default ----------------------------------------------------------------------------- */

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

Suite *suite_cache_rights(void) {
    Suite *suite = suite_create("cache_rights");
    TCase *tests = tcase_create("cache_rights");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, cache_case_set_up, cache_case_tear_down);
    tcase_add_test(tests, a_folder_that_is_no_good_is_not_used);
    tcase_add_test(tests, the_default_is_the_users_folder);
    suite_add_tcase(suite, tests);
    return suite;
}
