/*
 * How a group shares its work: what follows from a spec and its launch's arguments alone, and is
 * asked by planners and by whoever checks them.
 */
#ifndef TALLY_PLAN_GROUP_H
#define TALLY_PLAN_GROUP_H

#include "plan/step.h"

/* Units that a group works on at a time; 0: one, or as many as the step's planner says. */
uint64_t tally_group_slots(const tally_step *step);

/* Local memory of a group, in bytes, at most: the kernels' own arrays. */
uint64_t tally_group_local_bytes(const tally_spec *spec);

/* The same of a schedule, as schedule.def names them; each agent may have them in its own file. */
#define TALLY_SCHEDULE(enumerator, name, kind, args, policy, slots, local, ...)                    \
    uint64_t tally_slots_##slots(const tally_step *step);                                          \
    uint64_t tally_local_##local(const tally_spec *spec);
#include "plan/schedule.def"
#undef TALLY_SCHEDULE

/* Work-items that share a block of rows; see rows.cl. */
uint64_t tally_row_mates(const tally_spec *spec);

/* Runs that a work-item has of short rows that are scanned; see scan_image.cl. */
uint64_t tally_short_rows_runs(const tally_spec *spec);

/* Terms of each row or column of a unit; see scan_rows.cl. */
uint64_t tally_unit_terms(const tally_spec *spec);

#endif
