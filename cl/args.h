/*
 * What a launch hands its kernel by value. Read by the host's compiler and the device's, which must
 * see one layout: 64-bit members only, and each program asserts the size the host states.
 *
 * Lists of axes are outermost first and end at the last place: a shorter list than the kernel's
 * rank has leading axes of size 1 and stride 0. Strides count elements and wrap modulo 2^64, so
 * that a descending walk has a negative one.
 *
 * Each kind of problem has members that come first in the structs of all its agents; an agent's
 * struct goes on with its own. plan/args.def names them for tally explain.
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

/* Axes of a box that is staged in local memory: the terms, and so many less one of the others. */
#define TALLY_BOX_AXES 4
#define TALLY_BOX_MAGICS 4

/* Groups of swept axes that one launch may fold. */
#define TALLY_NEST 4

/* Local memory of a tile of short rows, and of one of short columns. */
#define TALLY_TILE_BYTES 12288
#define TALLY_LOW_TILE_BYTES 16384

/* Of a tile of rows that are scanned, of one run each: bytes for each work-item, a run at least. */
#define TALLY_ONE_RUN_BYTES 64

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

/*
 * A fold's panel on a CPU: private memory of a box's terms, as they are computed with, the vectors
 * of states of its lanes, and its outputs, at most.
 */
#define TALLY_PANEL_BYTES 32768
#define TALLY_PANEL_STATES 512
#define TALLY_PANEL_COLUMNS 512

/* Lines that a map on a CPU takes together. */
#define TALLY_MAP_ROWS 16

/*
 * The launches of a scan whose rows are spread over groups, and what each adds; see scan_chain.cl,
 * scan_strips.cl.
 */
#define TALLY_CLEAR 1  /* words that say nothing yet */
#define TALLY_PASS 2   /* results, and words with what units, or pieces, come to */
#define TALLY_TOTALS 3 /* words with what tiles come to */
#define TALLY_SPINE 4  /* words with what comes before tiles */
#define TALLY_APPLY 5  /* the results that are left */
#define TALLY_FOLLOW 6 /* results, from the words of tiles: there is no spine */
#define TALLY_PHASES 7 /* with 0, no such launch */

/* A policy's results, of scanned columns: side by side, apart, or staged in local memory. */
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
 * Stretches of a row whose groups fold the totals of all tiles before their units: as many as so
 * much local memory has room for, with a state's bytes, of each of some columns.
 */
#define TALLY_FOLLOWED_BYTES 8192
#define TALLY_FOLLOWED_STRETCHES(state, columns)                                                   \
    (TALLY_FOLLOWED_BYTES / ((state)*TALLY_TILES * (columns)))

/*
 * Scans on a CPU: terms of a row that is short; bytes of a strip of columns, of the type that they
 * are computed in, and results of it that leave together; columns of a strip that become rows;
 * columns of a strip, at most, whose lines leave one by one.
 */
#define TALLY_SHORT_TERMS 128
#define TALLY_SCAN_CPU_STRIP_BYTES 16384
#define TALLY_SCAN_CPU_STAGE_BYTES 8192
#define TALLY_SCAN_ACROSS 64
#define TALLY_SCAN_LINES 64

/*
 * A scan's panel on a CPU: private memory of its terms, as they are computed with, and its lines at
 * most. A row of it has a term of each line, and room for a vector behind them: whole lines of
 * memory, an odd number if they are many, so that rows do not share a few sets of the caches.
 */
#define TALLY_SCAN_PANEL_BYTES 131072
#define TALLY_SCAN_PANEL_LINES 4096
#define TALLY_PANEL_ROW(lines, width) (((lines) + 3 * (width)-2) / (2 * (width)))
#define TALLY_PANEL_PITCH(lines, width)                                                            \
    ((TALLY_PANEL_ROW(lines, width) > 8 ? TALLY_PANEL_ROW(lines, width) | 1                        \
                                        : TALLY_PANEL_ROW(lines, width)) *                         \
     2 * (width))

/* Local memory of a fill's tile, and of what is known of its places. */
#define TALLY_FILL_TILE_BYTES 23552

/* Private memory of a tile of a fill on a CPU. */
#define TALLY_FILL_BOX_BYTES 69632

/* Places of a tile of either kind, at most. */
#define TALLY_FILL_SIDE_MAX 1024

/* Private memory of a chunk of a fill on a CPU. */
#define TALLY_FILL_CHUNK_BYTES 8192

/* Elements of one that does not lie side by side in a tensor, and a line's more. */
#define TALLY_FILL_PLACES 2176

/* Outputs of scans on a CPU that go past its caches. */
#define TALLY_STREAM_BYTES (1u << 21)

/* Begins every argument struct. */
typedef struct tally_head {
    tally_u64 in_offset; /* elements from the buffer's start; set at each enqueue */
    tally_u64 out_offset;
    tally_u64 units; /* of work: what one work-item or one group does at a time; 0 does nothing */
} tally_head;

/*
 * What all folds have. A unit is one block of one output's terms; for fold_columns that of a strip
 * of outputs, for fold_tile and fold_low a tile of whole rows, for fold_whole a row; for fold_map
 * and fold_cpu_map see there. Blocks are those of each output, times the parts that each block has:
 * groups that share it, of which each leaves a state; terms are of each output in this launch,
 * count in the whole operator; a term of this launch stands for index_scale elements, see fold.cl;
 * nest has the terms of each group of a launch that folds several, the innermost first, and else 1.
 */
#define TALLY_FOLD_ARGS                                                                            \
    tally_head head;                                                                               \
    tally_u64 outputs;                                                                             \
    tally_u64 blocks;                                                                              \
    tally_u64 terms;                                                                               \
    tally_u64 count;                                                                               \
    tally_u64 parts;                                                                               \
    tally_u64 index_scale;                                                                         \
    tally_u64 nest[TALLY_NEST];                                                                    \
    tally_u64 kept_size[TALLY_AXES];                                                               \
    tally_u64 kept_in[TALLY_AXES];                                                                 \
    tally_u64 kept_out[TALLY_AXES];                                                                \
    tally_u64 swept_size[TALLY_AXES];                                                              \
    tally_u64 swept_in[TALLY_AXES];

typedef struct tally_fold_args {
    TALLY_FOLD_ARGS
} tally_fold_args;

/* Of fold_columns and fold_outputs. */
typedef struct tally_fold_team_args {
    TALLY_FOLD_ARGS
    tally_u64 across; /* work-items side by side over columns, or over packs of outputs */
    tally_u64 down;   /* work-items that share the terms of these */
} tally_fold_team_args;

typedef struct tally_fold_whole_args {
    TALLY_FOLD_ARGS
    tally_u64 row_blocks; /* of a row, which a group joins as well */
} tally_fold_whole_args;

typedef struct tally_fold_tile_args {
    TALLY_FOLD_ARGS
    tally_u64 tile_rows;   /* whole rows in local memory together */
    tally_u64 pitch_packs; /* from one row to the next there; 0 where rows are not whole packs */
} tally_fold_tile_args;

/* What all folds on CPUs have: the units that a work-item takes in one go are its turn. */
#define TALLY_FOLD_CPU_ARGS                                                                        \
    TALLY_FOLD_ARGS                                                                                \
    tally_u64 turn;

typedef struct tally_fold_cpu_args {
    TALLY_FOLD_CPU_ARGS
} tally_fold_cpu_args;

typedef struct tally_fold_cpu_map_args {
    TALLY_FOLD_CPU_ARGS
    tally_u64 piece_elements; /* of a line */
} tally_fold_cpu_map_args;

typedef struct tally_fold_cpu_columns_args {
    TALLY_FOLD_CPU_ARGS
    tally_u64 strip_columns; /* of a strip; the last one has the rest too */
} tally_fold_cpu_columns_args;

typedef struct tally_fold_cpu_panel_args {
    TALLY_FOLD_CPU_ARGS
    tally_u64 box_outputs;
} tally_fold_cpu_panel_args;

/*
 * What all scans have. A unit is one row, all terms along the axis at one coordinate of the other
 * axes, where a kernel's file says nothing else. Rows are counted in all; words, of the scratch, is
 * where they begin, set at each enqueue; start is of the first term to visit, axis the stride from
 * a term to the next one to visit.
 */
#define TALLY_SCAN_ARGS                                                                            \
    tally_head head;                                                                               \
    tally_u64 terms;                                                                               \
    tally_u64 rows;                                                                                \
    tally_u64 words;                                                                               \
    tally_u64 start_in;                                                                            \
    tally_u64 start_out;                                                                           \
    tally_u64 axis_in;                                                                             \
    tally_u64 axis_out;                                                                            \
    tally_u64 kept_size[TALLY_AXES];                                                               \
    tally_u64 kept_in[TALLY_AXES];                                                                 \
    tally_u64 kept_out[TALLY_AXES];

typedef struct tally_scan_args {
    TALLY_SCAN_ARGS
} tally_scan_args;

/* Where the words of each level begin, from words on; see scan_words.cl. */
typedef struct tally_scan_chain_args {
    TALLY_SCAN_ARGS
    tally_u64 spans;
    tally_u64 tiles;
    tally_u64 stretches;
    tally_u64 anchors;
    tally_u64 tiles_each; /* of each row */
    tally_u64 stretches_each;
    tally_u64 patience; /* looks for a word that is not there, until a group gives up */
    tally_u64 lead;     /* jobs from a group's own to the one that it prefetches */
    tally_u64 stall;    /* in trials: one in so many units dawdles; 0: none does */
    tally_u64 marked;   /* units that were left unwritten are all there is to do */
} tally_scan_chain_args;

typedef struct tally_scan_tile_args {
    TALLY_SCAN_ARGS
    tally_u64 tile_rows; /* whole rows in local memory together */
    tally_u64 row_runs;  /* runs of a row */
} tally_scan_tile_args;

/* Of scan_columns.cl and, with words, of scan_strips.cl. */
typedef struct tally_scan_strip_args {
    TALLY_SCAN_ARGS
    tally_u64 columns; /* rows side by side in memory */
    tally_u64 across;  /* work-items side by side over a strip of them */
    tally_u64 down;    /* work-items that share the terms of the strip: each has a run, or a span */
    tally_u64 tiles;   /* where the words of tiles begin */
    tally_u64 stretches; /* and those of stretches */
    tally_u64 tiles_each;
    tally_u64 stretches_each;
} tally_scan_strip_args;

/* Of boxes in local memory; where lines are spread over groups, with words. */
typedef struct tally_scan_staged_args {
    TALLY_SCAN_ARGS
    tally_u64 all_boxes; /* of lines: words lie box by box */
    tally_u64 box_lines;
    tally_u64 tiles;
    tally_u64 stretches;
    tally_u64 tiles_each;
    tally_u64 stretches_each;
    tally_u64 box_size[TALLY_BOX_AXES];  /* a box along each of its axes */
    tally_u64 last_size[TALLY_BOX_AXES]; /* of the last one */
    tally_u64 box_magic[TALLY_BOX_AXES]; /* 2^32 / size rounded up, modulo 2^32 */
    tally_u64 last_magic[TALLY_BOX_AXES];
    tally_u64 box_in[TALLY_BOX_AXES]; /* strides within a box; of the terms: axis_in, axis_out */
    tally_u64 box_out[TALLY_BOX_AXES];
    tally_u64 box_local[TALLY_BOX_AXES];     /* in local memory */
    tally_u64 read_packs[TALLY_BOX_MAGICS];  /* of a segment's packs; see scan_staged_box.cl */
    tally_u64 read_around[TALLY_BOX_MAGICS]; /* and of the elements around them */
    tally_u64 write_packs[TALLY_BOX_MAGICS];
    tally_u64 write_around[TALLY_BOX_MAGICS];
} tally_scan_staged_args;

/* What all scans on CPUs have: the units that a work-item takes in one go are its turn. */
#define TALLY_SCAN_CPU_ARGS                                                                        \
    TALLY_SCAN_ARGS                                                                                \
    tally_u64 turn;

typedef struct tally_scan_cpu_args {
    TALLY_SCAN_CPU_ARGS
} tally_scan_cpu_args;

typedef struct tally_scan_cpu_pieces_args {
    TALLY_SCAN_CPU_ARGS
    tally_u64 line_pieces; /* that a line is cut into */
    tally_u64 tiles_each;
} tally_scan_cpu_pieces_args;

typedef struct tally_scan_cpu_columns_args {
    TALLY_SCAN_CPU_ARGS
    tally_u64 columns;       /* rows side by side in memory */
    tally_u64 strip_columns; /* of a strip; the last one has the rest too */
} tally_scan_cpu_columns_args;

typedef struct tally_scan_cpu_panel_args {
    TALLY_SCAN_CPU_ARGS
    tally_u64 box_terms;   /* of each line at a time */
    tally_u64 panel_order; /* of its axes in the output, innermost first: 4 bits for each kept axis,
                              and TALLY_AXES for the terms */
    tally_u64 kept_box[TALLY_AXES]; /* lines along each axis */
} tally_scan_cpu_panel_args;

/*
 * A unit is one element, where a kernel's file says nothing else. Axes are in the order of the
 * output's memory, but for band_rows, whose last two are the rows and the columns.
 */
typedef struct tally_band_args {
    tally_head head;
    tally_u64 out_start; /* elements from out_offset to the first place */
    tally_i64 low;       /* value where (low <= diagonal < high) differs from inverted */
    tally_i64 high;
    tally_u64 inverted;
    tally_u64 value;    /* bits, low end first */
    tally_u64 in_place; /* not 0: what is not to have the value is in its place, and not touched */
    tally_u64 rows;     /* of all matrices; packs: lengths */
    tally_u64 across;   /* rows: work-items side by side; on a CPU columns of a piece */
    tally_u64 pieces;   /* that a row is cut into; packs: packs of a length */
    tally_u64 slices;   /* on a CPU units that a work-item takes in one go */
    tally_u64 stream;   /* on a CPU, not 0: write past the caches */
    tally_u64 length;   /* packs: elements side by side on both sides, over some axes; chunks: of a
                           stretch */
    tally_u64 gathers;  /* chunks: elements side by side in the input; 0: all of a length */
    tally_u64 scatters; /* and in the output */
    tally_u64 inner_axes;   /* packs, chunks: those from this one on are in a length */
    tally_u64 first_axis;   /* packs: none before it bears on the diagonal; all, if none does */
    tally_u64 pieces_magic; /* of pieces; see tally_plan_magic */
    tally_u64 pieces_shift;
    tally_u64 reads; /* boxes: places of either kind; see band_places.cl */
    tally_u64 writes;
    tally_u64 tile_pitch;
    tally_u64 kept_size[TALLY_AXES];
    tally_u64 kept_in[TALLY_AXES];
    tally_u64 kept_out[TALLY_AXES];
    tally_u64 diagonal[TALLY_AXES]; /* what a step along the axis adds to it */
    tally_u64 magic[TALLY_AXES];    /* packs: of the sizes */
    tally_u64 shift[TALLY_AXES];
    tally_u64 read_box[TALLY_AXES]; /* boxes: places along the axis, 1 if none are of that kind */
    tally_u64 read_pitch[TALLY_AXES];
    tally_u64 write_box[TALLY_AXES];
    tally_u64 write_pitch[TALLY_AXES];
    tally_u64 boxes[TALLY_AXES]; /* that the axis is cut into */
} tally_band_args;

#endif
