/*
 * Hashes of bytes. The only file of the library that knows xxHash, which is all in its header.
 */
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#if XXH_VERSION_NUMBER < 800
#error "xxHash before 0.8.0 has other hashes of that name"
#endif

tally_hash tally_hash_of(const void *bytes, size_t size) {
    XXH128_hash_t hash = XXH3_128bits(bytes, size);
    return (tally_hash){.high = hash.high64, .low = hash.low64};
}

bool tally_hash_equal(tally_hash a, tally_hash b) {
    return a.high == b.high && a.low == b.low;
}

void tally_hash_print(tally_hash hash, char text[TALLY_HASH_DIGITS + 1]) {
    snprintf(text, TALLY_HASH_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
}
