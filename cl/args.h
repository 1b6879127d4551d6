/*
 * What a launch hands its kernel by value. Read by the host's compiler and the device's, which must
 * see one layout: 64-bit members only, and each program asserts the size the host states.
 *
 * Lists of axes are outermost first and end at the last place: a shorter list than the kernel's
 * rank has leading axes of size 1 and stride 0. Strides count elements and wrap modulo 2^64, so
 * that a descending walk has a negative one.
 */
#ifndef TALLY_CL_ARGS_H
#define TALLY_CL_ARGS_H

#ifdef __OPENCL_VERSION__
typedef ulong tally_u64;
typedef long tally_i64;
#else
#include <stdint.h>
typedef uint64_t tally_u64;
typedef int64_t tally_i64;
#endif

#define TALLY_AXES 8

/* Local memory of a tile of short rows, and of one of short columns. */
#define TALLY_TILE_BYTES 12288
#define TALLY_LOW_TILE_BYTES 16384

/* Of a tile of rows that are scanned, of one run each: bytes for each work-item, a run at least. */
#define TALLY_LONE_BYTES 64

/* Blocks of a row that one group joins as well, at most. */
#define TALLY_WHOLE_BLOCKS 16

/*
 * Private memory of a fold down columns on a CPU, for the parts of a state each: a row of states of
 * a strip of columns, and the lanes of narrow packed ones. Compiled in.
 */
#define TALLY_STRIP_BYTES 8192
#define TALLY_SLAB_BYTES 32768

/* So few states of narrow columns are joined with one term at a time, more with a run. */
#define TALLY_SLAB_SMALL 2048

/* The launches of a scan whose rows are spread over groups; see scan_chain.cl, scan_strips.cl. */
#define TALLY_CLEAR 1
#define TALLY_PASS 2
#define TALLY_TOTALS 3
#define TALLY_SPINE 4
#define TALLY_APPLY 5
#define TALLY_PHASES 6 /* with 0, no such launch */

/* The stack of a spec of columns: results are side by side, apart, or go through local memory. */
#define TALLY_SIDE_BY_SIDE 0
#define TALLY_RESULTS_APART 1
#define TALLY_RESULTS_STAGED 2

/* Columns of a group that joins the totals of their tiles, in scan_strips.cl. */
#define TALLY_SPINE_COLUMNS 16

/*
 * Of a scan whose groups read again what is before them: bytes of a row's terms, as they are
 * computed with, at most; 16 tiles of 4 bytes.
 */
#define TALLY_ALONE_BYTES 262144

/* Totals of stretches that are folded onto an anchor, at most. */
#define TALLY_WINDOW 32

/*
 * Scans on a CPU: terms of a row that is short; bytes of a strip of columns, of the type that they
 * are computed in; columns of a strip that become rows; columns of a strip, at most, that is
 * scanned a run at a time rather than row by row.
 */
#define TALLY_SHORT_TERMS 128
#define TALLY_SCAN_CPU_STRIP_BYTES 4096
#define TALLY_SCAN_ACROSS 64
#define TALLY_SCAN_LINES 64

/* Outputs of scans on a CPU that go past its caches. */
#define TALLY_STREAM_BYTES (1u << 21)

/* Begins every argument struct. */
typedef struct tally_head {
    tally_u64 in_offset; /* elements from the buffer's start; set at each enqueue */
    tally_u64 out_offset;
    tally_u64 units; /* of work: what one work-item or one group does at a time; 0 does nothing */
} tally_head;

/*
 * A unit is one block of one output's terms; for fold_columns that of a strip of outputs, for
 * fold_tile and fold_low a tile of whole rows, for fold_whole a row.
 */
typedef struct tally_fold_args {
    tally_head head;
    tally_u64 outputs;
    tally_u64 blocks;      /* of each output */
    tally_u64 terms;       /* of each output, in this launch */
    tally_u64 count;       /* of each output, in the whole operator */
    tally_u64 across;      /* columns: work-items side by side; tiles: rows; whole: blocks; on a CPU
                              columns of a strip */
    tally_u64 slices;      /* columns: work-items that share a block; tiles: packs of a row; on a
                              CPU units that a work-item takes in one go */
    tally_u64 index_scale; /* elements that a term of this launch stands for; see fold.cl */
    tally_u64 kept_size[TALLY_AXES];
    tally_u64 kept_in[TALLY_AXES];
    tally_u64 kept_out[TALLY_AXES];
    tally_u64 swept_size[TALLY_AXES];
    tally_u64 swept_in[TALLY_AXES];
} tally_fold_args;

/*
 * A unit is one row, all terms along the axis at one coordinate of the other axes, where a kernel's
 * file says nothing else.
 */
typedef struct tally_scan_args {
    tally_head head;
    tally_u64 terms;
    tally_u64 rows;    /* in all */
    tally_u64 columns; /* rows side by side in memory; see the kernels' files for these three */
    tally_u64 across;
    tally_u64 slices;
    tally_u64 words; /* of scan_words.cl: where they begin; set at each enqueue */
    tally_u64 spans; /* and from there on where those of each level do */
    tally_u64 tiles;
    tally_u64 stretches;
    tally_u64 anchors;
    tally_u64 tiles_each; /* of each row */
    tally_u64 stretches_each;
    tally_u64 patience; /* looks for a word that is not there, until a group gives up */
    tally_u64 lead;     /* jobs from a group's own to the one that it prefetches */
    tally_u64 stall;    /* in trials: one in so many units dawdles; 0: none does */
    tally_u64 marked;   /* units that were left unwritten are all there is to do */
    tally_u64 start_in; /* of the first term to visit */
    tally_u64 start_out;
    tally_u64 axis_in; /* stride from a term to the next one to visit */
    tally_u64 axis_out;
    tally_u64 kept_size[TALLY_AXES];
    tally_u64 kept_in[TALLY_AXES];
    tally_u64 kept_out[TALLY_AXES];
} tally_scan_args;

/*
 * A unit is one element, where a kernel's file says nothing else. The last two axes are the rows
 * and the columns.
 */
typedef struct tally_band_args {
    tally_head head;
    tally_i64 low; /* value where (low <= x - y < high) differs from inverted */
    tally_i64 high;
    tally_u64 inverted;
    tally_u64 value;  /* bits, low end first */
    tally_u64 rows;   /* of all matrices; this and what follows is for contiguous ones: */
    tally_u64 across; /* work-items side by side over a row; on a CPU columns of a piece */
    tally_u64 pieces; /* that a row is cut into */
    tally_u64 slices; /* on a CPU units that a work-item takes in one go */
    tally_u64 stream; /* on a CPU, not 0: write past the caches */
    tally_u64 kept_size[TALLY_AXES];
    tally_u64 kept_in[TALLY_AXES];
    tally_u64 kept_out[TALLY_AXES];
} tally_band_args;

#endif
