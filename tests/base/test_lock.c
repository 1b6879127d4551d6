/*
 * Locks and reference counts, from many threads at once. Meant to run under the thread sanitizer
 * too: what a lock guards here is plain memory.
 */
#include "base/count.h"
#include "platform/system.h"

#include <stdlib.h>

#include <check.h>

#define THREADS 8

/* Run one function in several threads and wait for all of them. */
static void run_threads(void (*run)(void *), void *shared) {
    tally_thread thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert(tally_thread_start(&thread[i], run, shared));
    for (int i = 0; i < THREADS; i++)
        tally_thread_join(&thread[i]);
}

START_TEST(the_last_holder_is_told) {
    tally_count count;
    tally_count_init(&count);
    ck_assert(tally_count_release(&count));
    tally_count_init(&count);
    for (int i = 0; i < 1000; i++)
        tally_count_retain(&count);
    for (int i = 0; i < 1000; i++)
        ck_assert(!tally_count_release(&count));
    ck_assert(tally_count_release(&count));
}
END_TEST

/* An object that threads take hold of and let go of; whoever is last frees it. */
typedef struct held {
    tally_count count;
    int *alive;
} held;

static void let_go(held *object) {
    if (tally_count_release(&object->count)) {
        free(object->alive);
        object->alive = NULL;
    }
}

static void hold_often(void *shared) {
    held *object = shared;
    for (int i = 0; i < 2000; i++) {
        tally_count_retain(&object->count);
        *(volatile int *)object->alive;
        let_go(object);
    }
    let_go(object); /* the hold that the test took for this thread */
}

START_TEST(one_of_many_threads_is_the_last_holder) {
    for (int round = 0; round < 10; round++) {
        held object = {.alive = calloc(1, sizeof(int))};
        ck_assert_ptr_nonnull(object.alive);
        tally_count_init(&object.count);
        for (int i = 1; i < THREADS; i++)
            tally_count_retain(&object.count);
        run_threads(hold_often, &object);
        ck_assert_ptr_null(object.alive);
        ck_assert_uint_eq(atomic_load(&object.count.holders), 0);
    }
}
END_TEST

typedef struct guarded {
    tally_lock lock;
    long number, mirror;
    int waiting, round, done;
} guarded;

static void add_often(void *shared) {
    guarded *all = shared;
    for (int i = 0; i < 5000; i++) {
        tally_lock_acquire(&all->lock);
        const long before = all->number++;
        if (before != all->mirror++)
            abort();
        tally_lock_release(&all->lock);
    }
}

START_TEST(one_thread_at_a_time_holds_a_lock) {
    guarded all = {.number = 0};
    ck_assert(tally_lock_init(&all.lock));
    run_threads(add_often, &all);
    ck_assert_int_eq(all.number, THREADS * 5000);
    ck_assert_int_eq(all.mirror, all.number);
    tally_lock_destroy(&all.lock);
}
END_TEST

/* Wait for the rounds that the test announces, one after the other. */
static void wait_for_rounds(void *shared) {
    guarded *all = shared;
    tally_lock_acquire(&all->lock);
    for (int round = 1; round <= 100; round++) {
        all->waiting++;
        tally_lock_announce(&all->lock);
        while (all->round < round)
            tally_lock_wait(&all->lock);
        all->number++;
    }
    all->done++;
    tally_lock_release(&all->lock);
}

/* Let each round begin once all threads wait for it: one announcement must wake all of them. */
static void announce_rounds(void *shared) {
    guarded *all = shared;
    tally_lock_acquire(&all->lock);
    for (int round = 1; round <= 100; round++) {
        while (all->waiting < round * THREADS)
            tally_lock_wait(&all->lock);
        if (all->number != (long)(round - 1) * THREADS)
            abort();
        all->round = round;
        tally_lock_announce(&all->lock);
    }
    tally_lock_release(&all->lock);
}

START_TEST(an_announcement_wakes_all_who_wait) {
    tally_thread announcer;
    guarded all = {.number = 0};
    ck_assert(tally_lock_init(&all.lock));
    ck_assert(tally_thread_start(&announcer, announce_rounds, &all));
    run_threads(wait_for_rounds, &all);
    tally_thread_join(&announcer);
    ck_assert_int_eq(all.done, THREADS);
    ck_assert_int_eq(all.number, 100 * THREADS);
    tally_lock_destroy(&all.lock);
}
END_TEST

/* Threads that take turns: each waits for its own number to come round. */
static void take_turns(void *shared) {
    guarded *all = shared;
    tally_lock_acquire(&all->lock);
    const int mine = all->waiting++;
    for (int turn = 0; turn < 200; turn++) {
        while (all->round % THREADS != mine)
            tally_lock_wait(&all->lock);
        all->round++;
        tally_lock_announce(&all->lock);
    }
    tally_lock_release(&all->lock);
}

START_TEST(who_waits_gives_the_lock_away) {
    guarded all = {.number = 0};
    ck_assert(tally_lock_init(&all.lock));
    run_threads(take_turns, &all);
    ck_assert_int_eq(all.round, 200 * THREADS);
    tally_lock_destroy(&all.lock);
}
END_TEST

static void begin_round(void *shared) {
    guarded *all = shared;
    tally_lock_acquire(&all->lock);
    all->round = 1;
    tally_lock_announce(&all->lock);
    tally_lock_release(&all->lock);
}

/* A wait that nobody ends is over at its time, and one that is announced before. */
START_TEST(a_wait_ends_at_its_time) {
    guarded all = {.number = 0};
    tally_thread announcer;
    ck_assert(tally_lock_init(&all.lock));
    tally_lock_acquire(&all.lock);
    const double until = tally_clock() + 0.05;
    while (tally_lock_wait_until(&all.lock, until))
        ;
    ck_assert_double_ge(tally_clock(), until - 0.001);
    ck_assert(!tally_lock_wait_until(&all.lock, until)); /* which is over */
    ck_assert(tally_thread_start(&announcer, begin_round, &all));
    while (all.round == 0)
        ck_assert(tally_lock_wait_until(&all.lock, tally_clock() + 60));
    tally_lock_release(&all.lock);
    tally_thread_join(&announcer);
    tally_lock_destroy(&all.lock);
}
END_TEST

Suite *suite_lock(void) {
    Suite *suite = suite_create("lock");
    TCase *tests = tcase_create("lock");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_last_holder_is_told);
    tcase_add_test(tests, one_of_many_threads_is_the_last_holder);
    tcase_add_test(tests, one_thread_at_a_time_holds_a_lock);
    tcase_add_test(tests, an_announcement_wakes_all_who_wait);
    tcase_add_test(tests, who_waits_gives_the_lock_away);
    tcase_add_test(tests, a_wait_ends_at_its_time);
    suite_add_tcase(suite, tests);
    return suite;
}
