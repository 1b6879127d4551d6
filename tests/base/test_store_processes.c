/*
 * test_store_processes.c: a store that many processes use: they race for the same blobs, are killed
 * while they write, or take their time. Nobody ever sees a wrong blob, and what the dead leave
 * half-written goes. Each test prints what it counted.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_case.h"

Suite *suite_store_processes(void);

/* ---- Many processes ---------------------------------------------------------------------------
 */

#define RACERS 8
#define RACED 12

/* Each wants the same blobs, and stores those that it does not find. */
static void race(void) {
    tally_store store;
    store_case_demand(tally_store_open(&store, NULL, store_case_path, STORE_CASE_LIMIT, NULL), 1);
    for (int round = 0; round < 10; round++)
        for (unsigned i = 0; i < RACED; i++) {
            outcome got = store_case_get(&store, i);
            store_case_demand(got != WRONG, 2);
            if (got == MISSED || round % 3 == 0)
                store_case_demand(store_case_put(&store, i), 3);
        }
    for (unsigned i = 0; i < RACED; i++)
        store_case_demand(store_case_get(&store, i) == RIGHT, 4);
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
    ck_assert_uint_eq(folder_count(store_case_path, ""), RACED);
    printf("cache: %d processes raced for %d blobs: 0 wrong, 0 files left over\n", RACERS, RACED);
}
END_TEST

#define KILLED 200

static void store_for_ever(unsigned seed, int started) {
    tally_store store;
    store_case_demand(tally_store_open(&store, NULL, store_case_path, STORE_CASE_LIMIT, NULL), 1);
    store_case_demand(write(started, "x", 1) == 1, 1);
    for (unsigned i = seed;; i++)
        store_case_put(&store, i % 50);
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
        left += folder_count(store_case_path, ".tmp") > 0;
        if (i % 10 != 0)
            continue;
        tally_store store = store_case_open();
        ck_assert_uint_eq(folder_count(store_case_path, ".tmp"), 0);
        tally_store_close(&store);
    }
    tally_store store = store_case_open();
    ck_assert_uint_eq(folder_count(store_case_path, ".tmp"), 0);
    for (unsigned i = 0; i < 50; i++) {
        outcome got = store_case_get(&store, i);
        ck_assert_int_ne(got, WRONG);
        right += got == RIGHT;
    }
    ck_assert_uint_gt(right, 0);
    ck_assert_uint_gt(left, 0); /* or the test would show nothing */
    printf("cache: %d processes killed: %u blobs right, 0 wrong; half-written files lay around "
           "after %u, 0 after the next start\n",
           KILLED, right, left);
    tally_store_close(&store);
}
END_TEST

/* A writer that is stopped half-way is alive: its file stays, and it ends well. */
static int entered, leave;

static bool write_slowly(tally_file file, const void *bytes, size_t size) {
    char byte = 0;
    return write(entered, "x", 1) == 1 && read(leave, &byte, 1) == 1 &&
           tally_file_write(file, bytes, size);
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
        tally_store own = store_case_open();
        own.write = write_slowly;
        _exit(store_case_put(&own, 3) ? 0 : 1);
    }
    ck_assert_int_eq(read(in[0], &byte, 1), 1);
    ck_assert_uint_eq(folder_count(store_case_path, ".tmp"), 1);
    tally_store store = store_case_open(); /* cleans up */
    ck_assert_uint_eq(folder_count(store_case_path, ".tmp"), 1);
    ck_assert_int_eq(write(out[1], "x", 1), 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(store_case_get(&store, 3), RIGHT);
    ck_assert_uint_eq(folder_count(store_case_path, ""), 1);
    tally_store_close(&store);
}
END_TEST

Suite *suite_store_processes(void) {
    Suite *suite = suite_create("store_processes");
    TCase *tests = tcase_create("store_processes");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, store_case_set_up, store_case_tear_down);
    tcase_add_test(tests, racing_processes_agree);
    tcase_add_test(tests, killed_processes_leave_nothing);
    tcase_add_test(tests, a_living_writer_is_left_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
