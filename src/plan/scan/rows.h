/*
 * What the planners of scans along long rows share: the unit that a group has at a time, and the
 * chain of such units.
 */
#ifndef TALLY_PLAN_SCAN_ROWS_H
#define TALLY_PLAN_SCAN_ROWS_H

#include "plan/plan.h"

/* Bytes of a state of the problem's scan. */
uint32_t tally_rows_state_bytes(const tally_problem *problem);

/* Local memory of a group if the spec's carry and phase were these. */
uint64_t tally_rows_local_bytes(tally_spec spec, uint16_t carry, uint8_t phase);

/* What a group may take of the device's: more where it spares a launch, and others a wait. */
uint64_t tally_rows_room(const tally_limits *limits, uint8_t phase);

/*
 * Set the sizes of a unit of so many runs for each work-item: a tile, or as much of one as the
 * device has room for beside what a group of that phase looks back at, and one of TALLY_PASS, to
 * which a chain may turn; false: it has no room.
 */
bool tally_rows_set_unit(const tally_limits *limits, uint16_t each, uint8_t phase,
                         tally_spec *spec);

/* Turn the plan's one step into the launches of a chain: one, if its board is not too large. */
void tally_rows_plan_chain(const tally_problem *problem, const tally_limits *limits,
                           tally_plan *plan);

/* What the stretches of a part come to: the launch of totals of a chain, and one for states. */
bool tally_rows_plan_states(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan);

#endif
