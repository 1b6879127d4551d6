/*
 * parts.h: a problem computed at once and in parts, by the same runtime or by several. Every byte
 * of both outputs must be equal, gaps included. Parts take their tensors in turn as ranges of the
 * whole's memory and as packed copies.
 */
#ifndef TESTS_SUPPORT_PARTS_PARTS_H
#define TESTS_SUPPORT_PARTS_PARTS_H

#include <tally/part.h>

#include "support/numbers/values.h"

/* Runtimes that take turns in computing parts and combine states. */
#define PARTS_RUNTIMES 3

typedef struct parts_how {
    tally_runtime *runtimes[PARTS_RUNTIMES]; /* NULL: as the first one; of that: the fixture's */
    uint32_t axis;                           /* to cut, or TALLY_ANY_AXIS */
    uint32_t parts;
    const uint64_t *bounds; /* of the parts; NULL: as even as can be */
    values_class values;
    uint64_t seed;
} parts_how;

/* Fails the running test with the problem in words unless they are equal. */
void parts_check(const tally_desc *whole, parts_how how);

/* A cut as even as can be, which must be possible. */
tally_cut parts_cut(const tally_desc *whole, uint32_t axis, uint32_t parts, uint64_t *bounds);

#endif
