/*
 * How a problem is cut into parts: along which axis, where, and what parts give. The rules follow
 * from the orders of cl/core/order.h. Knows descriptions, no devices and no memory.
 */
#ifndef TALLY_MODEL_PARTS_CUT_H
#define TALLY_MODEL_PARTS_CUT_H

#include <tally/part.h>

#include "model/whole.h"

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

#endif
