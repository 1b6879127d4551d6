/*
 * The description of any operator, as a caller gives it: read, checked and copied. Knows nothing of
 * parts.
 */
#ifndef TALLY_MODEL_WHOLE_H
#define TALLY_MODEL_WHOLE_H

#include <tally/tally.h>

#include "model/problem.h"

/* A description that was read: a copy, its tensors as they were checked, and its problem. */
typedef struct tally_whole {
    tally_kind kind;
    tally_reduce reduce; /* one of the three, by the kind */
    tally_cumulative cumulative;
    tally_diagonal diagonal;
    tally_tensor input; /* of a fill without an input its output */
    tally_tensor output;
    uint32_t swept; /* a bit for each axis that is swept, or scanned */
    tally_problem problem;
} tally_whole;

/* The problem of a description, which is one of the three and breaks no rule. */
tally_status tally_desc_read(const tally_desc *given, tally_problem *problem, tally_error *error);

/* Check a description and copy it. */
tally_status tally_whole_read(const tally_desc *given, tally_whole *whole, tally_error *error);

bool tally_whole_is_swept(const tally_whole *whole, uint32_t axis);

/* A bit for each axis of the swept group that a swept axis begins: no kept axis lies between. */
uint32_t tally_whole_group(const tally_whole *whole, uint32_t axis);

/* Terms that the axes of a set have inside of one coordinate of an axis. */
uint64_t tally_whole_terms_inside(const tally_whole *whole, uint32_t axes, uint32_t axis);

#endif
