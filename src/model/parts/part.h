/*
 * The problems of parts: of a part of a cut, of the combining of states, and of a scan's part that
 * goes on from a carry. Knows no devices.
 */
#ifndef TALLY_MODEL_PARTS_PART_H
#define TALLY_MODEL_PARTS_PART_H

#include "model/parts/cut.h"

/* The problem of tally_part_create(): results, or states. */
tally_status tally_part_problem(const tally_whole *whole, const tally_cut *cut,
                                const tally_part *given, tally_problem *problem,
                                tally_error *error);

/* The problem of tally_combine_create(). */
tally_status tally_part_combine(const tally_whole *whole, const tally_cut *cut, uint64_t states,
                                tally_problem *problem, tally_error *error);

/* The problem of tally_part_scan_create(). */
tally_status tally_part_scan(const tally_whole *whole, const tally_cut *cut,
                             const tally_part *given, tally_problem *problem, tally_error *error);

/* The states of a range of a cut; see tally_cut_states(). */
uint64_t tally_part_states(const tally_cut *cut, uint64_t begin, uint64_t end);

#endif
