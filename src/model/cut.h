/*
 * How a problem is cut into parts: along which axis, where, and what parts give. The rules follow
 * from the orders of cl/core/order.h. Knows descriptions, no devices and no memory.
 */
#ifndef TALLY_MODEL_CUT_H
#define TALLY_MODEL_CUT_H

#include <tally/part.h>

#include "model/problem.h"

/* A description that is cut: a copy, its tensors as they were checked, and its problem. */
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

/* What tally_cut_even() and tally_cut_at() do, of a description that was read. */
tally_status tally_whole_cut_even(const tally_whole *whole, uint32_t axis, uint32_t parts,
                                  uint64_t *bounds, tally_cut *cut, tally_error *error);
tally_status tally_whole_cut_at(const tally_whole *whole, uint32_t axis, uint32_t parts,
                                const uint64_t *bounds, tally_cut *cut, tally_error *error);

/* Copy a caller's cut, and refuse one that is not of this description. */
tally_status tally_whole_take_cut(const tally_whole *whole, const tally_cut *given, tally_cut *cut,
                                  tally_error *error);

/* Refuse a range that is not one of the cut's. */
tally_status tally_cut_check_range(const tally_cut *cut, uint64_t begin, uint64_t end,
                                   tally_error *error);

/* Terms of the outermost swept group that one coordinate of the axis has, and of all inside it. */
uint64_t tally_whole_group_terms(const tally_whole *whole, uint32_t axis);
uint64_t tally_whole_inner_terms(const tally_whole *whole, uint32_t axis);

#endif
