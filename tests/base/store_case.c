/* store_case.c: see store_case.h. */
#define _XOPEN_SOURCE 700
#include "store_case.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char store_case_path[FOLDER_PATH_BYTES];

void store_case_set_up(void) {
    folder_make(store_case_path);
}

void store_case_tear_down(void) {
    folder_remove(store_case_path);
}

tally_store store_case_open(void) {
    tally_store store;
    tally_error error = TALLY_ERROR_INIT;
    ck_assert_msg(tally_store_open(&store, NULL, store_case_path, STORE_CASE_LIMIT, &error), "%s",
                  error.message);
    return store;
}

size_t store_case_make(unsigned number, char key[32], unsigned char bytes[STORE_CASE_MAX]) {
    const size_t size = 1 + number * 7919u % STORE_CASE_MAX;
    uint32_t state = number + 1;
    snprintf(key, 32, "blob %u", number);
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(state >> 24);
    }
    return size;
}

bool store_case_put(tally_store *store, unsigned number) {
    unsigned char bytes[STORE_CASE_MAX];
    char key[32];
    const size_t size = store_case_make(number, key, bytes);
    return tally_store_put(store, key, bytes, size);
}

outcome store_case_get(tally_store *store, unsigned number) {
    unsigned char bytes[STORE_CASE_MAX];
    char key[32];
    tally_blob blob;
    const size_t size = store_case_make(number, key, bytes);
    if (!tally_store_get(store, key, &blob))
        return MISSED;
    bool right = blob.size == size && memcmp(blob.bytes, bytes, size) == 0;
    tally_blob_free(&blob);
    return right ? RIGHT : WRONG;
}

bool store_case_holds(tally_store *store, const char *key, const char *text) {
    tally_blob blob;
    bool found = tally_store_get(store, key, &blob);
    if (found) {
        ck_assert_uint_eq(blob.size, strlen(text));
        ck_assert_mem_eq(blob.bytes, text, blob.size);
    }
    tally_blob_free(&blob);
    return found;
}

void store_case_demand(bool holds, int which) {
    if (!holds)
        _exit(which);
}
