/*
 * The files of a store's directory, taken together. Others read, write and remove files there
 * meanwhile: what has gone is passed over.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "base/store_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/entry.h"
#include "base/hash.h"

#define SUFFIX ".blob"
#define TEMPORARY ".blob-"

/* Where files can't be locked: seconds after which nobody is still writing one. */
#define ABANDONED 3600

/* ---- Names --------------------------------------------------------------------------------- */

void tally_store_name(const char *key, char name[TALLY_STORE_NAME_BYTES]) {
    char digits[TALLY_HASH_DIGITS + 1];
    tally_hash_print(tally_hash_of(key, strlen(key)), digits);
    snprintf(name, TALLY_STORE_NAME_BYTES, "%s" SUFFIX, digits);
}

/* The time is for processes of the same number, of two machines say that share the directory. */
void tally_store_name_temporary(unsigned serial, char name[TALLY_STORE_NAME_BYTES]) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, TALLY_STORE_NAME_BYTES, TEMPORARY "%ld-%u-%lx.tmp", (long)getpid(), serial,
             (unsigned long)now.tv_nsec);
}

static bool is_entry(const char *name) {
    return strspn(name, "0123456789abcdef") == TALLY_HASH_DIGITS &&
           strcmp(name + TALLY_HASH_DIGITS, SUFFIX) == 0;
}

static bool is_temporary(const char *name) {
    return strncmp(name, TEMPORARY, strlen(TEMPORARY)) == 0;
}

/* ---- The list ------------------------------------------------------------------------------ */

/* A file of the store, and when it was last used, in nanoseconds since 1970. */
typedef struct listed {
    char name[TALLY_STORE_NAME_BYTES];
    uint64_t bytes;
    int64_t used;
} listed;

typedef struct list {
    const tally_allocator *allocator;
    listed *file;
    size_t count, room;
} list;

static bool append(list *files, const char *name, const struct stat *about) {
    if (files->count == files->room) {
        size_t room = files->room > 0 ? 2 * files->room : 64;
        listed *grown = tally_host_grow(files->allocator, files->file, files->count * sizeof *grown,
                                        room * sizeof *grown);
        if (grown == NULL)
            return false;
        files->file = grown;
        files->room = room;
    }
    listed *added = &files->file[files->count++];
    snprintf(added->name, sizeof added->name, "%s", name);
    added->bytes = (uint64_t)about->st_size;
    added->used = (int64_t)about->st_mtim.tv_sec * 1000000000 + about->st_mtim.tv_nsec;
    return true;
}

/* The files that are whole, or the half-written ones; as far as memory reaches. */
static list list_files(int folder, const tally_allocator *allocator,
                       bool (*wanted)(const char *name)) {
    list files = {.allocator = allocator};
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *open = own >= 0 ? fdopendir(own) : NULL;
    if (open == NULL) {
        if (own >= 0)
            close(own);
        return files;
    }
    for (const struct dirent *next; (next = readdir(open)) != NULL;) {
        struct stat about;
        if (!wanted(next->d_name) || strlen(next->d_name) >= TALLY_STORE_NAME_BYTES ||
            fstatat(folder, next->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            S_ISDIR(about.st_mode))
            continue;
        if (!append(&files, next->d_name, &about))
            break;
    }
    closedir(open);
    return files;
}

static void free_list(list *files) {
    tally_host_give(files->allocator, files->file);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* The file's size if it is one that may be read: regular, and not too large. */
static bool check_file(int file, size_t *size) {
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0 ||
        (uint64_t)about.st_size > TALLY_STORE_FILE_MAX)
        return false;
    *size = (size_t)about.st_size;
    return true;
}

unsigned char *tally_store_read(int folder, const tally_allocator *allocator, const char *name,
                                size_t *size) {
    /* NONBLOCK: what has the name may be a pipe. */
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    unsigned char *bytes = check_file(file, size) ? tally_host_take(allocator, *size) : NULL;
    for (size_t done = 0; bytes != NULL && done < *size;) {
        ssize_t got = read(file, bytes + done, *size - done);
        if (got > 0)
            done += (size_t)got;
        else if (got == 0 || errno != EINTR) {
            tally_host_give(allocator, bytes);
            bytes = NULL;
        }
    }
    close(file);
    return bytes;
}

/* ---- Removing ------------------------------------------------------------------------------ */

static int compare_use(const void *a, const void *b) {
    const listed *first = a, *second = b;
    if (first->used != second->used)
        return first->used < second->used ? -1 : 1;
    return strcmp(first->name, second->name);
}

void tally_store_evict(int folder, const tally_allocator *allocator, uint64_t limit) {
    list files = list_files(folder, allocator, is_entry);
    uint64_t sum = 0;
    for (size_t i = 0; i < files.count; i++)
        sum += files.file[i].bytes;
    if (sum > limit)
        qsort(files.file, files.count, sizeof *files.file, compare_use);
    for (size_t i = 0; i < files.count && sum > limit; i++) {
        unlinkat(folder, files.file[i].name, 0);
        sum -= files.file[i].bytes;
    }
    free_list(&files);
}

/*
 * Remove a half-written file that nobody writes any more: its lock is free, or it is old. The lock
 * is held until it is gone, so that a writer who is just about to take it sees that.
 */
static bool remove_abandoned(int folder, const listed *file) {
    /* To be written too: NFS locks no other files for one alone. */
    int own = openat(folder, file->name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (own < 0)
        return false;
    const bool locked = flock(own, LOCK_EX | LOCK_NB) == 0;
    const bool busy = !locked && errno == EWOULDBLOCK;
    const bool abandoned =
        locked || (!busy && file->used / 1000000000 + ABANDONED < (int64_t)time(NULL));
    const bool removed = abandoned && unlinkat(folder, file->name, 0) == 0;
    close(own);
    return removed;
}

uint64_t tally_store_clean(int folder, const tally_allocator *allocator) {
    list files = list_files(folder, allocator, is_temporary);
    uint64_t removed = 0;
    for (size_t i = 0; i < files.count; i++)
        removed += remove_abandoned(folder, &files.file[i]);
    free_list(&files);
    return removed;
}

bool tally_store_empty(int folder, const tally_allocator *allocator, uint64_t *removed,
                       tally_error *error) {
    list files = list_files(folder, allocator, is_entry);
    bool cleared = true;
    *removed = tally_store_clean(folder, allocator);
    for (size_t i = 0; i < files.count && cleared; i++) {
        bool gone = unlinkat(folder, files.file[i].name, 0) == 0;
        *removed += gone;
        cleared = gone || errno == ENOENT;
    }
    if (!cleared)
        tally_fail(error, TALLY_INVALID, "a file of the cache can't be removed: %s",
                   strerror(errno));
    free_list(&files);
    return cleared;
}

/* ---- Listing ------------------------------------------------------------------------------- */

/* The key with a NUL behind it, to be given back; NULL if the file is damaged. */
static char *read_key(int folder, const tally_allocator *allocator, const char *name) {
    tally_entry entry;
    size_t size = 0;
    unsigned char *bytes = tally_store_read(folder, allocator, name, &size);
    char *key = bytes != NULL && tally_entry_read(bytes, size, NULL, &entry)
                    ? tally_host_take(allocator, entry.key_bytes + 1)
                    : NULL;
    if (key != NULL) {
        memcpy(key, entry.key, entry.key_bytes);
        key[entry.key_bytes] = '\0';
    }
    tally_host_give(allocator, bytes);
    return key;
}

void tally_store_list(int folder, const tally_allocator *allocator,
                      void (*visit)(void *user, const tally_store_file *file), void *user) {
    list files = list_files(folder, allocator, is_entry);
    for (size_t i = 0; i < files.count; i++) {
        char *key = read_key(folder, allocator, files.file[i].name);
        const tally_store_file told = {key, files.file[i].bytes, files.file[i].used / 1000000000};
        visit(user, &told);
        tally_host_give(allocator, key);
    }
    free_list(&files);
}
