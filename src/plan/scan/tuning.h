/*
 * The numbers of the planner of scans by boxes, and where boxes take over from other schedules. All
 * of them change speed, never bits.
 */
#ifndef TALLY_PLAN_SCAN_TUNING_H
#define TALLY_PLAN_SCAN_TUNING_H

#include <stdint.h>

#include "plan/tuning.h"

/*
 * A box: runs of the least one; how many times as many runs one of narrow elements has, times the
 * bytes of an element, and how many times any may have, within so much local memory; the widest
 * group; and bytes that should lie together in a memory, at most, and where there are many
 * work-items.
 */
#define TALLY_SCAN_STAGED_GROUP 128
#define TALLY_SCAN_STAGED_NARROW 8
#define TALLY_SCAN_STAGED_TIMES 4
#define TALLY_SCAN_STAGED_LOCAL 45056
#define TALLY_SCAN_STAGED_WIDEST 512
#define TALLY_SCAN_STAGED_PIECE 256
#define TALLY_SCAN_STAGED_LONG 1024

/*
 * How it comes and goes: bytes at once; lines side by side whose work-items move their own
 * elements; dwords of a work-item's terms that stay in registers; lines that are few, whose runs
 * are apart; and work-items side by side that may meet at one bank of local memory.
 */
#define TALLY_SCAN_STAGED_PACK 16
#define TALLY_SCAN_STAGED_SIDE 8
#define TALLY_SCAN_STAGED_REGISTERS 32
#define TALLY_SCAN_STAGED_FEW 4
#define TALLY_SCAN_STAGED_MEET 2

/*
 * Boxes for each compute unit that are few; work-items for each that keep the device busy, and that
 * are many; and bytes of a tensor for each that are more than caches have.
 */
#define TALLY_SCAN_STAGED_BOXES 8
#define TALLY_SCAN_STAGED_ITEMS 768
#define TALLY_SCAN_STAGED_MANY 4096
#define TALLY_SCAN_STAGED_LARGE 1048576

/*
 * Costs, of which the unit is 64 bytes that move, times 16. Sectors that could be moved while a
 * piece is written that begins anywhere in one (docs/performance-notes.md, "Stores of parts of
 * sectors"). What work-items wait for a box, as if so many were busy: so much, divided by the terms
 * that each has, for each term, and for each side whose elements come one by one; two launches, for
 * each byte of a compute unit; and what a group that looks back waits for, for each byte of one
 * line of its unit.
 */
#define TALLY_SCAN_STAGED_WRITTEN 2
#define TALLY_SCAN_STAGED_WAIT 9800
#define TALLY_SCAN_STAGED_WAIT_PER_ROUND 800
#define TALLY_SCAN_STAGED_WAIT_LOOSE 1100
#define TALLY_SCAN_STAGED_LAUNCHES (UINT64_C(1) << 27)
#define TALLY_SCAN_STAGED_LOOK 1228800

/*
 * Pieces of lines: times that a group may fold tiles before its piece by itself; times that a
 * work-item of a spine of columns may fold the spans of a tile; work-items of a spine of boxes that
 * each compute unit has at a time, and that a group has, at most; and tiles for each compute unit
 * over which the first pass goes, at least.
 */
#define TALLY_SCAN_STAGED_ROUNDS 32
#define TALLY_SCAN_SPINE_ROUNDS 8
#define TALLY_SCAN_SPINE_ITEMS 2048
#define TALLY_SCAN_SPINE_WIDEST 1024
#define TALLY_SCAN_TILE_TOTALS 8

/*
 * Beside other schedules: terms of lines that come before long rows; bytes of a row of columns that
 * need no box, where all rows begin at a pack, and where they begin anywhere; terms so few that
 * these do need one, and so few that all do; terms of columns that do where they have between so
 * many bytes for each compute unit, at most; and bytes of a row of few long columns whose pieces
 * need none, where all rows begin at a pack.
 */
#define TALLY_SCAN_STAGED_SHORT 1024
#define TALLY_SCAN_STAGED_ALIGNED 32
#define TALLY_SCAN_STAGED_WIDE 512
#define TALLY_SCAN_STAGED_LITTLE 8
#define TALLY_SCAN_DIRECT_LEAST 4
#define TALLY_SCAN_DIRECT_TERMS 2048
#define TALLY_SCAN_DIRECT_NOTHING 16384
#define TALLY_SCAN_DIRECT_FEW 131072
#define TALLY_SCAN_PIECES_ROW 64

/*
 * Of boxes on CPUs: packed sets of columns that are lines of a panel: bytes of a row, at most,
 * vectors of a set, at most, and sets at least; and bytes of a part of a row that is not cut where
 * rows begin anywhere in a cache line.
 */
#define TALLY_SCAN_SET_BYTES 256
#define TALLY_SCAN_SET_VECTORS 128
#define TALLY_SCAN_SETS 64
#define TALLY_SCAN_ROW 256

#endif
