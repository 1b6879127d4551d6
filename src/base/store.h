/*
 * A directory of keyed blobs, for as many processes and threads as want it at once. What is put
 * there may be got back, whole and unaltered, or not: every fault, from a full disk to a flipped
 * bit, only makes it that nothing was found. Knows neither what the keys say nor what the blobs
 * are.
 *
 * A blob is a file, named by its key's hash, which appears there whole by renaming. Only files with
 * such names are ever read, counted or removed. The directory is its user's alone: one that others
 * may write into, that is somebody else's or a symbolic link is not used.
 */
#ifndef TALLY_BASE_STORE_H
#define TALLY_BASE_STORE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/host_memory.h"
#include "base/status.h"
#include "base/store_files.h"

/* All zeros is one that is not open: nothing is found there, nothing is stored. */
typedef struct tally_store {
    bool is_open;
    const tally_allocator *allocator;
    tally_file folder;
    uint64_t limit; /* bytes of all files; the least recently used go first */
    atomic_uint serial;
    atomic_ullong hits, misses, writes;
    /* tally_file_write, or what a test puts in its place. */
    bool (*write)(tally_file file, const void *bytes, size_t size);
} tally_store;

/* What was found: to be freed by tally_blob_free. */
typedef struct tally_blob {
    const tally_allocator *allocator;
    unsigned char *file; /* all that was read */
    const unsigned char *bytes;
    size_t size;
} tally_blob;

/*
 * Open the directory, making it and those above it where they are missing, and remove what killed
 * processes left half-written. On failure, which is a sentence in error, the store is not open.
 */
bool tally_store_open(tally_store *store, const tally_allocator *allocator, const char *path,
                      uint64_t limit, tally_error *error);

/*
 * The same of a directory that has to be there, with the C library's memory; *missing says if it is
 * not. Removes nothing.
 */
bool tally_store_open_existing(tally_store *store, const char *path, bool *missing,
                               tally_error *error);
void tally_store_close(tally_store *store);

/* What was put under the key, if it is there and unaltered. */
bool tally_store_get(tally_store *store, const char *key, tally_blob *blob);
void tally_blob_free(tally_blob *blob);

/* Put bytes under a key in the place of what is there. True if they are stored. */
bool tally_store_put(tally_store *store, const char *key, const void *bytes, size_t size);

/* Call visit with each file, in no particular order. */
void tally_store_each(tally_store *store, void (*visit)(void *user, const tally_store_file *file),
                      void *user);

/*
 * Remove all files of the store, half-written ones too unless their writers live. False with a
 * sentence if one can't be removed. *removed counts.
 */
bool tally_store_clear(tally_store *store, uint64_t *removed, tally_error *error);

#endif
