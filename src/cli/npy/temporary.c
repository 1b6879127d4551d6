/*
 * Files that are there for a while. Who makes one holds a lock on it for as long as it is open,
 * which the system takes away with the process however that ends: a file of such a name without a
 * lock is nobody's. The name tells the host, because locks need not reach from host to host.
 */
#define _GNU_SOURCE /* O_TMPFILE, where there is one */
#define _FILE_OFFSET_BITS 64
#include "cli/npy/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPTS 100 /* at a name that no file has yet */

/* Room for a name, ".tally-HOST-PROCESS-TIME.tmp", and for what it begins with. */
#define NAME_BYTES 80
#define PREFIX_BYTES 32

/* ---- Signals ------------------------------------------------------------------------------- */

/* What a signal has to remove. A global, since a handler gets no other argument. */
static char *volatile unfinished;

static void remove_unfinished(int number) {
    char *path = unfinished;
    if (path != NULL)
        unlink(path);
    raise(number); /* its action is the default again, SA_RESETHAND */
}

static void watch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, watch;
    memset(&watch, 0, sizeof watch);
    watch.sa_handler = remove_unfinished;
    watch.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&watch.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(numbers[i], &watch, NULL);
}

/* ---- Names --------------------------------------------------------------------------------- */

void temporary_host(char text[TEMPORARY_HOST_BYTES]) {
    char host[256] = "";
    uint32_t hash = UINT32_C(2166136261); /* FNV-1a: any host's name in 8 characters */
    (void)gethostname(host, sizeof host - 1);
    for (const char *c = host; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT32_C(16777619);
    snprintf(text, TEMPORARY_HOST_BYTES, "%08" PRIx32, hash);
}

/* What the names of this host's files begin with. */
static void name_host(char prefix[PREFIX_BYTES]) {
    char host[TEMPORARY_HOST_BYTES];
    temporary_host(host);
    snprintf(prefix, PREFIX_BYTES, ".tally-%s-", host);
}

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/*
 * A path in the folder of another one, which nobody else takes: processes differ in their number,
 * or, where a number comes again, in the time. The caller frees it. The name is short, for those of
 * outputs may be the longest.
 */
static char *name_file(const char *beside) {
    const size_t folder = folder_length(beside), room = folder + NAME_BYTES;
    char prefix[PREFIX_BYTES], *path = malloc(room);
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    name_host(prefix);
    if (path != NULL)
        snprintf(path, room, "%.*s%s%ld-%016" PRIx64 ".tmp", (int)folder, beside, prefix,
                 (long)getpid(),
                 (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec);
    return path;
}

/* Whether a name is one of name_file's, of this host. */
static bool is_ours(const char *name, const char *prefix) {
    const size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return false;
    name += length;
    const size_t process = strspn(name, "0123456789");
    if (process == 0 || name[process] != '-')
        return false;
    name += process + 1;
    return strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".tmp") == 0;
}

/* ---- Locks --------------------------------------------------------------------------------- */

/* Whether the open file still has that path. */
static bool has_path(int file, const char *path) {
    struct stat opened, found;
    return fstat(file, &opened) == 0 && lstat(path, &found) == 0 && opened.st_dev == found.st_dev &&
           opened.st_ino == found.st_ino;
}

bool temporary_keep(int file, const char *path) {
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK;
    return has_path(file, path);
}

bool temporary_is_left(int file, const char *path) {
    return flock(file, LOCK_EX | LOCK_NB) == 0 && has_path(file, path);
}

/* Remove a file if nobody holds its lock. Who got the lock after it was placed finds no path. */
static void remove_left(const char *path) {
    const int file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (temporary_is_left(file, path))
        unlink(path);
    close(file);
}

/* Whether the folder was looked through already, by this process: it has one folder at a time. */
static bool is_known(DIR *opened) {
    static struct stat last;
    struct stat about;
    if (fstat(dirfd(opened), &about) != 0)
        return false;
    const bool known = about.st_dev == last.st_dev && about.st_ino == last.st_ino;
    last = about;
    return known;
}

/* Remove what runs of this host have left in the folder of that path. */
static void remove_all_left(const char *beside) {
    const size_t length = folder_length(beside), room = length + NAME_BYTES;
    char prefix[PREFIX_BYTES], *path = malloc(room);
    DIR *opened = NULL;
    name_host(prefix);
    if (path != NULL) {
        snprintf(path, room, "%.*s", (int)length, beside);
        opened = opendir(length > 0 ? path : ".");
    }
    if (opened != NULL && !is_known(opened))
        for (const struct dirent *entry; (entry = readdir(opened)) != NULL;)
            if (is_ours(entry->d_name, prefix)) {
                snprintf(path + length, NAME_BYTES, "%.70s", entry->d_name);
                remove_left(path);
            }
    if (opened != NULL)
        closedir(opened);
    free(path);
}

/* ---- Files with a name --------------------------------------------------------------------- */

/* One attempt: 0, EEXIST for another attempt, or why there can be none. */
static int make_once(temporary *made, const char *beside) {
    made->path = name_file(beside);
    if (made->path == NULL)
        return ENOMEM;
    /* Named before it is there: a signal may come, to another thread too, as soon as it is. */
    unfinished = made->path;
    made->file = open(made->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made->file >= 0 && temporary_keep(made->file, made->path))
        return 0;
    const int why = made->file >= 0 ? EEXIST : errno;
    if (made->file >= 0)
        close(made->file);
    unfinished = NULL;
    free(made->path);
    *made = (temporary){NULL, -1};
    return why;
}

int temporary_make(temporary *made, const char *beside) {
    int why = EEXIST;
    watch_signals();
    remove_all_left(beside);
    for (unsigned attempt = 0; attempt < ATTEMPTS && why == EEXIST; attempt++)
        why = make_once(made, beside);
    return why;
}

void temporary_remove(temporary *made) {
    if (made->path == NULL)
        return;
    unlink(made->path);
    unfinished = NULL;
    close(made->file);
    free(made->path);
    *made = (temporary){NULL, -1};
}

/*
 * 0, or why what was written cannot be kept: some file systems say only when a descriptor is closed
 * that they are full. The lock stays.
 */
static int flush(int file) {
    const int again = dup(file);
    return again >= 0 && close(again) == 0 ? 0 : errno;
}

int temporary_place(temporary *made, const char *target) {
    int why = flush(made->file);
    /* Renamed before it is closed: without its lock it would be anybody's to remove. */
    if (why == 0 && rename(made->path, target) != 0)
        why = errno;
    temporary_remove(made); /* of what has another name now there is nothing to remove */
    return why;
}

/* ---- Files without a name ------------------------------------------------------------------ */

int temporary_unnamed(const char **folder) {
    char name[4096];
    const char *own = getenv("TMPDIR");
    *folder = own != NULL && own[0] != '\0' ? own : "/tmp";
#ifdef O_TMPFILE
    const int nameless = open(*folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (nameless >= 0)
        return nameless;
#endif
    const int length = snprintf(name, sizeof name, "%s/tally-XXXXXX", *folder);
    if (length >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkstemp(name);
    if (file >= 0) {
        unlink(name);
        (void)fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    return file;
}
