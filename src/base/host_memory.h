/*
 * The host memory that the library takes for itself: from the C library, or from the functions that
 * a caller gave. An allocator that is NULL, or has none, is the C library's.
 */
#ifndef TALLY_BASE_HOST_MEMORY_H
#define TALLY_BASE_HOST_MEMORY_H

#include <tally/types.h>

/* A block of so many bytes, at least 1; NULL if there is no memory left. */
void *tally_host_take(const tally_allocator *from, size_t bytes);

/* One of count elements, all zeros. */
void *tally_host_take_zeros(const tally_allocator *from, size_t count, size_t bytes);

/*
 * A larger block in the place of one of which the first used bytes count, which may be NULL. On
 * failure, which is NULL, that one stays.
 */
void *tally_host_grow(const tally_allocator *from, void *block, size_t used, size_t bytes);

/* Give a block back to where it came from. NULL is a no-op. */
void tally_host_give(const tally_allocator *from, void *block);

#endif
