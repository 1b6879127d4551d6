/*
 * Structs of other versions: a caller's size is believed within bounds. The library tally does the
 * same with its own, by functions that it does not export.
 */
#include "mpi/struct.h"

#include <inttypes.h>
#include <string.h>

#define STRUCT_MAX 4096u

static uint32_t size_of(const void *given) {
    uint32_t size = 0;
    memcpy(&size, given, sizeof size);
    return size;
}

static tally_status check(const void *given, const char *name, tally_error *error) {
    if (given == NULL)
        return mpi_fail(error, TALLY_INVALID, "the %s is NULL", name);
    const uint32_t size = size_of(given);
    if (size == 0 || size % 4 != 0 || size > STRUCT_MAX)
        return mpi_fail(error, TALLY_INVALID,
                        "struct_size of the %s is %" PRIu32
                        ", but a multiple of 4 from 4 to %u is wanted; its initialiser fills it",
                        name, size, STRUCT_MAX);
    return TALLY_OK;
}

tally_status struct_take(const void *given, void *known, uint32_t bytes, const char *name,
                         tally_error *error) {
    if (check(given, name, error) != TALLY_OK)
        return error->status;
    const uint32_t size = size_of(given);
    for (uint32_t at = bytes; at < size; at++)
        if (((const unsigned char *)given)[at] != 0)
            return mpi_fail(error, TALLY_UNSUPPORTED,
                            "byte %" PRIu32 " of the %s is not 0, but this version knows %" PRIu32
                            " bytes of it",
                            at, name, bytes);
    memset(known, 0, bytes);
    memcpy(known, given, size < bytes ? size : bytes);
    return TALLY_OK;
}

tally_status struct_give(const void *known, uint32_t bytes, void *answer, const char *name,
                         tally_error *error) {
    if (check(answer, name, error) != TALLY_OK)
        return error->status;
    const uint32_t size = size_of(answer), first = sizeof size;
    const uint32_t both = size < bytes ? size : bytes;
    memset((char *)answer + first, 0, size - first);
    memcpy((char *)answer + first, (const char *)known + first, both - first);
    return TALLY_OK;
}
