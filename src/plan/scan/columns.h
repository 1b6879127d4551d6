/*
 * What the planners of scans down columns share: those of strips that groups go down, and of pieces
 * of them.
 */
#ifndef TALLY_PLAN_SCAN_COLUMNS_H
#define TALLY_PLAN_SCAN_COLUMNS_H

#include "model/dtype.h"
#include "plan/plan.h"

/* The least pack of a work-item. */
uint8_t tally_columns_least_pack(const tally_dtype_row *type);

/* Bytes, of 16 elements at most, that rows of columns are multiples of, in both memories. */
uint64_t tally_columns_aligned(const tally_step *step, const tally_dtype_row *type);

/*
 * Have more work-items of less each, where they are few: sooner where they move it one by one, if
 * strips stay about as wide, as rows that are moved so cost a part of a sector at both ends.
 */
void tally_columns_narrow_packs(const tally_limits *limits, tally_step *step,
                                const tally_dtype_row *type);

/*
 * Packs of a strip of so many side by side, at most so many: strips of one size, as far as whole
 * sectors of memory allow.
 */
uint64_t tally_columns_team_width(uint64_t packs, uint64_t most, uint64_t sector);

/* Strips of at most so many of a step's packs. */
void tally_columns_set_width(tally_step *step, uint64_t packs, uint64_t most, uint64_t sector);

/*
 * Groups no larger than the step's own, of one strip or of several, if compute units have more
 * work-items at a time then that do not idle. Where groups are few, strips of at most so many packs
 * may be down to half as wide for that.
 */
void tally_columns_fit_groups(const tally_limits *limits, tally_step *step,
                              const tally_dtype_row *type, uint64_t packs, uint64_t most);

/* Work-items that have runs of a span of all columns, a pack each. */
uint64_t tally_columns_items(const tally_step *step, const tally_dtype_row *type);

/*
 * Have results that lie one after the other along the axis go through local memory, if they fit:
 * of strips of a cache line, or half of one, of which each work-item has a dword, or an element.
 */
void tally_columns_stage(const tally_limits *limits, tally_step *step, const tally_dtype_row *type);

/* Turn the plan's one step into launches over pieces of columns. */
void tally_columns_spread(const tally_problem *problem, const tally_limits *limits,
                          tally_plan *plan);

#endif
