/*
 * store_case.h: what the tests of a store share: a folder of its own for each test, and blobs made
 * from numbers, so that any process can tell a right one from a wrong one.
 */
#ifndef TALLY_TESTS_STORE_CASE_H
#define TALLY_TESTS_STORE_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/store.h"
#include "support/fixtures/folder.h"

#define STORE_CASE_LIMIT ((uint64_t)64 << 20) /* bytes that the store may keep */
#define STORE_CASE_MAX 40000                  /* bytes of the largest blob */

typedef enum outcome { MISSED, RIGHT, WRONG } outcome;

extern char store_case_path[FOLDER_PATH_BYTES]; /* the folder of the test that runs */

void store_case_set_up(void);
void store_case_tear_down(void);

/* The store of that folder; the caller closes it. */
tally_store store_case_open(void);

/* The blob of a number: its key, and bytes that nobody would guess; how many they are. */
size_t store_case_make(unsigned number, char key[32], unsigned char bytes[STORE_CASE_MAX]);

/* Store the blob of a number: whether it was kept. */
bool store_case_put(tally_store *store, unsigned number);

/* What the store has for a number. */
outcome store_case_get(tally_store *store, unsigned number);

/* Whether the store has the key; what it has must be that text. */
bool store_case_holds(tally_store *store, const char *key, const char *text);

/* In a child process, where Check can't fail: end it with this status unless a condition holds. */
void store_case_demand(bool holds, int which);

#endif
