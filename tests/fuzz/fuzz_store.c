/*
 * fuzz_store.c: bytes as a file of the store. What is made up is read only if it is an entry
 * through and through: what it says, written again, gives the same bytes. What was an entry and was
 * altered or cut off is refused. A hash can't be guessed, so some inputs get the right one at their
 * end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/entry.h"
#include "base/hash.h"
#include "bytes.h"
#include "support/fail.h"

#define HASH_BYTES 16

/* Memory of just this size, for sanitizers to watch; to be freed. */
static unsigned char *allocate(size_t size) {
    unsigned char *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        abort();
    return memory;
}

/* Key and payload are inside the bytes, one behind the other. */
static void check_paths(const unsigned char *data, size_t size, const tally_entry *entry) {
    const unsigned char *key = (const unsigned char *)entry->key;
    if (key < data || key + entry->key_bytes != entry->payload ||
        entry->payload + entry->payload_bytes != data + size - HASH_BYTES)
        fail_with("key and payload are not in their places");
}

/* Written again it is the same. A key with a NUL is none that was ever written. */
static void check_written(const unsigned char *data, size_t size, const tally_entry *entry) {
    if (memchr(entry->key, '\0', entry->key_bytes) != NULL)
        return;
    char *key = (char *)allocate(entry->key_bytes + 1);
    memcpy(key, entry->key, entry->key_bytes);
    key[entry->key_bytes] = '\0';
    if (tally_entry_size(key, entry->payload_bytes) != size)
        fail_with("an entry of another size is read");
    unsigned char *again = allocate(size);
    tally_entry_write(key, entry->payload, entry->payload_bytes, again);
    tally_entry same;
    if (memcmp(again, data, size) != 0 || !tally_entry_read(data, size, key, &same))
        fail_with("an entry is read that nobody would write");
    free(again);
    free(key);
}

static void read_bytes(const unsigned char *data, size_t size) {
    tally_entry entry;
    memset(&entry, 0xAB, sizeof entry);
    if (!tally_entry_read(data, size, NULL, &entry))
        return;
    check_paths(data, size, &entry);
    check_written(data, size, &entry);
}

/* The bytes with their hash behind them. */
static void read_hashed(const uint8_t *data, size_t size) {
    unsigned char *hashed = allocate(size + HASH_BYTES);
    const tally_hash hash = tally_hash_of(data, size);
    memcpy(hashed, data, size);
    for (size_t i = 0; i < 8; i++) {
        hashed[size + i] = (unsigned char)(hash.high >> 8 * i);
        hashed[size + 8 + i] = (unsigned char)(hash.low >> 8 * i);
    }
    read_bytes(hashed, size + HASH_BYTES);
    free(hashed);
}

/* An entry of a short key and what is left, first as it is, then with a byte another, or cut off.
 */
static void read_altered(byte_source *from) {
    char key[] = "key ????";
    for (size_t i = 4; i < sizeof key - 1; i++)
        key[i] = (char)('a' + bytes_choose(from, 26));
    const size_t at = (size_t)bytes_take_word(from, 2), cut = bytes_take(from);
    const unsigned char other = bytes_take(from);
    const size_t payload_bytes = (size_t)(from->end - from->at);
    const size_t size = tally_entry_size(key, payload_bytes);
    unsigned char *data = allocate(size);
    tally_entry entry;
    tally_entry_write(key, from->at, payload_bytes, data);
    if (!tally_entry_read(data, size, key, &entry) || entry.payload_bytes != payload_bytes ||
        (payload_bytes > 0 && memcmp(entry.payload, from->at, payload_bytes) != 0))
        fail_with("what was written is not what is read");
    key[4] = key[4] == 'a' ? 'b' : 'a';
    if (tally_entry_read(data, size, key, &entry))
        fail_with("an entry of another key is read");
    unsigned char *shorter = allocate(size - cut % size);
    memcpy(shorter, data, size - cut % size);
    if (cut % size != 0 && tally_entry_read(shorter, size - cut % size, NULL, &entry))
        fail_with("an entry that is cut off is read");
    data[at % size] ^= other;
    if (other != 0 && tally_entry_read(data, size, NULL, &entry))
        fail_with("an entry with a byte altered is read");
    free(shorter);
    free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    byte_source from = {data, data + size};
    if (size == 0)
        return 0;
    const uint32_t way = bytes_choose(&from, 3);
    if (way == 0)
        read_bytes(data, size);
    else if (way == 1)
        read_hashed(from.at, size - 1);
    else
        read_altered(&from);
    return 0;
}
