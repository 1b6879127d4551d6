/*
 * Structs of other versions. Sizes come from a caller and are believed within bounds: most structs
 * that were not initialised are refused, and of no other one more than 4096 bytes are touched.
 */
#include "base/struct.h"

#include <inttypes.h>
#include <string.h>

#include <tally/tally.h>

/* More than any struct will have. */
#define SIZE_MAX_OF_STRUCTS 4096u

static uint32_t size_of(const void *given) {
    uint32_t size = 0;
    memcpy(&size, given, sizeof size);
    return size;
}

tally_status tally_struct_check(const void *answer, const char *name, tally_error *error) {
    if (answer == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s is NULL", name);
    const uint32_t size = size_of(answer);
    if (size == 0 || size % sizeof size != 0 || size > SIZE_MAX_OF_STRUCTS)
        return tally_fail(error, TALLY_INVALID,
                          "struct_size of the %s is %" PRIu32
                          ", but a multiple of 4 from 4 to %u is wanted; its initialiser fills it",
                          name, size, SIZE_MAX_OF_STRUCTS);
    return TALLY_OK;
}

tally_status tally_struct_take(const void *given, void *known, uint32_t bytes, const char *name,
                               tally_error *error) {
    tally_status status = tally_struct_check(given, name, error);
    if (status != TALLY_OK)
        return status;
    const uint32_t size = size_of(given);
    for (uint32_t at = bytes; at < size; at++)
        if (((const unsigned char *)given)[at] != 0)
            return tally_fail(error, TALLY_UNSUPPORTED,
                              "byte %" PRIu32 " of the %s is not 0, but this version knows %" PRIu32
                              " bytes of it",
                              at, name, bytes);
    memset(known, 0, bytes);
    memcpy(known, given, size < bytes ? size : bytes);
    return TALLY_OK;
}

tally_status tally_struct_take_desc(const tally_desc *given, tally_desc *known,
                                    tally_error *error) {
    tally_status status = tally_struct_take(given, known, sizeof *known, "tally_desc", error);
    if (status != TALLY_OK)
        return status;
    const int count =
        (known->reduce != NULL) + (known->cumulative != NULL) + (known->diagonal != NULL);
    return count == 1 ? TALLY_OK
                      : tally_fail(error, TALLY_INVALID,
                                   "%d of its three descriptions are given, not one", count);
}

tally_status tally_struct_check_reserved(uint32_t reserved, const char *name, tally_error *error) {
    return reserved == 0 ? TALLY_OK
                         : tally_fail(error, TALLY_UNSUPPORTED,
                                      "the reserved member of the %s is %" PRIu32
                                      ", but this version wants 0; its initialiser has it",
                                      name, reserved);
}

void tally_struct_give(const void *known, uint32_t bytes, void *answer) {
    const uint32_t size = size_of(answer), first = sizeof size;
    const uint32_t both = size < bytes ? size : bytes;
    memset((char *)answer + first, 0, size - first);
    memcpy((char *)answer + first, (const char *)known + first, both - first);
}
