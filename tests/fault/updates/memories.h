/*
 * memories.h: memory of a subject's, of which a recording gets now one set and now another: of any
 * kind, at any offset, with elements of its own, and with what must come out of them.
 */
#ifndef TESTS_FAULT_UPDATES_MEMORIES_H
#define TESTS_FAULT_UPDATES_MEMORIES_H

#include "fault/subject.h"
#include "support/fixtures/image.h"

typedef struct memories {
    const subject *what;
    bool in_place; /* the output is the input */
    image input, output, scratch;
    uint32_t *expected;
} memories;

/* How they are: where elements begin, the kind, and whether the layer calls that Intel's. */
typedef struct memories_way {
    size_t first; /* bytes */
    memory_kind kind;
    bool is_usm;
    bool in_place;
} memories_way;

/* The elements are those of the seed. */
memories memories_make(const subject *what, const tally_op *op, uint64_t seed, memories_way way);
void memories_free(memories *it);

tally_binding memories_binding(const memories *it);

/* Make the output what it was at first. */
void memories_spoil(const memories *it);

/* Every byte of the output is as the operator leaves it; or as it was at first. */
void memories_check(const memories *it);
void memories_check_unused(const memories *it);

#endif
