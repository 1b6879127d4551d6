/*
 * What the library needs of the system besides files: threads, locks, clocks, and some facts. The
 * layer platform is below all others and knows nothing of Tally. What its headers declare is in
 * posix/ and windows/ as far as systems differ, and otherwise in sources next to the headers. No
 * file but those of posix/ and windows/ asks which system it is compiled for.
 */
#ifndef TALLY_PLATFORM_SYSTEM_H
#define TALLY_PLATFORM_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Locks ------------------------------------------------------------------------------- */

/* A mutex with a condition: room for the system's own, whatever the system. */
typedef union tally_lock {
    void *pointer;
    long long number;
    unsigned char bytes[128];
} tally_lock;

/* False if the system has no resources left for one. */
bool tally_lock_init(tally_lock *lock);
void tally_lock_destroy(tally_lock *lock);
void tally_lock_acquire(tally_lock *lock);
void tally_lock_release(tally_lock *lock);

/* Release the lock, sleep until someone announces a change, take the lock again. */
void tally_lock_wait(tally_lock *lock);
void tally_lock_announce(tally_lock *lock);

/* The same until tally_clock() is at a time; false if it is. May return early. */
bool tally_lock_wait_until(tally_lock *lock, double time);

/* ---- Threads ----------------------------------------------------------------------------- */

/* A thread. It stays where it is until it is joined. */
typedef struct tally_thread {
    void (*run)(void *user);
    void *user;
    void *of; /* the system's */
} tally_thread;

/* False if the system has no thread left. Every thread that was started has to be joined. */
bool tally_thread_start(tally_thread *thread, void (*run)(void *user), void *user);
void tally_thread_join(tally_thread *thread);

/* Processors that the system has running; at least 1. */
uint32_t tally_processors(void);

/* ---- Clocks ------------------------------------------------------------------------------ */

/* Seconds on a clock that only runs forward. */
double tally_clock(void);

/* Nanoseconds since 1970. */
int64_t tally_date(void);

/* ---- Facts ------------------------------------------------------------------------------- */

/* This process's number. */
long tally_process(void);

/*
 * The machine's kind with what it can do, as far as the system tells: two that may not run the same
 * machine code have different texts.
 */
void tally_machine(char *text, size_t bytes);

/*
 * The path of a name in the folder of this user's caches, written as snprintf does: returns its
 * length, which may be too long for the bytes; negative if the environment names no such folder, as
 * the sentence in *why says.
 */
int tally_user_cache(const char *name, char *path, size_t bytes, const char **why);

/*
 * A function of a library that this process has loaded; NULL if there is none. The library is named
 * for systems where a process's libraries do not share their names.
 */
typedef void (*tally_any_function)(void);
tally_any_function tally_find_function(const char *library, const char *name);

/* ---- What the sources next to this header ask of a system -------------------------------- */

typedef struct tally_conventions {
    const char *separators; /* of paths; the first is what we write. A colon ends a drive's name */
    bool folds_case;        /* names that differ in case alone are one */
    /* Where a user's caches are: the variable that names a folder, what follows, and if none is. */
    const char *home, *below_home, *no_cache;
} tally_conventions;
extern const tally_conventions tally_system;

/* A variable of the environment, in the room or elsewhere; NULL if there is none. */
#define TALLY_ENVIRONMENT_BYTES 12288
const char *tally_environment(const char *name, char room[TALLY_ENVIRONMENT_BYTES]);

#endif
