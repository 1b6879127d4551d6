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

/*
 * Of fills on GPUs: packs or elements that a work-item has under way, of packs fewer where each
 * compute unit has fewer groups than so many; elements that it picks one by one at a time; bytes of
 * a run of both tensors that is no longer picked, and of a sector; packs of a narrow row, at most;
 * bytes of a side of a matrix in place whose packs are rewritten, at most; bytes of a row that is
 * looked up once, at least, and of one of zeros that begins anywhere; bytes of a run of packs, at
 * least; of a box that does not go through local memory read positions, groups for each compute
 * unit, and boxes that a group takes before others have more; groups for each compute unit, of
 * those that keep what they know of a box; local memory of a box with what is known of it, of a
 * small one and a large one, and what is left to the driver; large boxes for each compute unit, at
 * least, and of 8-byte elements; loads under way to a box.
 */
#define TALLY_FILL_ITEM_PACKS 4
#define TALLY_FILL_PACK_GROUPS 16
#define TALLY_FILL_LOADS 16
#define TALLY_FILL_PICKED 1024
#define TALLY_FILL_SECTOR 32
#define TALLY_FILL_NARROW 64
#define TALLY_FILL_REWRITTEN 512
#define TALLY_FILL_GPU_ROW 512
#define TALLY_FILL_GPU_LONG 4096
#define TALLY_FILL_BUSY 16
#define TALLY_FILL_RUN 64
#define TALLY_FILL_BOX_READS 32
#define TALLY_FILL_BOX_GROUPS 8
#define TALLY_FILL_BOX_ROUNDS 4
#define TALLY_FILL_GROUPS 64
#define TALLY_FILL_STAGED 23552
#define TALLY_FILL_STAGED_LARGE 43008
#define TALLY_FILL_SPARE 1024
#define TALLY_FILL_LARGE 64
#define TALLY_FILL_LARGE_WIDE 2
#define TALLY_FILL_STAGED_LOADS 8

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
