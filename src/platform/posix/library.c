/*
 * What the library needs of POSIX systems: threads, clocks, facts, files and folders. All files of
 * a folder are reached through its descriptor.
 */
#define _GNU_SOURCE /* what these systems have beyond C11, as flock: a process has POSIX's locks   \
                     */
#define _DARWIN_C_SOURCE
#define _NETBSD_SOURCE
#define _FILE_OFFSET_BITS 64

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

#include "platform/files.h"
#include "platform/system.h"

#if defined(__APPLE__)
#define CACHES "/Library/Caches" /* of a user, below HOME */
#define WRITTEN st_mtimespec     /* of struct stat */
#else
#define CACHES "/.cache"
#define WRITTEN st_mtim
#endif

/* ---- Locks ------------------------------------------------------------------------------- */

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
    if (init_condition(&its(lock)->changed) == 0)
        return true;
    pthread_mutex_destroy(&its(lock)->mutex);
    return false;
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
    const time_t whole = (time_t)seconds;
    return (struct timespec){.tv_sec = whole, .tv_nsec = (long)((seconds - (double)whole) * 1e9)};
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

/* ---- Threads, clocks, facts -------------------------------------------------------------- */

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
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 && count < 65536 ? (uint32_t)count : 1;
}

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

const tally_conventions tally_system = {
    .separators = "/",
    .home = "HOME",
    .below_home = CACHES,
    .no_cache = "neither XDG_CACHE_HOME nor HOME is an absolute path",
};

/* NOLINTNEXTLINE(readability-non-const-parameter): other systems write there */
const char *tally_environment(const char *name, char room[TALLY_ENVIRONMENT_BYTES]) {
    (void)room;
    return getenv(name);
}

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

tally_any_function tally_find_function(const char *library, const char *name) {
    (void)library;
    void *found = dlsym(RTLD_DEFAULT, name);
    tally_any_function function = NULL;
    memcpy(&function, &found, sizeof function); /* C has no cast from the one to the other */
    return function;
}

/* ---- Files and folders ------------------------------------------------------------------- */

static tally_file_kind kind_of(mode_t mode) {
    return S_ISREG(mode)    ? TALLY_FILE_PLAIN
           : S_ISDIR(mode)  ? TALLY_FILE_FOLDER
           : S_ISFIFO(mode) ? TALLY_FILE_PIPE
           : S_ISCHR(mode)  ? TALLY_FILE_CHARACTERS
           : S_ISLNK(mode)  ? TALLY_FILE_LINK
                            : TALLY_FILE_OTHER;
}

/* What stat says; true. */
static bool tell(const struct stat *about, tally_file_facts *facts) {
    facts->kind = kind_of(about->st_mode);
    facts->writers = about->st_uid != geteuid()                    ? TALLY_WRITERS_OWNER
                     : (about->st_mode & (S_IWGRP | S_IWOTH)) != 0 ? TALLY_WRITERS_OTHERS
                                                                   : TALLY_WRITERS_SELF;
    facts->permissions = about->st_mode & 0777;
    facts->has_name = about->st_nlink > 0;
    facts->bytes = about->st_size > 0 ? (uint64_t)about->st_size : 0;
    facts->used = (int64_t)about->WRITTEN.tv_sec * 1000000000 + about->WRITTEN.tv_nsec;
    facts->identity = (tally_identity){(uint64_t)about->st_dev, (uint64_t)about->st_ino};
    return true;
}

bool tally_file_look(tally_file file, tally_file_facts *facts) {
    struct stat about;
    return fstat((int)file, &about) == 0 && tell(&about, facts);
}

/* The folder's descriptor, as functions take it that end in "at". */
static int at(tally_file folder) {
    return folder == TALLY_NO_FOLDER ? AT_FDCWD : (int)folder;
}

bool tally_look(tally_file folder, const char *name, tally_links links, tally_file_facts *facts) {
    struct stat about;
    const int how = links == TALLY_KEEP_LINKS ? AT_SYMLINK_NOFOLLOW : 0;
    return fstatat(at(folder), name, &about, how) == 0 && tell(&about, facts);
}

tally_file tally_open(tally_file folder, const char *name, tally_purpose to) {
    static const int ways[] = {
        [TALLY_TO_READ] = O_RDONLY | O_NONBLOCK,
        [TALLY_TO_WRITE] = O_WRONLY,
        [TALLY_TO_CREATE] = O_WRONLY | O_CREAT | O_EXCL,
        [TALLY_TO_CREATE_OWN] = O_WRONLY | O_CREAT | O_EXCL,
        [TALLY_TO_DROP] = O_RDWR | O_CREAT | O_EXCL,
        [TALLY_TO_READ_ITSELF] = O_RDONLY | O_NONBLOCK | O_NOFOLLOW,
        /* To be written too: NFS locks no other files for one process alone. */
        [TALLY_TO_LOCK] = O_RDWR | O_NONBLOCK | O_NOFOLLOW,
        [TALLY_TO_LOCK_FOLDER] = O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
        [TALLY_TO_HOLD] = O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
    };
    return openat(at(folder), name, ways[to] | O_CLOEXEC, to == TALLY_TO_CREATE ? 0666 : 0600);
}

bool tally_file_close(tally_file file) {
    return close((int)file) == 0;
}

ptrdiff_t tally_file_read_once(tally_file file, uint64_t offset, void *bytes, size_t size) {
    return offset == TALLY_NEXT ? read((int)file, bytes, size)
                                : pread((int)file, bytes, size, (off_t)offset);
}

ptrdiff_t tally_file_write_once(tally_file file, uint64_t offset, const void *bytes, size_t size) {
    return offset == TALLY_NEXT ? write((int)file, bytes, size)
                                : pwrite((int)file, bytes, size, (off_t)offset);
}

bool tally_file_sync(tally_file file) {
    return fsync((int)file) == 0;
}

bool tally_file_may_have(uint64_t bytes) {
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 && bytes <= (uint64_t)most.rlim_cur;
}

tally_file_locking tally_file_lock(tally_file file) {
    return flock((int)file, LOCK_EX | LOCK_NB) == 0 ? TALLY_FILE_LOCKED
           : errno == EWOULDBLOCK                   ? TALLY_FILE_BUSY
                                                    : TALLY_FILE_LOCKLESS;
}

bool tally_rename(tally_file folder, const char *name, const char *to) {
    return renameat(at(folder), name, at(folder), to) == 0;
}

bool tally_remove(tally_file folder, const char *name) {
    return unlinkat(at(folder), name, 0) == 0;
}

void tally_touch(tally_file folder, const char *name) {
    (void)utimensat(at(folder), name, NULL, AT_SYMLINK_NOFOLLOW);
}

bool tally_make_folder(const char *path) {
    return mkdir(path, 0700) == 0;
}

void tally_folder_names(tally_file folder, tally_name_visit *visit, void *user) {
    const int again = openat((int)folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    const struct dirent *next = list != NULL ? readdir(list) : NULL;
    while (next != NULL && visit(user, next->d_name))
        next = readdir(list);
    if (list != NULL)
        closedir(list);
    else if (again >= 0)
        close(again);
}
