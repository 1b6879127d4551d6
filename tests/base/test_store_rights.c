/*
 * test_store_rights.c: whose a store's folder is, what lies there that is no file, and what the
 * system does not let it write. All of it is POSIX's: owners and modes, links and pipes, users,
 * limits of a process, mounts.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include <check.h>
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

Suite *suite_store_rights(void);

/* ---- Folders that are made and refused ------------------------------------------------------- */

/* The directories that are missing are made, for the user alone. */
START_TEST(folders_are_made) {
    tally_store store;
    tally_error error;
    struct stat about;
    char deep[FOLDER_PATH_BYTES + 16], middle[FOLDER_PATH_BYTES + 16];
    snprintf(deep, sizeof deep, "%s/x/y///", store_case_path);
    snprintf(middle, sizeof middle, "%s/x", store_case_path);
    umask(0);
    ck_assert(tally_store_open(&store, NULL, deep, STORE_CASE_LIMIT, &error));
    tally_store_close(&store);
    ck_assert_int_eq(stat(deep, &about), 0);
    ck_assert_uint_eq(about.st_mode & 0777, 0700);
    ck_assert_int_eq(stat(middle, &about), 0);
    ck_assert_uint_eq(about.st_mode & 0777, 0700);
    bool missing = true;
    ck_assert(tally_store_open_existing(&store, deep, &missing, &error));
    ck_assert(!missing);
    tally_store_close(&store);
    snprintf(deep, sizeof deep, "%s/z", store_case_path);
    ck_assert(!tally_store_open_existing(&store, deep, &missing, &error));
    ck_assert(missing);
    ck_assert_int_ne(stat(deep, &about), 0);
}
END_TEST

static void refuse(const char *folder, const char *why) {
    tally_store store;
    tally_error error;
    ck_assert(!tally_store_open(&store, NULL, folder, STORE_CASE_LIMIT, &error));
    ck_assert_int_eq(error.status, TALLY_INVALID);
    ck_assert_msg(strstr(error.message, why) != NULL, "'%s' lacks '%s'", error.message, why);
    ck_assert(strstr(error.message, folder) != NULL);
    ck_assert(!store.is_open);
    ck_assert(!tally_store_put(&store, "key", "", 0));
    tally_store_close(&store);
}

START_TEST(folders_of_others_are_refused) {
    static const mode_t bad[] = {0770, 0720, 0702, 0777, 01777};
    static const mode_t good[] = {0700, 0755, 0500};
    char other[FOLDER_PATH_BYTES + 16];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(chmod(store_case_path, bad[i]), 0);
        refuse(store_case_path, "can be written by others");
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ck_assert_int_eq(chmod(store_case_path, good[i]), 0);
        tally_store store = store_case_open();
        tally_store_close(&store);
    }
    ck_assert_int_eq(chmod(store_case_path, 0700), 0);
    snprintf(other, sizeof other, "%s/link", store_case_path);
    ck_assert_int_eq(symlink(store_case_path, other), 0);
    refuse(other, "is a symbolic link");
    strcat(other, "/"); /* which would follow it */
    tally_store store;
    ck_assert(!tally_store_open(&store, NULL, other, STORE_CASE_LIMIT, NULL));
    snprintf(other, sizeof other, "%s/file", store_case_path);
    folder_write(other, (const unsigned char *)"x", 1);
    refuse(other, "can't be opened: Not a directory");
    strcat(other, "/below");
    refuse(other, "can't be opened");
    refuse("", "can't be opened: No such file");
    /* Root's, or, for root, somebody's. */
    if (geteuid() != 0) {
        refuse("/", "belongs to somebody else");
    } else {
        ck_assert_int_eq(chown(store_case_path, 12345, (gid_t)-1), 0);
        refuse(store_case_path, "belongs to somebody else");
        ck_assert_int_eq(chown(store_case_path, 0, (gid_t)-1), 0);
    }
}
END_TEST

/* ---- What is no file --------------------------------------------------------------------------
 */

/* What has an entry's name but is no file is no entry, and nobody waits for it. */
START_TEST(what_is_no_file_is_a_miss) {
    tally_store store = store_case_open();
    char name[TALLY_STORE_NAME_BYTES], at[FOLDER_PATH_BYTES + TALLY_STORE_NAME_BYTES];
    tally_store_name("key", name);
    snprintf(at, sizeof at, "%s/%s", store_case_path, name);
    ck_assert_int_eq(mkfifo(at, 0600), 0);
    ck_assert(!store_case_holds(&store, "key", ""));
    ck_assert_int_eq(remove(at), 0);
    ck_assert_int_eq(mkdir(at, 0700), 0);
    ck_assert(!store_case_holds(&store, "key", ""));
    ck_assert(!tally_store_put(&store, "key", "x", 1));
    ck_assert_uint_eq(folder_count(store_case_path, ".tmp"), 0);
    ck_assert_int_eq(remove(at), 0);
    ck_assert_int_eq(symlink("/etc/passwd", at), 0);
    ck_assert(!store_case_holds(&store, "key", ""));
    ck_assert(tally_store_put(&store, "key", "x", 1)); /* takes the link's place */
    ck_assert(store_case_holds(&store, "key", "x"));
    /* A file of a terabyte, most of which is not there, is not read. */
    ck_assert_int_eq(truncate(at, (off_t)1 << 40), 0);
    ck_assert(!store_case_holds(&store, "key", "x"));
    tally_store_close(&store);
}
END_TEST

/* ---- What may not be written --------------------------------------------------------------------
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
    char file[FOLDER_PATH_BYTES];
    tally_store store = store_case_open();
    ck_assert(store_case_put(&store, 1));
    tally_store_close(&store);
    folder_first(store_case_path, ".blob", file);
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

Suite *suite_store_rights(void) {
    Suite *suite = suite_create("store_rights");
    TCase *tests = tcase_create("store_rights");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, store_case_set_up, store_case_tear_down);
    tcase_add_test(tests, folders_are_made);
    tcase_add_test(tests, folders_of_others_are_refused);
    tcase_add_test(tests, what_is_no_file_is_a_miss);
    tcase_add_test(tests, a_read_only_folder_is_read);
    tcase_add_test(tests, a_limit_on_files_is_kept);
#if defined(__linux__)
    tcase_add_test(tests, a_small_tmpfs_fills_up);
#endif
    suite_add_tcase(suite, tests);
    return suite;
}
