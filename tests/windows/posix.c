/* posix.c: see posix.h. Few blocks of aligned memory are there at a time, and one thread makes
 * them. */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <malloc.h>

#include "posix.h"

#undef free
#undef remove
#undef rename

#define BLOCKS 64

static void *aligned[BLOCKS];

/* The place of a block in the list; of NULL the first that is free. */
static void **find(const void *block) {
    for (int i = 0; i < BLOCKS; i++)
        if (aligned[i] == block)
            return &aligned[i];
    return NULL;
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    void **place = find(NULL);
    *memory = place != NULL ? _aligned_malloc(bytes, alignment) : NULL;
    if (*memory == NULL)
        return 1;
    *place = *memory;
    return 0;
}

void windows_free(void *memory) {
    void **place = memory != NULL ? find(memory) : NULL;
    if (place == NULL) {
        free(memory);
        return;
    }
    _aligned_free(memory);
    *place = NULL;
}

int windows_remove(const char *path) {
    return remove(path) == 0 ? 0 : _rmdir(path);
}

int windows_rename(const char *path, const char *to) {
    return MoveFileExA(path, to, MOVEFILE_REPLACE_EXISTING) ? 0 : -1;
}
