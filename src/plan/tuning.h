/*
 * The numbers of several planners, and of those of folds and scans that are long: sizes of groups,
 * and where one schedule takes over from another. A planner's own numbers stand in its file, those
 * of fills in plan/fill/tuning.h. All of them change speed, never bits.
 */
#ifndef TALLY_PLAN_TUNING_H
#define TALLY_PLAN_TUNING_H

#include <stdint.h>

/* Work-items of a group where each works for itself; on a CPU a group is what one core takes. */
#define TALLY_ITEM_GROUP 64
#define TALLY_ITEM_GROUP_CPU 8

/* A group per unit pays where single work-items are fewer than this for each compute unit... */
#define TALLY_BUSY_ITEMS 1024

/* ...or where each has at least so many terms to itself and the next one's are not beside them. */
#define TALLY_TEAM_TERMS 64

/* Work-items of the groups that move 16 bytes each, and the local memory that they may take. */
#define TALLY_WIDE_GROUP 256
#define TALLY_WIDE_LOCAL 16384

/* Bytes that memory moves at least. */
#define TALLY_SECTOR 32u

/*
 * Work-items of a group that folds short rows, at least; units of rows one after the other, at
 * least.
 */
#define TALLY_SHORT_ROWS_GROUP 64
#define TALLY_SHORT_ROWS_PACKED 4

/*
 * Rows of several blocks: bytes that are loaded at once, an element at least, and bytes that a
 * work-item has under way.
 */
#define TALLY_ROWS_DWORD 4
#define TALLY_ROWS_DEEP 128

/*
 * Blocks of rows that work-items take before combining them, in so much local memory, of rows with
 * at most so many bytes.
 */
#define TALLY_ROWS_BLOCKS 4
#define TALLY_ROWS_LOCAL 20480
#define TALLY_ROWS_BLOCKS_BYTES 2048

/* Work-items and groups for each compute unit, from which on rows are not spread over more. */
#define TALLY_ROWS_ITEMS 256
#define TALLY_ROWS_GROUPS 4

/*
 * Work-items of a group that does whole rows, the local memory that their blocks may take, the
 * lanes of states that each has, and the elements of all rows that it is taken for.
 */
#define TALLY_WHOLE_GROUP 512
#define TALLY_WHOLE_LOCAL 24576
#define TALLY_WHOLE_LANES 4
#define TALLY_WHOLE_ELEMENTS (UINT64_C(1) << 18)

/*
 * Lanes that a work-item has to itself when it goes down columns: of wide strips, of float16, of
 * strips of so many bytes or fewer, and all of a block if it can have them.
 */
#define TALLY_COLUMN_LANES 8
#define TALLY_COLUMN_LANES_HALF 16
#define TALLY_COLUMN_LANES_NARROW 4
#define TALLY_COLUMN_NARROW 64
#define TALLY_COLUMN_LANES_ALL 16

/* Terms of columns that are long, and of those that have few. */
#define TALLY_COLUMN_LONG 512
#define TALLY_COLUMN_FEW 4

/* Work-items side by side over a strip of columns, at most. */
#define TALLY_TEAM_WIDTH_MAX 32

/*
 * Folds by outputs: terms of a row that several work-items share, which is how many they are at
 * most, and about so many terms each; bytes of a row of outputs that a group has side by side, at
 * least; bytes of rows of outputs that are narrow, and their terms at least; entries of a table of
 * where terms lie, at most; terms so few that it matters little where they lie; elements from an
 * output to the next whose terms come together; loads of a work-item that are under way together;
 * terms so few that it has them all under way where combining is exact; bytes from one row of
 * columns to the next that are near.
 */
#define TALLY_OUTPUTS_ROW 32
#define TALLY_OUTPUTS_PER_ITEM 16
#define TALLY_OUTPUTS_BYTES 32
#define TALLY_OUTPUTS_CACHE_LINE 128
#define TALLY_OUTPUTS_NARROW 8
#define TALLY_TABLE_MAX 2048
#define TALLY_TABLE_FEW 16
#define TALLY_TABLE_NEAR 8
#define TALLY_OUTPUTS_LOADS 16
#define TALLY_OUTPUTS_FEW 4
#define TALLY_OUTPUTS_NEAR 4096

/*
 * Several groups share a block, and another launch combines what they have, where a work-item would
 * wait so many times for its loads, if that launch is not there anyway, and as long as each compute
 * unit has fewer groups.
 */
#define TALLY_SPLIT_WAITS 12
#define TALLY_SPLIT_GROUPS 2

/*
 * States of an output that the closing groups of a launch fold, at most, a block's or more where
 * the order does not matter. Bytes that a launch reads for each compute unit, at most, if another
 * launch takes long beside it: rounds of each of its closing groups, at most. In a longer launch,
 * rounds of all of them together, as what they do takes registers from it; of LOG_SUM_EXP.
 */
#define TALLY_CLOSING_TERMS 4096
#define TALLY_CLOSING_EXACT 8192
#define TALLY_CLOSING_BYTES_FEW 262144
#define TALLY_CLOSING_ROUNDS_FEW 4
#define TALLY_CLOSING_ROUNDS 12
#define TALLY_CLOSING_ROUNDS_SHIFTED 4

/*
 * Bytes of a row of columns that are folded from local memory rather than where they are, at most;
 * of LOG_SUM_EXP, for which few work-items of a group do much. Where such rows are not whole packs,
 * outputs of a unit, about, at least.
 */
#define TALLY_SHORT_COLUMNS_ROW 64
#define TALLY_SHORT_COLUMNS_SHIFTED 32
#define TALLY_SHORT_COLUMNS_OUTPUTS 64

/* Units that are spread over groups, at most: their tickets have 32 bits. */
#define TALLY_SCAN_JOBS (UINT32_MAX / 4)

/*
 * Rows of several stretches whose work-items have few runs each have less bytes for each compute
 * unit; the trial of the single pass has more (device/trial/single_pass_trial.c). Work-items that a
 * compute unit has side by side then, the local memory of a group that looks back, and the looks of
 * all groups of one launch where each looks at all tiles before its unit, at most.
 */
#define TALLY_SCAN_FOLLOWED_BYTES 262144
#define TALLY_SCAN_FOLLOWED_ITEMS 1024
#define TALLY_SCAN_FOLLOWED_LOCAL 49152
#define TALLY_SCAN_FOLLOWED_LOOKS 16384

/*
 * Bytes for each compute unit between the unit that a group takes and the one that it has brought
 * into the device's last cache.
 */
#define TALLY_SCAN_LEAD 16384

/*
 * Looks for what another group must publish, some milliseconds; and units for each compute unit
 * that groups take by their own numbers rather than by tickets, at most. GPUs begin groups in that
 * order, and the trial of the single pass, which has fewer, would show if one did not.
 */
#define TALLY_SCAN_SPIN_LIMIT 20000
#define TALLY_SCAN_NUMBERED 64

/* Bytes of a board, of which each operator has a few, at most; it takes 3 MB for rows of 4 GB. */
#define TALLY_SCAN_BOARD_MAX (UINT64_C(1) << 24)

/*
 * Scans down columns: work-items of a group that shares spans, at most, bytes of their totals, and
 * work-items at least; those of a group that go down alone; bytes of a row of a strip at most, and
 * of the least pack, or an element if that is more. They go down alone where each compute unit has
 * so many for their packs of columns, and two runs of narrow elements that come one by one where it
 * has a few. Groups that share spans of several strips for each compute unit, at least.
 */
#define TALLY_SCAN_COLUMNS_GROUP 512
#define TALLY_SCAN_TOTALS 8192u
#define TALLY_SCAN_GROUP_MIN 64
#define TALLY_SCAN_WHOLE_GROUP 128
#define TALLY_SCAN_STRIP_BYTES 512u
#define TALLY_SCAN_PACK_MIN 4
#define TALLY_SCAN_WHOLE_ITEMS 16384
#define TALLY_SCAN_WHOLE_SLOW 128
#define TALLY_SCAN_COLUMNS_GROUPS 4

/*
 * Groups that go down strips are chosen by the work-items that a compute unit has at a time: it has
 * so many registers of 32 bits, and a work-item takes so many besides its terms, or narrow ones.
 * These groups, and those of boxes, are a multiple of so many work-items. Another group is taken
 * for so many eighths as many.
 */
#define TALLY_UNIT_REGISTERS 65536
#define TALLY_SCAN_REGISTERS 56
#define TALLY_SCAN_NARROW_REGISTERS 32
#define TALLY_SCAN_GROUP_STEP 64
#define TALLY_SCAN_GROUP_WORTH 9

/*
 * Work-items have a narrower pack, down to the least, where each compute unit has fewer of them;
 * and half of the widest one already where they move elements one by one, and each compute unit has
 * fewer than the second number.
 * Groups have several spans at a time, within so many bytes of their runs' totals, where a span of
 * all columns has fewer bytes for each compute unit.
 */
#define TALLY_SCAN_COLUMNS_ITEMS 256
#define TALLY_SCAN_LOOSE_ITEMS 8192
#define TALLY_SCAN_SPANS_BYTES 49152
#define TALLY_SCAN_SPANS_TOTALS 4096u

/*
 * Results that go through local memory, since they lie along the axis: bytes of a strip's row, of
 * which each work-item has the least pack.
 */
#define TALLY_SCAN_CACHE_LINE 128

/*
 * Columns are spread over groups that would go down them by so many steps, or more, or past a tile,
 * or have so many spans and would go by boxes or element by element, if a row of them has so few
 * bytes for each compute unit, or the last groups so large a part of the device, in eighths, to
 * themselves. A group has at most so many work-items, and fewer where its unit is a part of a tile.
 * So it is where work-items are so few for each compute unit, one for each run of a span of all
 * tiles. Groups fold what comes before their parts if a column has at most so many tiles, or more
 * than a spine of spans folds in a few rounds. Of tiles groups have several spans at a time, until
 * work-items are so many, and strips are narrower until they are no longer few. Columns that
 * divide into strips of TALLY_SCAN_STRIPS_EVEN bytes have such: by packs of 16 bytes groups are
 * then so small that a compute unit has two, by packs of 8 a row of a strip is twice as long as
 * by 4.
 */
#define TALLY_SCAN_STRIPS_STEPS 6
#define TALLY_SCAN_STRIPS_SPANS 8
#define TALLY_SCAN_STRIPS_ROW 64
#define TALLY_SCAN_STRIPS_UNEVEN 13
#define TALLY_SCAN_STRIPS_GROUP 512
#define TALLY_SCAN_STRIPS_EVEN 256
#define TALLY_SCAN_STRIPS_PART_GROUP 256
#define TALLY_SCAN_STRIPS_PARTS 1024
#define TALLY_SCAN_STRIPS_FOLLOWED 16
#define TALLY_SCAN_STRIPS_FEW 512
#define TALLY_SCAN_STRIPS_ITEMS 1024

/*
 * On a CPU: bytes that a work-item reads in one go, at most so that each compute unit has a few
 * grains, and at least so that a grain is worth it.
 */
#define TALLY_CPU_BYTES (UINT64_C(1) << 18)
#define TALLY_CPU_BYTES_MIN (UINT64_C(1) << 15)
#define TALLY_CPU_GRAINS 4

/*
 * A panel of a scan on a CPU: bytes that lie side by side in the input, and in the output, which
 * come before anything else, and which columns that need no panel have; rows at least.
 */
#define TALLY_SCAN_PANEL_PIECE 512
#define TALLY_SCAN_PANEL_ROWS 4
#define TALLY_SCAN_PANEL_NARROW 256

/*
 * Scans on a CPU of so few units that cores would be idle are cut into pieces, of so many bytes at
 * least for each work-item.
 */
#define TALLY_SCAN_PIECE_BYTES (UINT64_C(1) << 19)

#endif
