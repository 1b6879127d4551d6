/*
 * test_store_faults.c: a directory of blobs when things break: files cut off at every length, bits
 * flipped, files under other names, no right to write, no room. Never a wrong blob. Each test
 * prints what it counted.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

/* ---- No rights, no room -----------------------------------------------------------------------
 */

/* Run in a process of its own, which says by its exit status that all went well. */
static void in_process(void (*run)(void)) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        run();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the process ended with 0x%x",
                  (unsigned)status);
}

static void use_read_only(void) {
    tally_store store;
    /* From where it is: the folders above may be closed to the other user. */
    store_case_demand(chdir(store_case_path) == 0 && chdir("..") == 0, 1);
    if (geteuid() == 0) /* whom no mode stops */
        store_case_demand(setuid(12345) == 0, 1);
    store_case_demand(
        tally_store_open(&store, NULL, strrchr(store_case_path, '/') + 1, STORE_CASE_LIMIT, NULL),
        2);
    store_case_demand(store_case_get(&store, 1) == RIGHT, 3);
    store_case_demand(!store_case_put(&store, 1) && !store_case_put(&store, 2), 4);
    store_case_demand(store_case_get(&store, 1) == RIGHT && store_case_get(&store, 2) == MISSED, 5);
    tally_store_close(&store);
}

START_TEST(a_read_only_folder_is_read) {
    char file[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    tally_store store = store_case_open();
    ck_assert(store_case_put(&store, 1));
    tally_store_close(&store);
    free(read_file(1, file, &size));
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(file, 12345, (gid_t)-1), 0);
        ck_assert_int_eq(chown(store_case_path, 12345, (gid_t)-1), 0);
    }
    ck_assert_int_eq(chmod(store_case_path, 0500), 0);
    in_process(use_read_only);
    ck_assert_int_eq(chmod(store_case_path, 0700), 0);
    ck_assert_uint_eq(folder_count(store_case_path, ""), 1);
}
END_TEST

/* A disk that is full after so many bytes. */
static size_t room;

static ssize_t write_with_room(int file, const void *bytes, size_t size) {
    const size_t most = size < room ? size : room;
    if (most == 0) {
        errno = ENOSPC;
        return -1;
    }
    room -= most;
    return write(file, bytes, most);
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

/* A limit on the size of files would end the process with a signal. */
static void use_with_small_files(void) {
    const struct rlimit most = {1000, 1000};
    tally_store store;
    store_case_demand(setrlimit(RLIMIT_FSIZE, &most) == 0, 1);
    store_case_demand(tally_store_open(&store, NULL, store_case_path, STORE_CASE_LIMIT, NULL), 2);
    store_case_demand(!store_case_put(&store, 1), 3);
    tally_store_close(&store);
}

START_TEST(a_limit_on_files_is_kept) {
    in_process(use_with_small_files);
    ck_assert_uint_eq(folder_count(store_case_path, ""), 0);
}
END_TEST

#if defined(__linux__)
/* 77: this process may not mount. */
static void fill_tmpfs(void) {
    tally_store store;
    unsigned stored = 0, right = 0;
    if (geteuid() != 0 || syscall(SYS_unshare, 0x00020000 /* CLONE_NEWNS */) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", store_case_path, "tmpfs", 0, "size=256k,mode=0700") != 0)
        _exit(77);
    store_case_demand(tally_store_open(&store, NULL, store_case_path, STORE_CASE_LIMIT, NULL), 1);
    for (unsigned i = 0; i < 100; i++)
        stored += store_case_put(&store, i);
    store_case_demand(stored > 2 && stored < 100, 2);
    for (unsigned i = 0; i < 100; i++) {
        outcome got = store_case_get(&store, i);
        store_case_demand(got != WRONG, 3);
        right += got == RIGHT;
    }
    store_case_demand(right == stored && tally_store_clean(store.folder, NULL) == 0, 4);
    tally_store_close(&store);
}

START_TEST(a_small_tmpfs_fills_up) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        fill_tmpfs();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
    printf("cache: a tmpfs of 256 KiB: %s\n",
           WEXITSTATUS(status) == 0 ? "full, nothing wrong, nothing left"
                                    : "may not be mounted here; see the disk that is full");
}
END_TEST
#endif

Suite *suite_store_faults(void) {
    Suite *suite = suite_create("store_faults");
    TCase *tests = tcase_create("store_faults");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, store_case_set_up, store_case_tear_down);
    tcase_add_test(tests, every_truncation_is_a_miss);
    tcase_add_test(tests, flipped_bits_are_misses);
    tcase_add_test(tests, a_foreign_key_is_a_miss);
    tcase_add_test(tests, a_read_only_folder_is_read);
    tcase_add_test(tests, a_full_disk_stores_nothing);
    tcase_add_test(tests, a_limit_on_files_is_kept);
#if defined(__linux__)
    tcase_add_test(tests, a_small_tmpfs_fills_up);
#endif
    suite_add_tcase(suite, tests);
    return suite;
}
