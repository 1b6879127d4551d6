/*
 * test_store_faults.c: a directory of blobs when things break: files cut off at every length, bits
 * flipped, files under other names, no right to write, no room, processes that race and processes
 * that are killed. Never a wrong blob, and nothing half-written left for long. Each test prints
 * what it counted.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "base/store.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
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
#include "support/folder.h"

Suite *suite_store_faults(void);

#define LIMIT ((uint64_t)64 << 20)
#define BLOB_MAX 40000

static char path[FOLDER_PATH_BYTES];

static void set_up(void) {
    folder_make(path);
}

static void tear_down(void) {
    folder_remove(path);
}

static tally_store open_store(void) {
    tally_store store;
    tally_error error = {TALLY_OK, 0, ""};
    ck_assert_msg(tally_store_open(&store, path, LIMIT, &error), "%s", error.message);
    return store;
}

/* The blob of a number: its key, and bytes that nobody would guess. */
static size_t make_blob(unsigned number, char key[32], unsigned char bytes[BLOB_MAX]) {
    const size_t size = 1 + number * 7919u % BLOB_MAX;
    uint32_t state = number + 1;
    snprintf(key, 32, "blob %u", number);
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(state >> 24);
    }
    return size;
}

static bool put_blob(tally_store *store, unsigned number) {
    unsigned char bytes[BLOB_MAX];
    char key[32];
    const size_t size = make_blob(number, key, bytes);
    return tally_store_put(store, key, bytes, size);
}

typedef enum outcome { MISSED, RIGHT, WRONG } outcome;

static outcome get_blob(tally_store *store, unsigned number) {
    unsigned char bytes[BLOB_MAX];
    char key[32];
    tally_blob blob;
    const size_t size = make_blob(number, key, bytes);
    if (!tally_store_get(store, key, &blob))
        return MISSED;
    bool right = blob.size == size && memcmp(blob.bytes, bytes, size) == 0;
    tally_blob_free(&blob);
    return right ? RIGHT : WRONG;
}

/* The file of a blob, and its bytes. */
static unsigned char *read_file(unsigned number, char file[FOLDER_PATH_BYTES + 64], size_t *size) {
    char key[32], name[TALLY_STORE_NAME_BYTES];
    snprintf(key, sizeof key, "blob %u", number);
    tally_store_name(key, name);
    snprintf(file, FOLDER_PATH_BYTES + 64, "%s/%s", path, name);
    return folder_read(file, size);
}

/* ---- Damage -----------------------------------------------------------------------------------
 */

START_TEST(every_truncation_is_a_miss) {
    char file[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    tally_store store = open_store();
    ck_assert(put_blob(&store, 36));
    unsigned char *bytes = read_file(36, file, &size);
    free(bytes);
    ck_assert_uint_gt(size, 5000);
    ck_assert_int_eq(get_blob(&store, 36), RIGHT);
    for (size_t length = size; length-- > 0;) {
        ck_assert_int_eq(truncate(file, (off_t)length), 0);
        ck_assert_int_eq(get_blob(&store, 36), MISSED);
    }
    ck_assert(put_blob(&store, 36));
    ck_assert_int_eq(get_blob(&store, 36), RIGHT);
    printf("cache: %zu truncation lengths: all missed\n", size);
    tally_store_close(&store);
}
END_TEST

START_TEST(flipped_bits_are_misses) {
    char file[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    const int flips = 1000;
    tally_store store = open_store();
    ck_assert(put_blob(&store, 36));
    unsigned char *bytes = read_file(36, file, &size);
    srand(1);
    for (int i = 0; i < flips; i++) {
        const size_t at = (size_t)rand() % size;
        const unsigned char bit = (unsigned char)(1u << rand() % 8);
        bytes[at] ^= bit;
        folder_write(file, bytes, size);
        bytes[at] ^= bit;
        ck_assert_int_eq(get_blob(&store, 36), MISSED);
    }
    folder_write(file, bytes, size);
    ck_assert_int_eq(get_blob(&store, 36), RIGHT);
    printf("cache: %d flipped bits: all missed\n", flips);
    free(bytes);
    tally_store_close(&store);
}
END_TEST

/* A file renamed over another's is whole, but of another key. */
START_TEST(a_foreign_key_is_a_miss) {
    char first[FOLDER_PATH_BYTES + 64], second[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    tally_store store = open_store();
    ck_assert(put_blob(&store, 1));
    ck_assert(put_blob(&store, 2));
    free(read_file(1, first, &size));
    free(read_file(2, second, &size));
    ck_assert_int_eq(rename(first, second), 0);
    ck_assert_int_eq(get_blob(&store, 1), MISSED);
    ck_assert_int_eq(get_blob(&store, 2), MISSED);
    ck_assert(put_blob(&store, 2));
    ck_assert_int_eq(get_blob(&store, 2), RIGHT);
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

static void demand(bool holds, int which) {
    if (!holds)
        _exit(which);
}

static void use_read_only(void) {
    tally_store store;
    /* From where it is: the folders above may be closed to the other user. */
    demand(chdir(path) == 0 && chdir("..") == 0, 1);
    if (geteuid() == 0) /* whom no mode stops */
        demand(setuid(12345) == 0, 1);
    demand(tally_store_open(&store, strrchr(path, '/') + 1, LIMIT, NULL), 2);
    demand(get_blob(&store, 1) == RIGHT, 3);
    demand(!put_blob(&store, 1) && !put_blob(&store, 2), 4);
    demand(get_blob(&store, 1) == RIGHT && get_blob(&store, 2) == MISSED, 5);
    tally_store_close(&store);
}

START_TEST(a_read_only_folder_is_read) {
    char file[FOLDER_PATH_BYTES + 64];
    size_t size = 0;
    tally_store store = open_store();
    ck_assert(put_blob(&store, 1));
    tally_store_close(&store);
    free(read_file(1, file, &size));
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(file, 12345, (gid_t)-1), 0);
        ck_assert_int_eq(chown(path, 12345, (gid_t)-1), 0);
    }
    ck_assert_int_eq(chmod(path, 0500), 0);
    in_process(use_read_only);
    ck_assert_int_eq(chmod(path, 0700), 0);
    ck_assert_uint_eq(folder_count(path, ""), 1);
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
    tally_store store = open_store();
    ck_assert(put_blob(&store, 1));
    free(read_file(1, file, &size));
    store.write = write_with_room;
    for (size_t bytes = 0; bytes < size; bytes += 1 + bytes / 16, tried++) {
        room = bytes;
        ck_assert(!put_blob(&store, 1));
        ck_assert_int_eq(get_blob(&store, 1), RIGHT); /* what was there stays */
        ck_assert_uint_eq(folder_count(path, ""), 1);
    }
    room = size;
    ck_assert(put_blob(&store, 1));
    printf("cache: a disk full at %d places: nothing stored, nothing lost\n", tried);
    tally_store_close(&store);
}
END_TEST

/* A limit on the size of files would end the process with a signal. */
static void use_with_small_files(void) {
    const struct rlimit most = {1000, 1000};
    tally_store store;
    demand(setrlimit(RLIMIT_FSIZE, &most) == 0, 1);
    demand(tally_store_open(&store, path, LIMIT, NULL), 2);
    demand(!put_blob(&store, 1), 3);
    tally_store_close(&store);
}

START_TEST(a_limit_on_files_is_kept) {
    in_process(use_with_small_files);
    ck_assert_uint_eq(folder_count(path, ""), 0);
}
END_TEST

#if defined(__linux__)
/* 77: this process may not mount. */
static void fill_tmpfs(void) {
    tally_store store;
    unsigned stored = 0, right = 0;
    if (geteuid() != 0 || syscall(SYS_unshare, 0x00020000 /* CLONE_NEWNS */) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", path, "tmpfs", 0, "size=256k,mode=0700") != 0)
        _exit(77);
    demand(tally_store_open(&store, path, LIMIT, NULL), 1);
    for (unsigned i = 0; i < 100; i++)
        stored += put_blob(&store, i);
    demand(stored > 2 && stored < 100, 2);
    for (unsigned i = 0; i < 100; i++) {
        outcome got = get_blob(&store, i);
        demand(got != WRONG, 3);
        right += got == RIGHT;
    }
    demand(right == stored && tally_store_clean(store.folder) == 0, 4);
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

/* ---- Many processes ---------------------------------------------------------------------------
 */

#define RACERS 8
#define RACED 12

/* Each wants the same blobs, and stores those that it does not find. */
static void race(void) {
    tally_store store;
    demand(tally_store_open(&store, path, LIMIT, NULL), 1);
    for (int round = 0; round < 10; round++)
        for (unsigned i = 0; i < RACED; i++) {
            outcome got = get_blob(&store, i);
            demand(got != WRONG, 2);
            if (got == MISSED || round % 3 == 0)
                demand(put_blob(&store, i), 3);
        }
    for (unsigned i = 0; i < RACED; i++)
        demand(get_blob(&store, i) == RIGHT, 4);
    tally_store_close(&store);
}

START_TEST(racing_processes_agree) {
    pid_t child[RACERS];
    for (int i = 0; i < RACERS; i++) {
        child[i] = fork();
        if (child[i] == 0) {
            race();
            _exit(0);
        }
    }
    for (int i = 0; i < RACERS; i++) {
        int status = 0;
        ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_uint_eq(folder_count(path, ""), RACED);
    printf("cache: %d processes raced for %d blobs: 0 wrong, 0 files left over\n", RACERS, RACED);
}
END_TEST

#define KILLED 200

static void store_for_ever(unsigned seed, int started) {
    tally_store store;
    demand(tally_store_open(&store, path, LIMIT, NULL), 1);
    demand(write(started, "x", 1) == 1, 1);
    for (unsigned i = seed;; i++)
        put_blob(&store, i % 50);
}

/* Let one write for a moment, and kill it. */
static void kill_one(unsigned seed) {
    int status = 0, started[2];
    char byte = 0;
    ck_assert_int_eq(pipe(started), 0);
    pid_t child = fork();
    if (child == 0)
        store_for_ever(seed, started[1]);
    close(started[1]);
    ck_assert_int_eq(read(started[0], &byte, 1), 1);
    close(started[0]);
    usleep((useconds_t)(rand() % 8000));
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/*
 * What a killed process leaves half-written is removed when the store is next opened, but not what
 * one that lives is writing.
 */
START_TEST(killed_processes_leave_nothing) {
    unsigned right = 0, left = 0;
    srand(2);
    for (unsigned i = 0; i < KILLED; i++) {
        kill_one(i);
        left += folder_count(path, ".tmp") > 0;
        if (i % 10 != 0)
            continue;
        tally_store store = open_store();
        ck_assert_uint_eq(folder_count(path, ".tmp"), 0);
        tally_store_close(&store);
    }
    tally_store store = open_store();
    ck_assert_uint_eq(folder_count(path, ".tmp"), 0);
    for (unsigned i = 0; i < 50; i++) {
        outcome got = get_blob(&store, i);
        ck_assert_int_ne(got, WRONG);
        right += got == RIGHT;
    }
    ck_assert_uint_gt(right, 0);
    ck_assert_uint_gt(left, 0); /* or the test would show nothing */
    printf("cache: %d processes killed: %u blobs right, 0 wrong; half-written files lay around "
           "after %u, "
           "0 after the next start\n",
           KILLED, right, left);
    tally_store_close(&store);
}
END_TEST

/* A writer that is stopped half-way is alive: its file stays, and it ends well. */
static int entered, leave;

static ssize_t write_slowly(int file, const void *bytes, size_t size) {
    char byte = 0;
    if (write(entered, "x", 1) != 1 || read(leave, &byte, 1) != 1)
        return -1;
    return write(file, bytes, size);
}

START_TEST(a_living_writer_is_left_alone) {
    int in[2], out[2], status = 0;
    char byte = 0;
    ck_assert_int_eq(pipe(in), 0);
    ck_assert_int_eq(pipe(out), 0);
    entered = in[1];
    leave = out[0];
    pid_t child = fork();
    if (child == 0) {
        tally_store own = open_store();
        own.write = write_slowly;
        _exit(put_blob(&own, 3) ? 0 : 1);
    }
    ck_assert_int_eq(read(in[0], &byte, 1), 1);
    ck_assert_uint_eq(folder_count(path, ".tmp"), 1);
    tally_store store = open_store(); /* cleans up */
    ck_assert_uint_eq(folder_count(path, ".tmp"), 1);
    ck_assert_int_eq(write(out[1], "x", 1), 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(get_blob(&store, 3), RIGHT);
    ck_assert_uint_eq(folder_count(path, ""), 1);
    tally_store_close(&store);
}
END_TEST

Suite *suite_store_faults(void) {
    Suite *suite = suite_create("store_faults");
    TCase *tests = tcase_create("store_faults");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, every_truncation_is_a_miss);
    tcase_add_test(tests, flipped_bits_are_misses);
    tcase_add_test(tests, a_foreign_key_is_a_miss);
    tcase_add_test(tests, a_read_only_folder_is_read);
    tcase_add_test(tests, a_full_disk_stores_nothing);
    tcase_add_test(tests, a_limit_on_files_is_kept);
#if defined(__linux__)
    tcase_add_test(tests, a_small_tmpfs_fills_up);
#endif
    tcase_add_test(tests, racing_processes_agree);
    tcase_add_test(tests, killed_processes_leave_nothing);
    tcase_add_test(tests, a_living_writer_is_left_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
