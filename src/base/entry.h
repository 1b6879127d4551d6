/*
 * What a file of the store holds: a key and a payload behind a head, and a checksum of it all. Pure
 * functions over memory. Knows no files, and not what keys and payloads mean.
 *
 *   bytes     0  "TALLYBLB"
 *             8  version of the format, 32 bits
 *            12  bytes of the key, 32 bits
 *            16  bytes of the payload, 64 bits
 *            24  the key, without a NUL; the payload
 *   the last 16  the hash of all before, high half first
 *
 * Numbers are little-endian.
 */
#ifndef TALLY_BASE_ENTRY_H
#define TALLY_BASE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

#define TALLY_ENTRY_VERSION 1

/* A key has at most so many bytes. */
#define TALLY_ENTRY_KEY_MAX 65536

/* Where key and payload are in the bytes that were read. */
typedef struct tally_entry {
    const char *key; /* no NUL behind it */
    size_t key_bytes;
    const unsigned char *payload;
    size_t payload_bytes;
} tally_entry;

/*
 * Read the bytes of a file, whatever they are. True if they are whole and unaltered, and of this
 * key; a NULL key takes any. Looks at no byte before its place is known to be there, and allocates
 * nothing.
 */
bool tally_entry_read(const unsigned char *bytes, size_t size, const char *key, tally_entry *entry);

/* The bytes of an entry's file; 0 if there is none of such a key or so large a payload. */
size_t tally_entry_size(const char *key, size_t payload_bytes);

/* Write as many bytes. */
void tally_entry_write(const char *key, const void *payload, size_t payload_bytes,
                       unsigned char *bytes);

#endif
