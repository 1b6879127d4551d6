/*
 * A directory of keyed blobs: opening it, getting and putting.
 */
#include "base/store.h"

#include <errno.h>
#include <string.h>

#include "base/entry.h"

/* Names for a half-written file that are tried. */
#define ATTEMPTS 16

/* ---- Opening ------------------------------------------------------------------------------- */

/* The path without separators at its end; to be freed. */
static char *copy_path(const tally_allocator *allocator, const char *path) {
    const size_t length = tally_folder_path_length(path);
    char *copy = tally_host_take(allocator, length + 1);
    if (copy != NULL) {
        memcpy(copy, path, length);
        copy[length] = '\0';
    }
    return copy;
}

static bool open_folder(tally_store *store, const char *path, tally_error *error) {
    char why[TALLY_FOLDER_WHY_BYTES];
    tally_file folder = tally_folder_open(path, why);
    if (folder == TALLY_NO_FILE) {
        tally_fail(error, TALLY_INVALID, "the folder '%.300s' %s", path, why);
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
    store->write = tally_file_write;
    atomic_init(&store->serial, 0u);
    atomic_init(&store->hits, 0u);
    atomic_init(&store->misses, 0u);
    atomic_init(&store->writes, 0u);
}

static bool open_path(tally_store *store, const char *path, bool make, bool *missing,
                      tally_error *error) {
    char *own = copy_path(store->allocator, path);
    if (own == NULL) {
        tally_fail_memory(error, "a path");
        return false;
    }
    if (make)
        tally_folder_make(own); /* if that fails, so does opening, which says why */
    *missing = tally_folder_is_missing(own);
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
        tally_file_close(store->folder);
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
    tally_touch(store->folder, name);
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

/*
 * Lock a new file: the lock goes with its writer, however that ends, and tells those who clean up
 * whether there still is one. False if one of them was faster. Where there are no locks the file's
 * age has to tell.
 */
static bool claim(tally_file file) {
    tally_file_facts about;
    return tally_file_lock(file) != TALLY_FILE_BUSY && tally_file_look(file, &about) &&
           about.has_name;
}

static tally_file create_temporary(tally_store *store, char name[TALLY_STORE_NAME_BYTES]) {
    for (int i = 0; i < ATTEMPTS; i++) {
        tally_store_name_temporary(atomic_fetch_add(&store->serial, 1u), name);
        tally_file file = tally_open(store->folder, name, TALLY_TO_CREATE_OWN);
        if (file != TALLY_NO_FILE && claim(file))
            return file;
        if (file == TALLY_NO_FILE && errno != EEXIST)
            return TALLY_NO_FILE;
        if (file != TALLY_NO_FILE) { /* as good as gone, or of no use here */
            tally_remove(store->folder, name);
            tally_file_close(file);
        }
    }
    return TALLY_NO_FILE;
}

static bool write_file(tally_store *store, const char *key, const unsigned char *bytes,
                       size_t size) {
    char name[TALLY_STORE_NAME_BYTES], temporary[TALLY_STORE_NAME_BYTES];
    tally_file file = create_temporary(store, temporary);
    if (file == TALLY_NO_FILE)
        return false;
    tally_store_name(key, name);
    bool done = store->write(file, bytes, size) && tally_file_sync(file) &&
                tally_rename(store->folder, temporary, name);
    if (!done)
        tally_remove(store->folder, temporary);
    tally_file_close(file); /* the last, as the lock goes with it */
    return done;
}

bool tally_store_put(tally_store *store, const char *key, const void *bytes, size_t size) {
    const size_t all = tally_entry_size(key, size);
    if (!store->is_open || all == 0 || all > store->limit || all > TALLY_STORE_FILE_MAX ||
        !tally_file_may_have(all))
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
