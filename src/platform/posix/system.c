/*
 * Threads, clocks and facts of POSIX systems.
 */
#include "platform/posix/posix.h"

#include "platform/system.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

/* ---- Locks --------------------------------------------------------------------------------- */

typedef struct own_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} own_lock;
_Static_assert(sizeof(own_lock) <= sizeof(tally_lock), "a lock has no room for the system's");
_Static_assert(sizeof(pthread_t) <= sizeof(void *), "a thread has no room for the system's");

static own_lock *its(tally_lock *lock) {
    return (own_lock *)lock;
}

/* The condition's clock is tally_clock's, which nobody sets. macOS waits for a while instead. */
static int init_condition(pthread_cond_t *condition) {
#if defined(__APPLE__)
    return pthread_cond_init(condition, NULL);
#else
    pthread_condattr_t how;
    if (pthread_condattr_init(&how) != 0)
        return -1;
    int failed = pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    if (failed == 0)
        failed = pthread_cond_init(condition, &how);
    pthread_condattr_destroy(&how);
    return failed;
#endif
}

bool tally_lock_init(tally_lock *lock) {
    if (pthread_mutex_init(&its(lock)->mutex, NULL) != 0)
        return false;
    if (init_condition(&its(lock)->changed) != 0) {
        pthread_mutex_destroy(&its(lock)->mutex);
        return false;
    }
    return true;
}

void tally_lock_destroy(tally_lock *lock) {
    pthread_cond_destroy(&its(lock)->changed);
    pthread_mutex_destroy(&its(lock)->mutex);
}

void tally_lock_acquire(tally_lock *lock) {
    pthread_mutex_lock(&its(lock)->mutex);
}

void tally_lock_release(tally_lock *lock) {
    pthread_mutex_unlock(&its(lock)->mutex);
}

void tally_lock_wait(tally_lock *lock) {
    pthread_cond_wait(&its(lock)->changed, &its(lock)->mutex);
}

void tally_lock_announce(tally_lock *lock) {
    pthread_cond_broadcast(&its(lock)->changed);
}

static struct timespec split(double seconds) {
    struct timespec time;
    time.tv_sec = (time_t)seconds;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    return time;
}

bool tally_lock_wait_until(tally_lock *lock, double time) {
#if defined(__APPLE__)
    const double left = time - tally_clock();
    const struct timespec while_ = split(left > 0 ? left : 0);
    return pthread_cond_timedwait_relative_np(&its(lock)->changed, &its(lock)->mutex, &while_) == 0;
#else
    const struct timespec until = split(time);
    return pthread_cond_timedwait(&its(lock)->changed, &its(lock)->mutex, &until) == 0;
#endif
}

/* ---- Threads ------------------------------------------------------------------------------- */

static void *run_thread(void *user) {
    const tally_thread *self = user;
    self->run(self->user);
    return NULL;
}

bool tally_thread_start(tally_thread *thread, void (*run)(void *user), void *user) {
    thread->run = run;
    thread->user = user;
    return pthread_create((pthread_t *)&thread->of, NULL, run_thread, thread) == 0;
}

void tally_thread_join(tally_thread *thread) {
    pthread_t of;
    memcpy(&of, &thread->of, sizeof of);
    pthread_join(of, NULL);
}

uint32_t tally_processors(void) {
#ifdef _SC_NPROCESSORS_ONLN
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 && count < 65536 ? (uint32_t)count : 1;
#else
    return 1;
#endif
}

/* ---- Clocks -------------------------------------------------------------------------------- */

double tally_clock(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int64_t tally_date(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- Facts --------------------------------------------------------------------------------- */

long tally_process(void) {
    return (long)getpid();
}

void tally_machine(char *text, size_t bytes) {
    struct utsname system;
    const char *machine = uname(&system) >= 0 ? system.machine : "";
#if defined(__linux__)
    snprintf(text, bytes, "%s %lx %lx", machine, getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#else
    snprintf(text, bytes, "%s", machine);
#endif
}

int tally_user_cache(const char *name, char *path, size_t bytes, const char **why) {
#if defined(__APPLE__)
    static const char below_home[] = "/Library/Caches";
#else
    static const char below_home[] = "/.cache";
#endif
    const char *base = getenv("XDG_CACHE_HOME"), *below = "";
    if (base == NULL || base[0] != '/') {
        base = getenv("HOME");
        below = below_home;
    }
    *why = "neither XDG_CACHE_HOME nor HOME is an absolute path";
    return base == NULL || base[0] != '/' ? -1
                                          : snprintf(path, bytes, "%s%s/%s", base, below, name);
}

tally_any_function tally_find_function(const char *library, const char *name) {
    (void)library;
    void *found = dlsym(RTLD_DEFAULT, name);
    tally_any_function function = NULL;
    memcpy(&function, &found, sizeof function); /* C has no cast from the one to the other */
    return function;
}
