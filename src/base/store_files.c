/*
 * The files of a store's directory, taken together. Others read, write and remove files there
 * meanwhile: what has gone is passed over.
 */
#include "base/store_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/entry.h"
#include "base/hash.h"
#include "platform/system.h"

#define SUFFIX ".blob"
#define TEMPORARY ".blob-"

/* Where files can't be locked: seconds after which nobody is still writing one. */
#define ABANDONED 3600

#define SECOND 1000000000 /* nanoseconds */

/* ---- Names --------------------------------------------------------------------------------- */

void tally_store_name(const char *key, char name[TALLY_STORE_NAME_BYTES]) {
    char digits[TALLY_HASH_DIGITS + 1];
    tally_hash_print(tally_hash_of(key, strlen(key)), digits);
    snprintf(name, TALLY_STORE_NAME_BYTES, "%s" SUFFIX, digits);
}

/* The time is for processes of the same number, of two machines say that share the directory. */
void tally_store_name_temporary(unsigned serial, char name[TALLY_STORE_NAME_BYTES]) {
    snprintf(name, TALLY_STORE_NAME_BYTES, TEMPORARY "%ld-%u-%lx.tmp", tally_process(), serial,
             (unsigned long)(tally_date() % SECOND));
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

static bool append(void *user, const char *name, uint64_t bytes, int64_t used) {
    list *files = user;
    if (strlen(name) >= TALLY_STORE_NAME_BYTES)
        return true;
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
    added->bytes = bytes;
    added->used = used;
    return true;
}

/* The files that are whole, or the half-written ones; as far as memory reaches. */
static list list_files(tally_file folder, const tally_allocator *allocator,
                       bool (*wanted)(const char *name)) {
    list files = {.allocator = allocator};
    tally_folder_each(folder, wanted, append, &files);
    return files;
}

static void free_list(list *files) {
    tally_host_give(files->allocator, files->file);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* The file's size if it is one that may be read: regular, and not too large. */
static bool check_file(tally_file file, size_t *size) {
    tally_file_facts about;
    if (!tally_file_look(file, &about) || about.kind != TALLY_FILE_PLAIN || about.bytes == 0 ||
        about.bytes > TALLY_STORE_FILE_MAX)
        return false;
    *size = (size_t)about.bytes;
    return true;
}

unsigned char *tally_store_read(tally_file folder, const tally_allocator *allocator,
                                const char *name, size_t *size) {
    tally_file file = tally_open(folder, name, TALLY_TO_READ_ITSELF);
    if (file == TALLY_NO_FILE)
        return NULL;
    unsigned char *bytes = check_file(file, size) ? tally_host_take(allocator, *size) : NULL;
    for (size_t done = 0; bytes != NULL && done < *size;) {
        const ptrdiff_t got = tally_file_read(file, bytes + done, *size - done);
        if (got > 0) {
            done += (size_t)got;
        } else {
            tally_host_give(allocator, bytes);
            bytes = NULL;
        }
    }
    tally_file_close(file);
    return bytes;
}

/* ---- Removing ------------------------------------------------------------------------------ */

static int compare_use(const void *a, const void *b) {
    const listed *first = a, *second = b;
    if (first->used != second->used)
        return first->used < second->used ? -1 : 1;
    return strcmp(first->name, second->name);
}

void tally_store_evict(tally_file folder, const tally_allocator *allocator, uint64_t limit) {
    list files = list_files(folder, allocator, is_entry);
    uint64_t sum = 0;
    for (size_t i = 0; i < files.count; i++)
        sum += files.file[i].bytes;
    if (sum > limit)
        qsort(files.file, files.count, sizeof *files.file, compare_use);
    for (size_t i = 0; i < files.count && sum > limit; i++) {
        tally_remove(folder, files.file[i].name);
        sum -= files.file[i].bytes;
    }
    free_list(&files);
}

/*
 * Remove a half-written file that nobody writes any more: its lock is free, or it is old. The lock
 * is held until it is gone, so that a writer who is just about to take it sees that.
 */
static bool remove_abandoned(tally_file folder, const listed *file) {
    tally_file own = tally_open(folder, file->name, TALLY_TO_LOCK);
    if (own == TALLY_NO_FILE)
        return false;
    const tally_file_locking lock = tally_file_lock(own);
    const bool abandoned =
        lock == TALLY_FILE_LOCKED ||
        (lock == TALLY_FILE_LOCKLESS && file->used / SECOND + ABANDONED < tally_date() / SECOND);
    const bool removed = abandoned && tally_remove(folder, file->name);
    tally_file_close(own);
    return removed;
}

uint64_t tally_store_clean(tally_file folder, const tally_allocator *allocator) {
    list files = list_files(folder, allocator, is_temporary);
    uint64_t removed = 0;
    for (size_t i = 0; i < files.count; i++)
        removed += remove_abandoned(folder, &files.file[i]);
    free_list(&files);
    return removed;
}

bool tally_store_empty(tally_file folder, const tally_allocator *allocator, uint64_t *removed,
                       tally_error *error) {
    list files = list_files(folder, allocator, is_entry);
    bool cleared = true;
    *removed = tally_store_clean(folder, allocator);
    for (size_t i = 0; i < files.count && cleared; i++) {
        bool gone = tally_remove(folder, files.file[i].name);
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
static char *read_key(tally_file folder, const tally_allocator *allocator, const char *name) {
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

void tally_store_list(tally_file folder, const tally_allocator *allocator,
                      void (*visit)(void *user, const tally_store_file *file), void *user) {
    list files = list_files(folder, allocator, is_entry);
    for (size_t i = 0; i < files.count; i++) {
        char *key = read_key(folder, allocator, files.file[i].name);
        const tally_store_file told = {key, files.file[i].bytes, files.file[i].used / SECOND};
        visit(user, &told);
        tally_host_give(allocator, key);
    }
    free_list(&files);
}
