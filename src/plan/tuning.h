/*
 * The planners' numbers: sizes of groups and where one schedule takes over from another. They
 * change speed, never bits.
 */
#ifndef TALLY_PLAN_TUNING_H
#define TALLY_PLAN_TUNING_H

/* Work-items of a group where each works for itself; on a CPU a group is what one core takes. */
#define TALLY_ITEM_GROUP 64
#define TALLY_ITEM_GROUP_CPU 8

/* Work-items of a group that shares its work, at most; a power of two. */
#define TALLY_TEAM_GROUP 128

/* Groups of one launch, at most: kernels loop over what is left. */
#define TALLY_GROUPS_MAX (UINT64_C(1) << 22)

/* A group per unit pays where single work-items are fewer than this for each compute unit... */
#define TALLY_BUSY_ITEMS 1024

/* ...or where each has at least so many terms to itself and the next one's are not beside them. */
#define TALLY_TEAM_TERMS 64

/* Work-items of the groups that move 16 bytes each, and the local memory that they may take. */
#define TALLY_WIDE_GROUP 256
#define TALLY_WIDE_LOCAL 16384

/* Lanes that a work-item has to itself when it goes down columns. */
#define TALLY_COLUMN_EACH 8

/* Work-items side by side over a strip of columns, at most. */
#define TALLY_ACROSS_MAX 32

#endif
