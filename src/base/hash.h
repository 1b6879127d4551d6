/*
 * Hashes of bytes: XXH3 of 128 bits, by xxHash. Fast enough to be taken of everything, and wide
 * enough that two texts of the same hash are the same text. No defence against somebody who means
 * to deceive.
 */
#ifndef TALLY_BASE_HASH_H
#define TALLY_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tally_hash {
    uint64_t high, low;
} tally_hash;

tally_hash tally_hash_of(const void *bytes, size_t size);
bool tally_hash_equal(tally_hash a, tally_hash b);

/* 32 hexadecimal digits, lower case, and a NUL. */
#define TALLY_HASH_DIGITS 32
void tally_hash_print(tally_hash hash, char text[TALLY_HASH_DIGITS + 1]);

#endif
