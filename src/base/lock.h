/*
 * A mutex, a condition and a reference count: all the threading the library needs. The only place
 * that names a threading library.
 */
#ifndef TALLY_BASE_LOCK_H
#define TALLY_BASE_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct tally_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} tally_lock;

/* False if the system has no resources left for one. */
bool tally_lock_init(tally_lock *lock);
void tally_lock_destroy(tally_lock *lock);
void tally_lock_acquire(tally_lock *lock);
void tally_lock_release(tally_lock *lock);

/* Release the lock, sleep until someone announces a change, take the lock again. */
void tally_lock_wait(tally_lock *lock);
void tally_lock_announce(tally_lock *lock);

/* How many hold an object. */
typedef struct tally_count {
    atomic_uint holders;
} tally_count;

void tally_count_init(tally_count *count); /* one holder */
void tally_count_retain(tally_count *count);
bool tally_count_release(tally_count *count); /* true for the last holder, who frees the object */

#endif
