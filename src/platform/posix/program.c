/*
 * What a program needs of POSIX systems, and the library does not.
 */
#define _GNU_SOURCE /* what these systems have beyond C11 */
#define _DARWIN_C_SOURCE
#define _NETBSD_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#elif !defined(__linux__)
#include <sys/sysctl.h>
#endif

#include "platform/places.h"
#include "platform/program.h"

/* NOLINTNEXTLINE(readability-non-const-parameter): other systems change both */
void tally_program_begin(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
}

/* ---- Standard streams -------------------------------------------------------------------- */

bool tally_is_terminal(tally_stream which) {
    return isatty((int)which) != 0;
}

tally_file tally_stream_open(tally_stream which) {
    return dup((int)which);
}

/* ---- Places ------------------------------------------------------------------------------ */

char *tally_path_resolve(const char *path) {
    return realpath(path, NULL);
}

bool tally_path_is_writable(const char *path, tally_file_kind kind) {
    return access(path, kind == TALLY_FILE_FOLDER ? W_OK | X_OK : W_OK) == 0;
}

bool tally_path_remove_empty(const char *path) {
    return rmdir(path) == 0;
}

bool tally_temporary_place(char folder[TALLY_PATH_BYTES]) {
    const char *told = getenv("TMPDIR");
    const char *own = told != NULL && told[0] != '\0' ? told : "/tmp";
    char *full = own[0] != '/' ? realpath(own, NULL) : NULL; /* others may be in other folders */
    const int length = snprintf(folder, TALLY_PATH_BYTES, "%s", full != NULL ? full : own);
    free(full);
    errno = ENAMETOOLONG;
    return length < TALLY_PATH_BYTES;
}

void tally_host(char *name, size_t bytes) {
    memset(name, 0, bytes);
    (void)gethostname(name, bytes - 1);
}

/* ---- Files ------------------------------------------------------------------------------- */

void tally_file_wait(tally_file file) {
    const int flags = fcntl((int)file, F_GETFL);
    (void)fcntl((int)file, F_SETFL, flags & ~O_NONBLOCK);
}

bool tally_file_resize(tally_file file, uint64_t bytes) {
    return ftruncate((int)file, (off_t)bytes) == 0;
}

bool tally_file_flush(tally_file file) {
    const int again = dup((int)file);
    return again >= 0 && close(again) == 0;
}

bool tally_file_permit(tally_file file, unsigned permissions) {
    return fchmod((int)file, (mode_t)permissions) == 0;
}

void *tally_file_map(tally_file file, size_t bytes) {
    void *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, (int)file, 0);
    return map != MAP_FAILED ? map : NULL;
}

void tally_file_unmap(void *map, size_t bytes) {
    munmap(map, bytes);
}

/* ---- Signals ----------------------------------------------------------------------------- */

/* What a signal has to remove: a handler gets no other argument. */
static char *volatile *unfinished;

static void remove_unfinished(int number) {
    char *path = *unfinished;
    if (path != NULL)
        unlink(path);
    raise(number); /* its action is the default again, SA_RESETHAND */
}

/* Signals that end a program. Those whose action is not the default stay as they are. */
static void watch(const struct sigaction *action, bool others_too) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            (before.sa_handler == SIG_DFL || (others_too && before.sa_handler != SIG_IGN)))
            sigaction(numbers[i], action, NULL);
}

void tally_remove_on_signal(char *volatile *path) {
    struct sigaction action;
    unfinished = path;
    memset(&action, 0, sizeof action);
    action.sa_handler = remove_unfinished;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    watch(&action, false);
}

void tally_fail_without_signal(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static volatile sig_atomic_t stopped; /* the signal's number */
static volatile pid_t running;        /* 0: no process is */

static void stop(int number) {
    stopped = number;
    if (running > 0)
        kill(running, SIGKILL);
}

/* The process that a signal stops; 0: none. */
static void note(pid_t process) {
    running = process;
    if (process > 0 && stopped != 0) /* the signal came before the number was known */
        kill(process, SIGKILL);
}

void tally_stop_on_signal(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigemptyset(&action.sa_mask);
    watch(&action, true);
}

bool tally_is_stopped(void) {
    return stopped != 0;
}

void tally_end_stopped(void) {
    const int number = stopped;
    signal(number, SIG_DFL);
    raise(number);
}

/* ---- Running the program once more ------------------------------------------------------- */

void tally_set_environment(const char *name, const char *value) {
    setenv(name, value, 1);
}

/* The path of this program's file. */
static bool find_self(char path[TALLY_PATH_BYTES]) {
#if defined(__linux__)
    return snprintf(path, TALLY_PATH_BYTES, "/proc/self/exe") > 0;
#elif defined(__APPLE__)
    uint32_t bytes = TALLY_PATH_BYTES;
    return _NSGetExecutablePath(path, &bytes) == 0;
#elif defined(KERN_PROC_PATHNAME)
    const int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1};
    size_t bytes = TALLY_PATH_BYTES;
    return sysctl(name, 4, path, &bytes, NULL, 0) == 0;
#else
    (void)path;
    errno = ENOSYS;
    return false;
#endif
}

/* Start it with one end of a pipe as its standard output. Returns an error of errno.h. */
static int start(char *const *arguments, const int ends[2], pid_t *child) {
    /* NOLINTNEXTLINE(readability-redundant-declaration): not all of these systems have it */
    extern char **environ;
    posix_spawn_file_actions_t actions;
    char self[TALLY_PATH_BYTES];
    if (!find_self(self))
        return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int code = posix_spawn(child, self, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

bool tally_child_start(char *const *arguments, tally_child *child) {
    int ends[2];
    pid_t process = 0;
    if (pipe(ends) != 0)
        return false;
    const int code = start(arguments, ends, &process);
    close(ends[1]);
    if (code != 0) {
        close(ends[0]);
        errno = code;
        return false;
    }
    note(process);
    *child = (tally_child){ends[0], process};
    return true;
}

unsigned tally_child_end(const tally_child *child) {
    int ended = 0;
    note(0); /* its number may be another one's once it was waited for */
    while (waitpid((pid_t)child->process, &ended, 0) < 0 && errno == EINTR)
        ;
    return (unsigned)ended;
}
