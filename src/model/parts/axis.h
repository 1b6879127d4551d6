/*
 * What an axis of a description allows: what parts of it give, with which grains, and so where it
 * can be cut. Knows no bounds.
 */
#ifndef TALLY_MODEL_PARTS_AXIS_H
#define TALLY_MODEL_PARTS_AXIS_H

#include <tally/part.h>

#include "model/whole.h"

/* Grains of reductions: 1, where that is one, and TALLY_BLOCK to the powers 1 to 5. */
#define TALLY_CUT_GRAINS 6

/* All of a cut but its grain; refuses an axis that cannot be cut. */
tally_status tally_cut_begin(const tally_whole *whole, uint32_t axis, tally_cut *cut,
                             tally_error *error);

/* The grains that cut an axis, the finest first; returns how many. */
uint32_t tally_cut_grains(const tally_whole *whole, const tally_cut *cut,
                          uint64_t grain[TALLY_CUT_GRAINS]);

/* Set the grain, and where cuts may lie with it. */
void tally_cut_set_grain(const tally_whole *whole, uint64_t grain, tally_cut *cut);

/* A hash of all that states and results of parts depend on. */
uint64_t tally_cut_key(const tally_whole *whole, const tally_cut *cut);

#endif
