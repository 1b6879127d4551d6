/*
 * The numbers of the planners of fills: sizes, and where one schedule takes over from another. All
 * of them change speed, never bits.
 */
#ifndef TALLY_PLAN_FILL_TUNING_H
#define TALLY_PLAN_FILL_TUNING_H

#include <stdint.h>

/*
 * Of fills: bytes of a row on a CPU, at least, and of a pack; the least group of a GPU that is
 * taken for them; and bytes of an output that is written past a CPU's caches, the second where
 * nothing is read.
 */
#define TALLY_FILL_BYTES 16
#define TALLY_FILL_GROUP_MIN 64
#define TALLY_FILL_STREAM (UINT64_C(1) << 22)
#define TALLY_FILL_STREAM_UNREAD (UINT64_C(1) << 24)

/* Elements behind the last one that a kernel of fills may count to. */
#define TALLY_FILL_BEYOND 32768

/*
 * Of fills on GPUs by packs: packs that a work-item has under way, fewer where each compute unit
 * has fewer groups than so many; bytes of a run of them, at least; bytes of a side of a matrix in
 * place whose packs are rewritten, at most.
 */
#define TALLY_FILL_ITEM_PACKS 4
#define TALLY_FILL_PACK_GROUPS 16
#define TALLY_FILL_RUN 64
#define TALLY_FILL_REWRITTEN 512

/*
 * Of bands that repeat: packs that a work-item has of them, and those that it has at least; groups
 * of a compute unit, at least; bytes side by side that all work-items have at a time, at least.
 */
#define TALLY_FILL_REPEATS 4
#define TALLY_FILL_REPEATS_MIN 2
#define TALLY_FILL_REPEAT_GROUPS 8
#define TALLY_FILL_REPEAT_BYTES 4096

/*
 * Of packs that are put together of single elements: those that a work-item has under way; bytes of
 * a run of both tensors that are enough for it not to be; bytes of a sector; bytes of the output
 * that work-items side by side have, bytes of a page, and pages that the input's elements are on,
 * at most.
 */
#define TALLY_FILL_LOADS 16
#define TALLY_FILL_PICKED 1024
#define TALLY_FILL_SECTOR 32
#define TALLY_FILL_SIDE_BY_SIDE 512
#define TALLY_FILL_PAGE (UINT64_C(1) << 21)
#define TALLY_FILL_PAGES 16

/*
 * Of boxes: work-items of a compute unit from which on each has several positions; read positions
 * of a box that does not go through local memory, groups for each compute unit, and boxes that a
 * group takes before others have more; groups for each compute unit, of those that keep what they
 * know of a box; local memory that is left to the driver.
 */
#define TALLY_FILL_BUSY 16
#define TALLY_FILL_BOX_READS 32
#define TALLY_FILL_BOX_GROUPS 8
#define TALLY_FILL_BOX_ROUNDS 4
#define TALLY_FILL_GROUPS 64
#define TALLY_FILL_SPARE 1024

/*
 * Of fills on CPUs: bytes of a row that is a line of its own, at least; of one in place; of runs
 * that are put together in chunks. Of boxes: bytes of a segment that needs no read axis, and of a
 * box whose elements are brought one by one, at most; and what things cost, as bytes that memory
 * moves meanwhile: the ends of a piece of memory, a box, a vector that is transposed, an element
 * that is brought by itself. Last the groups for each core.
 */
#define TALLY_FILL_ROW 1024
#define TALLY_FILL_CPU_LINE 256
#define TALLY_FILL_CPU_RUN 512
#define TALLY_FILL_CPU_SEGMENT 512
#define TALLY_FILL_CPU_PIECE 128
#define TALLY_FILL_CPU_BOX_COST 2048
#define TALLY_FILL_CPU_GRAIN 20
#define TALLY_FILL_CPU_PICK 8
#define TALLY_FILL_CPU_PICKS 16384
#define TALLY_FILL_CPU_GROUPS 8

#endif
