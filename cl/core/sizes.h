/*
 * Numbers that planners and kernels share: axes that there is room for, memory that a kernel has of
 * its own, compiled in, and phases of scans. Read by the host's compiler and the device's.
 */
#ifndef TALLY_CL_SIZES_H
#define TALLY_CL_SIZES_H

#define TALLY_AXES 8

/* Axes of a box that is staged in local memory: the terms, and so many less one of the others. */
#define TALLY_BOX_AXES 4
#define TALLY_BOX_MAGICS 4

/* Groups of swept axes that one launch may fold. */
#define TALLY_NEST 4

/*
 * Bytes of states that a work-item of a closing group has under way: of a lane, or of several, if
 * each has one term at most. More would take registers from the rest of the kernel.
 */
#define TALLY_CLOSING_BYTES 16

/*
 * Closing groups of a launch, at most; how often each looks whether all groups have ended before it
 * gives up; and the bits of a word that count groups that have ended: what is above counts closing
 * groups.
 */
#define TALLY_CLOSERS 32
#define TALLY_CLOSING_LOOKS 256
#define TALLY_ENDED_BITS 24

/* Outputs from one of a work-item's to its next one, where it has several that are spread. */
#define TALLY_SPREAD_STRIDE 32

/* Terms of a block in local memory behind each of which a position is left out. */
#define TALLY_STAGE_GAP 32

/* Local memory of short rows, and of short columns. */
#define TALLY_SHORT_ROWS_BYTES 12288
#define TALLY_SHORT_COLUMNS_BYTES 16384

/* Of short rows that are scanned, of one run each: bytes for each work-item, a run at least. */
#define TALLY_ONE_RUN_BYTES 64

/* Work-items that share a block of rows of several, where the order does not matter. */
#define TALLY_ROW_MATES 128

/* Blocks of a row that one group combines as well, at most. */
#define TALLY_WHOLE_BLOCKS 16

/*
 * Private memory of a fold down columns on a CPU, for the parts of a state each: a row of states of
 * a strip of columns, and the lanes of narrow packed ones. Compiled in.
 */
#define TALLY_STRIP_BYTES 8192
#define TALLY_PACKED_BYTES 32768

/* So few states of narrow columns are combined with one term at a time, more with a run. */
#define TALLY_PACKED_SMALL 2048

/*
 * A fold's panel on a CPU: private memory of a box's terms, as they are computed with, the vectors
 * of states of its lanes, and its outputs, at most.
 */
#define TALLY_PANEL_BYTES 32768
#define TALLY_PANEL_STATES 512
#define TALLY_PANEL_COLUMNS 512
#define TALLY_LINE_BYTES 262144 /* of a single output's terms */

/*
 * Of a fold of spaced columns on a CPU: vectors of states of a strip, and room for those of one
 * that has the rest too; lanes where the order does not matter.
 */
#define TALLY_SPACED_STATES 2048
#define TALLY_SPACED_ROOM (2 * TALLY_SPACED_STATES)
#define TALLY_SPACED_LANES 8

/*
 * Of groups that go along lines: work-items that combine what all have of a line's block; steps for
 * which it is known which blocks ended.
 */
#define TALLY_SHARES 8
#define TALLY_TOLD_STEPS 4

/* Lines that a map on a CPU takes together. */
#define TALLY_MAP_ROWS 16

/*
 * A policy's carry, of scans: where a group has from what comes before the terms that it scans.
 */
#define TALLY_CARRY_NONE 0       /* nothing does, or nobody asks: it has whole rows at once */
#define TALLY_CARRY_WALK 1       /* it goes down its rows, and keeps what it had */
#define TALLY_CARRY_RECOMPUTE 2  /* it reads again all that comes before */
#define TALLY_CARRY_TWO_PASSES 3 /* an earlier launch left what tiles come to */
#define TALLY_CARRY_LOOK_BACK 4  /* the groups of one launch publish to each other */

/*
 * The launches of a scan whose rows are spread over groups, and what each adds; see
 * scan_rows_passes.cl, scan_columns_passes.cl.
 */
#define TALLY_PASS 1   /* results, and words with what units, or pieces, come to */
#define TALLY_TOTALS 2 /* words with what tiles come to, or spans */
#define TALLY_SPINE 3  /* words with what comes before tiles, or spans */
#define TALLY_APPLY 4  /* the results that are left */
#define TALLY_FOLLOW 5 /* results, from the words of TOTALS: there is no spine */
#define TALLY_STRETCHES                                                                            \
    6                  /* what stretches come to, from the words of tiles: of a part's states      \
                        */
#define TALLY_PHASES 7 /* with 0, no such launch */

/* States of a line that a work-item brings at a time, where a group combines them to a carry. */
#define TALLY_CARRY_STATES 8

/* What a scan is of a problem in parts: states, or a part that goes on from what is before it. */
#define TALLY_PART_STATES 1
#define TALLY_PART_CARRIED 2

/* Words at the beginning of a board that count; see scan_chain_left.cl. */
#define TALLY_BOARD_COUNTERS 4

/* A policy's results, of scanned columns: side by side, apart, or staged in local memory. */
#define TALLY_SIDE_BY_SIDE 0
#define TALLY_RESULTS_STRIDED 1
#define TALLY_RESULTS_STAGED 2

/* Columns of a group that combines the totals of their tiles or spans, in scan_columns_passes.cl.
 */
#define TALLY_SPINE_COLUMNS 16

/*
 * Of a scan whose groups read again what is before them: bytes of a row's terms, as they are
 * computed with, at most; 16 tiles of 4 bytes.
 */
#define TALLY_RECOMPUTE_BYTES 262144

/* Totals of stretches that are folded onto an inclusive prefix, at most. */
#define TALLY_WINDOW 32

/*
 * Stretches of a row whose groups fold the totals of all tiles before their units: as many as so
 * much local memory has room for, with a state's bytes, of each of some columns.
 */
#define TALLY_FOLLOWED_BYTES 8192
#define TALLY_FOLLOWED_STRETCHES(state, columns)                                                   \
    (TALLY_FOLLOWED_BYTES / ((state)*TALLY_TILES * (columns)))

/*
 * Scans on a CPU: terms of a row that is short; bytes of a strip of columns, of the type that they
 * are computed in, and results of it that leave together; columns of a strip, at most, whose lines
 * leave one by one.
 */
#define TALLY_SHORT_TERMS 128
#define TALLY_SCAN_CPU_STRIP_BYTES 16384
#define TALLY_SCAN_CPU_STAGE_BYTES 8192
#define TALLY_SCAN_LINES 64

/*
 * A scan's panel on a CPU: private memory of its elements, and its lines at most. A row of it has
 * an element of each line, and room for a vector behind them: pairs of vectors, an odd number if
 * they are many, so that rows do not share a few sets of the caches.
 */
#define TALLY_SCAN_PANEL_BYTES 131072
#define TALLY_SCAN_PANEL_LINES 4096
#define TALLY_PANEL_ROW(lines, width) (((lines) + 3 * (width)-2) / (2 * (width)))
#define TALLY_PANEL_PITCH(lines, width)                                                            \
    ((TALLY_PANEL_ROW(lines, width) > 8 ? TALLY_PANEL_ROW(lines, width) | 1                        \
                                        : TALLY_PANEL_ROW(lines, width)) *                         \
     2 * (width))

/*
 * Of a box of a fill through local memory: lines of the output that a work-item has at a time, and
 * what the entries of a side of its tables are a multiple of: a multiple of these lines, and of
 * those of the input that it has under way. All of them are multiples of 4, which squares and reads
 * of tables have at a time.
 */
#define TALLY_FILL_TAKEN 8
#define TALLY_FILL_TABLE_SIDE 16

/* Private memory of a box of a fill on a CPU. */
#define TALLY_FILL_BOX_BYTES 163840

/* Elements of a segment of one, and of one that are brought one by one, at most. */
#define TALLY_FILL_SEGMENT 32768
#define TALLY_FILL_PICKS 4096

/* Segments from one that is sent to one whose ends are asked for. */
#define TALLY_FILL_AHEAD 16

/* Positions of a box of either kind, at most. */
#define TALLY_FILL_SIDE_MAX 1024

/* Private memory of a chunk of a fill on a CPU. */
#define TALLY_FILL_CHUNK_BYTES 8192

/* Elements of one that does not lie side by side in a tensor, and a line's more. */
#define TALLY_FILL_POSITIONS 2176

/* Bytes of a cache line of a CPU. */
#define TALLY_CPU_CACHE_LINE 64

/* Outputs of scans on a CPU that go past its caches. */
#define TALLY_STREAM_BYTES (1u << 21)

#endif
