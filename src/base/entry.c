/*
 * The file format of the store. A reader believes nothing: lengths have to add up to the file's
 * own, and then the checksum has to be right, before key and payload are shown to anybody.
 */
#include "base/entry.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"

#define HEAD_BYTES 24
#define HASH_BYTES 16

static const char magic[8] = {'T', 'A', 'L', 'L', 'Y', 'B', 'L', 'B'};

static uint64_t get_number(const unsigned char *at, size_t bytes) {
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)at[i] << 8 * i;
    return number;
}

static void put_number(unsigned char *at, size_t bytes, uint64_t number) {
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(number >> 8 * i);
}

/* Whether the last bytes are the hash of those before. */
static bool is_unaltered(const unsigned char *bytes, size_t size) {
    const size_t hashed = size - HASH_BYTES;
    const tally_hash told = {.high = get_number(bytes + hashed, 8),
                             .low = get_number(bytes + hashed + 8, 8)};
    return tally_hash_equal(tally_hash_of(bytes, hashed), told);
}

bool tally_entry_read(const unsigned char *bytes, size_t size, const char *key,
                      tally_entry *entry) {
    if (size < HEAD_BYTES + HASH_BYTES || memcmp(bytes, magic, sizeof magic) != 0 ||
        get_number(bytes + 8, 4) != TALLY_ENTRY_VERSION)
        return false;
    const uint64_t key_bytes = get_number(bytes + 12, 4), payload_bytes = get_number(bytes + 16, 8);
    const uint64_t rest = size - HEAD_BYTES - HASH_BYTES;
    if (key_bytes > TALLY_ENTRY_KEY_MAX || key_bytes > rest || payload_bytes != rest - key_bytes)
        return false;
    if (!is_unaltered(bytes, size))
        return false;
    const char *own = (const char *)bytes + HEAD_BYTES;
    if (key != NULL && (strlen(key) != key_bytes || memcmp(own, key, (size_t)key_bytes) != 0))
        return false;
    *entry = (tally_entry){.key = own,
                           .key_bytes = (size_t)key_bytes,
                           .payload = bytes + HEAD_BYTES + key_bytes,
                           .payload_bytes = (size_t)payload_bytes};
    return true;
}

size_t tally_entry_size(const char *key, size_t payload_bytes) {
    const size_t key_bytes = strlen(key);
    if (key_bytes > TALLY_ENTRY_KEY_MAX ||
        payload_bytes > SIZE_MAX - HEAD_BYTES - HASH_BYTES - key_bytes)
        return 0;
    return HEAD_BYTES + key_bytes + payload_bytes + HASH_BYTES;
}

void tally_entry_write(const char *key, const void *payload, size_t payload_bytes,
                       unsigned char *bytes) {
    const size_t key_bytes = strlen(key);
    unsigned char *at = bytes + HEAD_BYTES;
    memcpy(bytes, magic, sizeof magic);
    put_number(bytes + 8, 4, TALLY_ENTRY_VERSION);
    put_number(bytes + 12, 4, key_bytes);
    put_number(bytes + 16, 8, payload_bytes);
    /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): its length stands before it */
    memcpy(at, key, key_bytes);
    at += key_bytes;
    if (payload_bytes > 0)
        memcpy(at, payload, payload_bytes);
    at += payload_bytes;
    const tally_hash hash = tally_hash_of(bytes, (size_t)(at - bytes));
    put_number(at, 8, hash.high);
    put_number(at + 8, 8, hash.low);
}
