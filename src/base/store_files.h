/*
 * The files of a store's directory, taken together: which are its own, what they add up to, which
 * have to go. Knows the directory as it is open, not the store that has it open.
 */
#ifndef TALLY_BASE_STORE_FILES_H
#define TALLY_BASE_STORE_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/host_memory.h"
#include "base/status.h"
#include "platform/files.h"

/* A file is at most so large, whatever the limit. */
#define TALLY_STORE_FILE_MAX ((size_t)64 << 20)

/* The name of a key's file, and of the file that it is before it is whole. */
#define TALLY_STORE_NAME_BYTES 64
void tally_store_name(const char *key, char name[TALLY_STORE_NAME_BYTES]);
void tally_store_name_temporary(unsigned serial, char name[TALLY_STORE_NAME_BYTES]);

/*
 * The bytes of a file of this name, to be given back to the allocator; NULL if it is none, too
 * large or can't be read.
 */
unsigned char *tally_store_read(tally_file folder, const tally_allocator *allocator,
                                const char *name, size_t *size);

/* Remove the least recently used files until the rest is within the limit. */
void tally_store_evict(tally_file folder, const tally_allocator *allocator, uint64_t limit);

/* Remove half-written files whose writers are gone; returns how many. */
uint64_t tally_store_clean(tally_file folder, const tally_allocator *allocator);

/* A file of the store, for those who list it. */
typedef struct tally_store_file {
    const char *key; /* NUL-terminated; NULL if the file is damaged */
    uint64_t bytes;
    int64_t used; /* seconds since 1970 */
} tally_store_file;

/* Call visit with each file. */
void tally_store_list(tally_file folder, const tally_allocator *allocator,
                      void (*visit)(void *user, const tally_store_file *file), void *user);

/* What tally_store_clear does. */
bool tally_store_empty(tally_file folder, const tally_allocator *allocator, uint64_t *removed,
                       tally_error *error);

#endif
