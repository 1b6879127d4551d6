/*
 * Mutex, condition and reference count over POSIX threads and C11 atomics.
 */
#include "base/lock.h"

bool tally_lock_init(tally_lock *lock) {
    if (pthread_mutex_init(&lock->mutex, NULL) != 0)
        return false;
    if (pthread_cond_init(&lock->changed, NULL) != 0) {
        pthread_mutex_destroy(&lock->mutex);
        return false;
    }
    return true;
}

void tally_lock_destroy(tally_lock *lock) {
    pthread_cond_destroy(&lock->changed);
    pthread_mutex_destroy(&lock->mutex);
}

void tally_lock_acquire(tally_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
}

void tally_lock_release(tally_lock *lock) {
    pthread_mutex_unlock(&lock->mutex);
}

void tally_lock_wait(tally_lock *lock) {
    pthread_cond_wait(&lock->changed, &lock->mutex);
}

void tally_lock_announce(tally_lock *lock) {
    pthread_cond_broadcast(&lock->changed);
}

void tally_count_init(tally_count *count) {
    atomic_init(&count->holders, 1u);
}

void tally_count_retain(tally_count *count) {
    atomic_fetch_add_explicit(&count->holders, 1u, memory_order_relaxed);
}

bool tally_count_release(tally_count *count) {
    return atomic_fetch_sub_explicit(&count->holders, 1u, memory_order_acq_rel) == 1u;
}
