/*
 * The folder of all that the processes of tally bench start write. A lock on it says that its
 * benchmark lives, as with the files of npy/temporary.c. A signal only stops the process that runs:
 * a handler cannot empty folders.
 */
#define _XOPEN_SOURCE 700
#include "cli/bench/start/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/npy/temporary.h"

#define NAME "tally-start-" /* then the host, and what makes it new */
#define ATTEMPTS 100

/* ---- Signals ------------------------------------------------------------------------------- */

/* Globals, since a handler gets no other argument. */
static volatile sig_atomic_t stopped; /* the signal's number */
static volatile pid_t running;        /* 0: no process is */

static void stop(int number) {
    stopped = number;
    if (running > 0)
        kill(running, SIGKILL);
}

static void watch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, watch;
    memset(&watch, 0, sizeof watch);
    watch.sa_handler = stop;
    sigemptyset(&watch.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &watch, NULL);
}

void start_folder_note(long process) {
    running = (pid_t)process;
    if (process > 0 && stopped != 0) /* the signal came before the number was known */
        kill((pid_t)process, SIGKILL);
}

bool start_folder_stopped(void) {
    return stopped != 0;
}

void start_folder_end(void) {
    const int number = stopped;
    signal(number, SIG_DFL);
    raise(number);
}

/* ---- Folders ------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at) {
    (void)about;
    (void)kind;
    (void)at;
    return remove(path);
}

void start_folder_remove(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_left(const char *path) {
    const int file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return;
    if (temporary_is_left(file, path))
        start_folder_remove(path);
    close(file);
}

/* Those of this host, whose names begin so, that nobody has locked. */
static void remove_all_left(const char *base, const char *begin) {
    char path[START_PATH_BYTES];
    DIR *opened = opendir(base);
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        if (strncmp(entry->d_name, begin, strlen(begin)) != 0)
            continue;
        if (snprintf(path, sizeof path, "%s/%s", base, entry->d_name) < (int)sizeof path)
            remove_left(path);
    }
    if (opened != NULL)
        closedir(opened);
}

/* 0, EAGAIN for another attempt, or why there can be none. */
static int make_once(start_folder *made, const char *base, const char *begin) {
    snprintf(made->path, sizeof made->path, "%.4000s/%s-XXXXXX", base, begin);
    if (mkdtemp(made->path) == NULL)
        return errno;
    made->lock = open(made->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (made->lock >= 0 && temporary_keep(made->lock, made->path))
        return 0;
    if (made->lock >= 0) /* somebody took it for one that was left */
        close(made->lock);
    return EAGAIN;
}

int start_folder_open(start_folder *made, cli_error *error) {
    const char *base = getenv("TMPDIR");
    char begin[sizeof NAME + TEMPORARY_HOST_BYTES], host[TEMPORARY_HOST_BYTES];
    int why = EAGAIN;
    if (base == NULL || base[0] != '/')
        base = "/tmp";
    temporary_host(host);
    snprintf(begin, sizeof begin, NAME "%s", host);
    remove_all_left(base, begin);
    watch_signals();
    for (int i = 0; i < ATTEMPTS && why == EAGAIN; i++)
        why = make_once(made, base, begin);
    if (why == 0)
        return CLI_DONE;
    cli_fail(error, "can't be made: %s", strerror(why));
    cli_error_prefix(error, made->path, CLI_FAILED);
    made->path[0] = '\0';
    return CLI_FAILED;
}

void start_folder_close(start_folder *made) {
    if (made->path[0] == '\0')
        return;
    start_folder_remove(made->path);
    close(made->lock);
    made->path[0] = '\0';
}
