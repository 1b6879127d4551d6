/*
 * Structs of callers that were built with an older or a newer header. The first member of each is
 * its size; tally/types.h says how they grow.
 */
#ifndef TALLY_BASE_STRUCT_H
#define TALLY_BASE_STRUCT_H

#include "base/status.h"

/*
 * Copy what is given into a struct of bytes, as this version knows it. What a smaller one lacks is
 * 0. Refuse NULL, a size that no version has, and a larger one whose other bytes are not 0.
 */
tally_status tally_struct_take(const void *given, void *known, uint32_t bytes, const char *name,
                               tally_error *error);

/* The same of a tally_desc, which has to have one of its three descriptions. */
struct tally_desc;
tally_status tally_struct_take_desc(const struct tally_desc *given, struct tally_desc *known,
                                    tally_error *error);

/* Refuse a reserved member that is not 0: a later version may say something there. */
tally_status tally_struct_check_reserved(uint32_t reserved, const char *name, tally_error *error);

/* Refuse a struct for an answer that is NULL or has a size that no version has. */
tally_status tally_struct_check(const void *answer, const char *name, tally_error *error);

/*
 * Copy an answer of bytes into a struct that was checked: as much as it has room for. Bytes that
 * this version does not know become 0, and the size stays as it is.
 */
void tally_struct_give(const void *known, uint32_t bytes, void *answer);

#endif
