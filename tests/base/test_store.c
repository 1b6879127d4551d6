/*
 * test_store.c: a directory of blobs when nobody disturbs it: what is put is got, by whoever opens
 * the directory, and the least recently used goes first.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

#include "base/store_files.h"
#include "store_case.h"

Suite *suite_store(void);

#define LIMIT ((uint64_t)1 << 20)

static tally_store open_store(uint64_t limit) {
    tally_store store;
    tally_error error = TALLY_ERROR_INIT;
    ck_assert_msg(tally_store_open(&store, NULL, store_case_path, limit, &error), "%s",
                  error.message);
    return store;
}

/* ---- Getting and putting --------------------------------------------------------------------- */

START_TEST(what_is_put_is_got) {
    tally_store store = open_store(LIMIT);
    ck_assert(!store_case_holds(&store, "a", "first"));
    ck_assert(tally_store_put(&store, "a", "first", 5));
    ck_assert(tally_store_put(&store, "b", "", 0));
    ck_assert(store_case_holds(&store, "a", "first"));
    ck_assert(store_case_holds(&store, "b", ""));
    ck_assert(tally_store_put(&store, "a", "second", 6));
    ck_assert(store_case_holds(&store, "a", "second"));
    ck_assert_uint_eq(store.hits, 3);
    ck_assert_uint_eq(store.misses, 1);
    ck_assert_uint_eq(store.writes, 3);
    tally_store_close(&store);
    ck_assert(!store_case_holds(&store, "a", "second"));
    ck_assert(!tally_store_put(&store, "a", "third", 5));
    store = open_store(LIMIT);
    ck_assert(store_case_holds(&store, "a", "second"));
    tally_store_close(&store);
    ck_assert_uint_eq(folder_count(store_case_path, ""), 2);
}
END_TEST

/* ---- The limit --------------------------------------------------------------------------------
 */

static void use_at(tally_store *store, const char *key, time_t seconds) {
    struct utimbuf times = {seconds, seconds};
    char name[TALLY_STORE_NAME_BYTES], file[FOLDER_PATH_BYTES + TALLY_STORE_NAME_BYTES];
    ck_assert(tally_store_put(store, key, "0123456789", 10));
    tally_store_name(key, name);
    snprintf(file, sizeof file, "%s/%s", store_case_path, name);
    ck_assert_int_eq(utime(file, &times), 0);
}

/* Of three, two fit: the one that was not used lately goes, be it the one that came last but one.
 */
START_TEST(the_least_recently_used_goes_first) {
    const size_t each = 24 + 1 + 10 + 16; /* head, key, payload, hash */
    tally_store store = open_store(2 * each);
    use_at(&store, "a", 1000000);
    ck_assert(tally_store_put(&store, "b", "0123456789", 10));
    ck_assert(tally_store_put(&store, "c", "0123456789", 10));
    ck_assert(!store_case_holds(&store, "a", "0123456789"));
    ck_assert(store_case_holds(&store, "b", "0123456789"));
    ck_assert(store_case_holds(&store, "c", "0123456789"));
    tally_store_close(&store);

    folder_remove(store_case_path);
    ck_assert(tally_folder_make(store_case_path));
    store = open_store(2 * each);
    use_at(&store, "a", 1000000);
    ck_assert(store_case_holds(&store, "a", "0123456789")); /* that is a use */
    usleep(20000); /* more than the clock of any file system */
    ck_assert(tally_store_put(&store, "b", "0123456789", 10));
    usleep(20000);
    ck_assert(store_case_holds(&store, "a", "0123456789"));
    usleep(20000);
    ck_assert(tally_store_put(&store, "c", "0123456789", 10));
    ck_assert(store_case_holds(&store, "a", "0123456789"));
    ck_assert(!store_case_holds(&store, "b", "0123456789"));
    ck_assert(store_case_holds(&store, "c", "0123456789"));
    tally_store_close(&store);
}
END_TEST

/* What all files add up to. */
static void add_bytes(void *user, const tally_store_file *file) {
    *(uint64_t *)user += file->bytes;
}

START_TEST(the_limit_holds) {
    const uint64_t limit = 50000;
    const unsigned char bytes[3000] = {0};
    tally_store store = open_store(limit);
    uint64_t most = 0;
    for (int i = 0; i < 200; i++) {
        char key[16];
        uint64_t sum = 0;
        snprintf(key, sizeof key, "key %d", i);
        ck_assert(tally_store_put(&store, key, bytes, (size_t)(i * 997 % 3000)));
        tally_store_each(&store, add_bytes, &sum);
        ck_assert_uint_le(sum, limit);
        most = sum > most ? sum : most;
    }
    ck_assert_uint_gt(most, limit - 4000);
    /* What does not fit at all is not tried. */
    char *large = calloc(1, limit);
    const size_t before = folder_count(store_case_path, "");
    ck_assert(!tally_store_put(&store, "large", large, limit));
    ck_assert_uint_eq(folder_count(store_case_path, ""), before);
    free(large);
    tally_store_close(&store);
}
END_TEST

/* ---- Listing and clearing ---------------------------------------------------------------------
 */

typedef struct seen {
    int intact, damaged;
    bool first;
} seen;

static void look(void *user, const tally_store_file *file) {
    seen *all = user;
    all->intact += file->key != NULL;
    all->damaged += file->key == NULL;
    all->first = all->first || (file->key != NULL && strcmp(file->key, "first\nkey\n") == 0);
    ck_assert_int_gt(file->used, 1000000000);
}

/* Only what is the store's own is listed and removed. */
START_TEST(others_files_stay) {
    tally_store store = open_store(LIMIT);
    char name[TALLY_STORE_NAME_BYTES], file[FOLDER_PATH_BYTES + TALLY_STORE_NAME_BYTES];
    tally_error error;
    seen all = {0, 0, false};
    uint64_t removed = 0;
    ck_assert(tally_store_put(&store, "first\nkey\n", "1", 1));
    ck_assert(tally_store_put(&store, "second", "2", 1));
    tally_store_name("third", name);
    snprintf(file, sizeof file, "%s/%s", store_case_path, name);
    folder_write(file, (const unsigned char *)"damaged", 7);
    snprintf(file, sizeof file, "%s/notes.txt", store_case_path);
    folder_write(file, (const unsigned char *)"mine", 4);
    snprintf(file, sizeof file, "%s/0123456789abcdef0123456789abcdef.blob.bak", store_case_path);
    folder_write(file, (const unsigned char *)"mine", 4);
    tally_store_each(&store, look, &all);
    ck_assert_int_eq(all.intact, 2);
    ck_assert_int_eq(all.damaged, 1);
    ck_assert(all.first);
    ck_assert_msg(tally_store_clear(&store, &removed, &error), "%s", error.message);
    ck_assert_uint_eq(removed, 3);
    ck_assert_uint_eq(folder_count(store_case_path, ""), 2);
    tally_store_close(&store);
}
END_TEST

Suite *suite_store(void) {
    Suite *suite = suite_create("store");
    TCase *tests = tcase_create("store");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, store_case_set_up, store_case_tear_down);
    tcase_add_test(tests, what_is_put_is_got);
    tcase_add_test(tests, the_least_recently_used_goes_first);
    tcase_add_test(tests, the_limit_holds);
    tcase_add_test(tests, others_files_stay);
    suite_add_tcase(suite, tests);
    return suite;
}
