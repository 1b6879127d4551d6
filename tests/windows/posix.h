/*
 * posix.h: what the tests call of POSIX, for Windows. The build for Windows includes it before
 * every file of the tests; no other build sees it. Tests of what Windows has no equal of are left
 * out there.
 */
#ifndef TESTS_WINDOWS_POSIX_H
#define TESTS_WINDOWS_POSIX_H

#include <direct.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>

/* Windows gives aligned memory back by another function: free asks which it is. */
int posix_memalign(void **memory, size_t alignment, size_t bytes);
void windows_free(void *memory);
#define free windows_free

/* Windows' remove takes no folders, and its rename replaces nothing. */
int windows_remove(const char *path);
int windows_rename(const char *path, const char *to);
#define remove windows_remove
#define rename windows_rename

static inline char *mkdtemp(char *path) {
    return _mktemp(path) != NULL && _mkdir(path) == 0 ? path : NULL;
}

#endif
