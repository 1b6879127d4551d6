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

/* A unit is one row: all terms along the axis at one coordinate of the other axes. */
typedef struct tally_scan_args {
    tally_head head;
    tally_u64 terms;
    tally_u64 start_in; /* of the first term to visit */
    tally_u64 start_out;
    tally_u64 axis_in; /* stride from a term to the next one to visit */
    tally_u64 axis_out;
    tally_u64 kept_size[TALLY_AXES];
    tally_u64 kept_in[TALLY_AXES];
    tally_u64 kept_out[TALLY_AXES];
} tally_scan_args;

/* A unit is one element. The last two axes are the rows and the columns. */
typedef struct tally_band_args {
    tally_head head;
    tally_i64 low; /* value where (low <= x - y < high) differs from inverted */
    tally_i64 high;
    tally_u64 inverted;
    tally_u64 value; /* bits, low end first */
    tally_u64 kept_size[TALLY_AXES];
    tally_u64 kept_in[TALLY_AXES];
    tally_u64 kept_out[TALLY_AXES];
} tally_band_args;

#endif
