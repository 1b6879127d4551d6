/*
 * test_store_faults.c: a directory of blobs when things break: files cut off at every length, bits
 * flipped, files under other names, no room. Never a wrong blob. Each test
 * prints what it counted.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/store_files.h"
#include "store_case.h"

Suite *suite_store_faults(void);

/* The file of a blob, and its bytes. */
static unsigned char *read_file(unsigned number, char file[FOLDER_PATH_BYTES + 64], size_t *size) {
    char key[32], name[TALLY_STORE_NAME_BYTES];
    snprintf(key, sizeof key, "blob %u", number);
    tally_store_name(key, name);
    snprintf(file, FOLDER_PATH_BYTES + 64, "%s/%s", store_case_path, name);
    return folder_read(file, size);
}

/* ---- Damage -----------------------------------------------------------------------------------
 */

START_TEST(every_truncation_is_a_miss) {
    char file[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    tally_store store = store_case_open();
    ck_assert(store_case_put(&store, 36));
    unsigned char *bytes = read_file(36, file, &size);
    free(bytes);
    ck_assert_uint_gt(size, 5000);
    ck_assert_int_eq(store_case_get(&store, 36), RIGHT);
    for (size_t length = size; length-- > 0;) {
        ck_assert_int_eq(truncate(file, (off_t)length), 0);
        ck_assert_int_eq(store_case_get(&store, 36), MISSED);
    }
    ck_assert(store_case_put(&store, 36));
    ck_assert_int_eq(store_case_get(&store, 36), RIGHT);
    printf("cache: %zu truncation lengths: all missed\n", size);
    tally_store_close(&store);
}
END_TEST

START_TEST(flipped_bits_are_misses) {
    char file[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    const int flips = 1000;
    tally_store store = store_case_open();
    ck_assert(store_case_put(&store, 36));
    unsigned char *bytes = read_file(36, file, &size);
    srand(1);
    for (int i = 0; i < flips; i++) {
        const size_t at = (size_t)rand() % size;
        const unsigned char bit = (unsigned char)(1u << rand() % 8);
        bytes[at] ^= bit;
        folder_write(file, bytes, size);
        bytes[at] ^= bit;
        ck_assert_int_eq(store_case_get(&store, 36), MISSED);
    }
    folder_write(file, bytes, size);
    ck_assert_int_eq(store_case_get(&store, 36), RIGHT);
    printf("cache: %d flipped bits: all missed\n", flips);
    free(bytes);
    tally_store_close(&store);
}
END_TEST

/* A file renamed over another's is whole, but of another key. */
START_TEST(a_foreign_key_is_a_miss) {
    char first[FOLDER_PATH_BYTES + 64], second[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    tally_store store = store_case_open();
    ck_assert(store_case_put(&store, 1));
    ck_assert(store_case_put(&store, 2));
    free(read_file(1, first, &size));
    free(read_file(2, second, &size));
    ck_assert_int_eq(rename(first, second), 0);
    ck_assert_int_eq(store_case_get(&store, 1), MISSED);
    ck_assert_int_eq(store_case_get(&store, 2), MISSED);
    ck_assert(store_case_put(&store, 2));
    ck_assert_int_eq(store_case_get(&store, 2), RIGHT);
    tally_store_close(&store);
}
END_TEST

/* ---- No room ----------------------------------------------------------------------------------
 */

/* A disk that is full after so many bytes. */
static size_t room;

static bool write_with_room(tally_file file, const void *bytes, size_t size) {
    const bool fits = size <= room;
    const size_t most = fits ? size : room;
    room -= most;
    return tally_file_write(file, bytes, most) && fits;
}

START_TEST(a_full_disk_stores_nothing) {
    char file[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    int tried = 0;
    tally_store store = store_case_open();
    ck_assert(store_case_put(&store, 1));
    free(read_file(1, file, &size));
    store.write = write_with_room;
    for (size_t bytes = 0; bytes < size; bytes += 1 + bytes / 16, tried++) {
        room = bytes;
        ck_assert(!store_case_put(&store, 1));
        ck_assert_int_eq(store_case_get(&store, 1), RIGHT); /* what was there stays */
        ck_assert_uint_eq(folder_count(store_case_path, ""), 1);
    }
    room = size;
    ck_assert(store_case_put(&store, 1));
    printf("cache: a disk full at %d places: nothing stored, nothing lost\n", tried);
    tally_store_close(&store);
}
END_TEST

Suite *suite_store_faults(void) {
    Suite *suite = suite_create("store_faults");
    TCase *tests = tcase_create("store_faults");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, store_case_set_up, store_case_tear_down);
    tcase_add_test(tests, every_truncation_is_a_miss);
    tcase_add_test(tests, flipped_bits_are_misses);
    tcase_add_test(tests, a_foreign_key_is_a_miss);
    tcase_add_test(tests, a_full_disk_stores_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
