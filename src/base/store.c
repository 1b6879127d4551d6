/*
 * A directory of keyed blobs: opening it, getting and putting. All paths go through the directory's
 * descriptor, so that what was checked when it was opened is what is used.
 */
#define _DEFAULT_SOURCE /* flock; POSIX has locks too, but a process has them, not a file */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "base/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/entry.h"

/* Names for a half-written file that are tried. */
#define ATTEMPTS 16

/* ---- Opening ------------------------------------------------------------------------------- */

/* The path without slashes at its end, which would follow a symbolic link; to be freed. */
static char *copy_path(const tally_allocator *allocator, const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *copy = tally_host_take(allocator, length + 1);
    if (copy != NULL) {
        memcpy(copy, path, length);
        copy[length] = '\0';
    }
    return copy;
}

/* Make the directories of the path that are missing, for this user alone. */
static bool make_folders(char *path) {
    for (char *slash = strchr(path + strspn(path, "/"), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST || access(path, X_OK) == 0;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool refuse(const char *path, const char *why, tally_error *error) {
    tally_fail(error, TALLY_INVALID, "the folder '%.300s' %s", path, why);
    return false;
}

/* Somebody else who can write there could have us run code of theirs. */
static bool check_folder(int folder, const char *path, tally_error *error) {
    struct stat about;
    if (fstat(folder, &about) != 0)
        return refuse(path, strerror(errno), error);
    if (about.st_uid != geteuid())
        return refuse(path, "belongs to somebody else", error);
    if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return refuse(path, "can be written by others than its owner", error);
    return true;
}

/* What errno says of an open directory that there was not to be. */
static bool refuse_open(const char *path, tally_error *error) {
    char why[200];
    struct stat about;
    const int code = errno;
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode))
        return refuse(path, "is a symbolic link", error);
    snprintf(why, sizeof why, "can't be opened: %s", strerror(code));
    return refuse(path, why, error);
}

static bool open_folder(tally_store *store, const char *path, tally_error *error) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return refuse_open(path, error);
    if (!check_folder(folder, path, error)) {
        close(folder);
        return false;
    }
    store->folder = folder;
    store->is_open = true;
    return true;
}

static void begin(tally_store *store, const tally_allocator *allocator, uint64_t limit) {
    store->is_open = false;
    store->allocator = allocator;
    store->limit = limit;
    store->write = write;
    atomic_init(&store->serial, 0u);
    atomic_init(&store->hits, 0u);
    atomic_init(&store->misses, 0u);
    atomic_init(&store->writes, 0u);
}

static bool open_path(tally_store *store, const char *path, bool make, bool *missing,
                      tally_error *error) {
    char *own = copy_path(store->allocator, path);
    struct stat about;
    if (own == NULL) {
        tally_fail_memory(error, "a path");
        return false;
    }
    if (make)
        make_folders(own); /* if that fails, so does opening, which says why */
    *missing = lstat(own, &about) != 0 && errno == ENOENT;
    bool opened = open_folder(store, own, error);
    tally_host_give(store->allocator, own);
    return opened;
}

bool tally_store_open(tally_store *store, const tally_allocator *allocator, const char *path,
                      uint64_t limit, tally_error *error) {
    bool missing = false;
    begin(store, allocator, limit);
    if (!open_path(store, path, true, &missing, error))
        return false;
    tally_store_clean(store->folder, store->allocator);
    return true;
}

bool tally_store_open_existing(tally_store *store, const char *path, bool *missing,
                               tally_error *error) {
    begin(store, NULL, 0);
    return open_path(store, path, false, missing, error);
}

void tally_store_close(tally_store *store) {
    if (store->is_open)
        close(store->folder);
    store->is_open = false;
}

/* ---- Getting ------------------------------------------------------------------------------- */

static bool look_up(const tally_store *store, const char *key, tally_blob *blob) {
    char name[TALLY_STORE_NAME_BYTES];
    tally_entry entry;
    size_t size = 0;
    tally_store_name(key, name);
    unsigned char *file = tally_store_read(store->folder, store->allocator, name, &size);
    if (file == NULL)
        return false;
    if (!tally_entry_read(file, size, key, &entry)) {
        tally_host_give(store->allocator, file);
        return false;
    }
    *blob = (tally_blob){store->allocator, file, entry.payload, entry.payload_bytes};
    /* Used now. In a directory that can't be written nothing is ever evicted either. */
    (void)utimensat(store->folder, name, NULL, AT_SYMLINK_NOFOLLOW);
    return true;
}

bool tally_store_get(tally_store *store, const char *key, tally_blob *blob) {
    *blob = (tally_blob){.file = NULL};
    if (!store->is_open)
        return false;
    bool found = look_up(store, key, blob);
    atomic_fetch_add_explicit(found ? &store->hits : &store->misses, 1u, memory_order_relaxed);
    return found;
}

void tally_blob_free(tally_blob *blob) {
    tally_host_give(blob->allocator, blob->file);
    *blob = (tally_blob){.file = NULL};
}

/* ---- Putting ------------------------------------------------------------------------------- */

/* A limit on the size of files is told by a signal that ends the program: better not to ask. */
static bool may_write(size_t size) {
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
           (most.rlim_cur == RLIM_INFINITY || size <= most.rlim_cur);
}

/*
 * Lock a new file: the lock goes with its writer, however that ends, and tells those who clean up
 * whether there still is one. False if one of them was faster. Where there are no locks the file's
 * age has to tell.
 */
static bool claim(int file) {
    struct stat about;
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(file, &about) == 0 && about.st_nlink > 0;
}

static int create_temporary(tally_store *store, char name[TALLY_STORE_NAME_BYTES]) {
    for (int i = 0; i < ATTEMPTS; i++) {
        tally_store_name_temporary(atomic_fetch_add(&store->serial, 1u), name);
        int file =
            openat(store->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file >= 0 && claim(file))
            return file;
        if (file < 0 && errno != EEXIST)
            return -1;
        if (file >= 0) { /* as good as gone, or of no use here */
            unlinkat(store->folder, name, 0);
            close(file);
        }
    }
    return -1;
}

static bool write_all(const tally_store *store, int file, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = store->write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static bool write_file(tally_store *store, const char *key, const unsigned char *bytes,
                       size_t size) {
    char name[TALLY_STORE_NAME_BYTES], temporary[TALLY_STORE_NAME_BYTES];
    int file = create_temporary(store, temporary);
    if (file < 0)
        return false;
    tally_store_name(key, name);
    bool done = write_all(store, file, bytes, size) && fsync(file) == 0 &&
                renameat(store->folder, temporary, store->folder, name) == 0;
    if (!done)
        unlinkat(store->folder, temporary, 0);
    close(file); /* the last, as the lock goes with it */
    return done;
}

bool tally_store_put(tally_store *store, const char *key, const void *bytes, size_t size) {
    const size_t all = tally_entry_size(key, size);
    if (!store->is_open || all == 0 || all > store->limit || all > TALLY_STORE_FILE_MAX ||
        !may_write(all))
        return false;
    unsigned char *file = tally_host_take(store->allocator, all);
    if (file == NULL)
        return false;
    tally_entry_write(key, bytes, size, file);
    bool done = write_file(store, key, file, all);
    tally_host_give(store->allocator, file);
    if (done) {
        atomic_fetch_add_explicit(&store->writes, 1u, memory_order_relaxed);
        tally_store_evict(store->folder, store->allocator, store->limit);
    }
    return done;
}

/* ---- All of them ---------------------------------------------------------------------------- */

void tally_store_each(tally_store *store, void (*visit)(void *user, const tally_store_file *file),
                      void *user) {
    tally_store_list(store->folder, store->allocator, visit, user);
}

bool tally_store_clear(tally_store *store, uint64_t *removed, tally_error *error) {
    return tally_store_empty(store->folder, store->allocator, removed, error);
}
