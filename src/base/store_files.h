/*
 * The files of a store's directory, taken together: which are its own, what they add up to, which
 * have to go. For store.c.
 */
#ifndef TALLY_BASE_STORE_FILES_H
#define TALLY_BASE_STORE_FILES_H

#include "base/hash.h"
#include "base/store.h"

/* The name of a key's file, and of the file that it is before it is whole. */
#define TALLY_STORE_NAME_BYTES 64
void tally_store_name(const char *key, char name[TALLY_STORE_NAME_BYTES]);
void tally_store_name_temporary(unsigned serial, char name[TALLY_STORE_NAME_BYTES]);

/* The bytes of a file of this name, to be freed; NULL if it is none, too large or can't be read. */
unsigned char *tally_store_read(int folder, const char *name, size_t *size);

/* Remove the least recently used files until the rest is within the limit. */
void tally_store_evict(int folder, uint64_t limit);

/* Remove half-written files whose writers are gone; returns how many. */
uint64_t tally_store_clean(int folder);

#endif
