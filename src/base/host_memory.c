/*
 * Host memory from the C library or from the caller. The only file that calls malloc and free.
 */
#include "base/host_memory.h"

#include <stdlib.h>
#include <string.h>

static bool is_callers(const tally_allocator *from) {
    return from != NULL && from->allocate != NULL;
}

void *tally_host_take(const tally_allocator *from, size_t bytes) {
    return is_callers(from) ? from->allocate(from->user, bytes) : malloc(bytes);
}

void *tally_host_take_zeros(const tally_allocator *from, size_t count, size_t bytes) {
    if (!is_callers(from))
        return calloc(count, bytes);
    void *block = count <= SIZE_MAX / bytes ? from->allocate(from->user, count * bytes) : NULL;
    if (block != NULL)
        memset(block, 0, count * bytes);
    return block;
}

void *tally_host_grow(const tally_allocator *from, void *block, size_t used, size_t bytes) {
    if (!is_callers(from))
        return realloc(block, bytes);
    void *larger = from->allocate(from->user, bytes);
    if (larger == NULL)
        return NULL;
    if (block != NULL) {
        memcpy(larger, block, used);
        from->release(from->user, block);
    }
    return larger;
}

void tally_host_give(const tally_allocator *from, void *block) {
    if (!is_callers(from))
        free(block);
    else if (block != NULL)
        from->release(from->user, block);
}
