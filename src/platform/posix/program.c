/*
 * What a program needs of POSIX systems.
 */
#include "platform/posix/posix.h"

#include "platform/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#elif !defined(__linux__)
#include <sys/sysctl.h>
#endif

/* NOLINTNEXTLINE(readability-non-const-parameter): other systems change both */
void tally_program_begin(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
}

/* ---- Standard streams ---------------------------------------------------------------------- */

bool tally_is_terminal(tally_stream which) {
    return isatty((int)which) != 0;
}

tally_file tally_stream_open(tally_stream which) {
    return dup((int)which);
}

/* ---- Paths --------------------------------------------------------------------------------- */

bool tally_path_look(const char *path, tally_file_facts *facts) {
    struct stat about;
    if (stat(path, &about) != 0)
        return false;
    tally_posix_facts(&about, facts);
    return true;
}

bool tally_path_is_writable(const char *path) {
    return access(path, W_OK) == 0;
}

char *tally_path_resolve(const char *path) {
    return realpath(path, NULL);
}

tally_file tally_path_open(const char *path) {
    return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

tally_file tally_path_open_to_write(const char *path) {
    return open(path, O_WRONLY | O_CLOEXEC);
}

tally_file tally_path_create(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

bool tally_path_rename(const char *path, const char *to) {
    return rename(path, to) == 0;
}

bool tally_path_remove(const char *path) {
    return unlink(path) == 0;
}

/* ---- Files --------------------------------------------------------------------------------- */

void tally_file_wait(tally_file file) {
    const int flags = fcntl((int)file, F_GETFL);
    (void)fcntl((int)file, F_SETFL, flags & ~O_NONBLOCK);
}

ptrdiff_t tally_file_read_at(tally_file file, uint64_t offset, void *bytes, size_t size) {
    ssize_t got;
    do
        got = pread((int)file, bytes, size, (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got;
}

bool tally_file_write_at(tally_file file, uint64_t offset, const void *bytes, size_t size) {
    for (const char *next = bytes; size > 0;) {
        const ssize_t written = pwrite((int)file, next, size, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        next += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return true;
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

/* ---- Signals -------------------------------------------------------------------------------- */

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

/* ---- Running the program once more ----------------------------------------------------------- */

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

bool tally_run_again(char *const *arguments, char *text, size_t bytes, unsigned *status) {
    int ends[2], ended = 0;
    pid_t child = 0;
    size_t used = 0;
    if (pipe(ends) != 0)
        return false;
    const int code = start(arguments, ends, &child);
    close(ends[1]);
    note(code == 0 ? child : 0);
    for (ptrdiff_t got = 1; code == 0 && got > 0 && used < bytes - 1; used += (size_t)got) {
        got = tally_file_read(ends[0], text + used, bytes - 1 - used);
        got = got > 0 ? got : 0;
    }
    text[used] = '\0';
    note(0); /* it ends by itself; its number may be another one's once it was waited for */
    close(ends[0]);
    if (code != 0) {
        errno = code;
        return false;
    }
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    *status = (unsigned)ended;
    return true;
}
