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

#include "cl/core/sizes.h"
typedef uint64_t tally_u64;
typedef int64_t tally_i64;
#endif

/* Begins every argument struct. */
typedef struct tally_head {
    tally_u64 in_offset; /* elements from the buffer's start; set at each enqueue */
    tally_u64 out_offset;
    tally_u64 units; /* of work: what one work-item or one group does at a time; 0 does nothing */
} tally_head;

/*
 * What all folds have. A unit is one block of one output's terms; for fold_columns that of a strip
 * of outputs, for fold_short_rows several whole rows, for fold_rows a row, where it has whole
 * ones; for fold_cpu_map see there. Blocks are those of each output, times the parts that each
 * block has: groups that share it, of which each leaves a state; terms are of each output in this
 * launch, count in the whole operator; index_scale is from the index of a term of this launch to
 * the next one's, see fold.cl; nest has the terms of each group of a launch that folds several, the
 * innermost first, and else 1. A kernel with closing groups takes two of these structs, in 1 KB of
 * arguments.
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

/* Of those that work out indices of terms which come in another order: first of what is theirs. */
#define TALLY_FOLD_INDEX_ARGS                                                                      \
    TALLY_FOLD_ARGS                                                                                \
    tally_u64 swept_index[TALLY_AXES]; /* what a step along each swept axis adds to an index */

/*
 * A line is the terms inside of the swept axis along which elements are neighbours, each of which
 * begins a line.
 */
typedef struct tally_fold_any_args {
    TALLY_FOLD_INDEX_ARGS
    tally_u64 line_terms;
    tally_u64 lines;       /* beside each other in memory */
    tally_u64 piece_terms; /* of a line, whose blocks one group does */
    tally_u64 first_term;  /* what the launch's terms, which are states, count from */
} tally_fold_any_args;

/* Of fold_columns, which has no such indices, and fold_outputs. */
typedef struct tally_fold_team_args {
    TALLY_FOLD_INDEX_ARGS
    tally_u64 team_width;      /* work-items side by side over columns, or over packs of outputs */
    tally_u64 slices;          /* work-items that share the terms of these */
    tally_u64 crossed_outputs; /* outputs along the innermost kept axes, where these are crossed */
} tally_fold_team_args;

typedef struct tally_fold_rows_args {
    TALLY_FOLD_ARGS
    tally_u64 row_blocks; /* of a whole row, which a group combines as well */
} tally_fold_rows_args;

typedef struct tally_fold_short_rows_args {
    TALLY_FOLD_ARGS
    tally_u64 staged_rows; /* whole rows in local memory together */
    tally_u64 packed_rows; /* which lie one after the other in memory, without a gap */
    tally_u64 pitch_packs; /* from one row to the next there; 0 where rows are not whole packs */
} tally_fold_short_rows_args;

typedef struct tally_fold_sets_args {
    TALLY_FOLD_ARGS
    tally_u64 columns; /* of a set */
    tally_u64 rows;    /* of a period, which are whole packs */
    tally_u64 mates;   /* work-items that share a block */
} tally_fold_sets_args;

/* What all folds on CPUs have: the units that a work-item takes in one go are its grain. */
#define TALLY_FOLD_CPU_ARGS                                                                        \
    TALLY_FOLD_ARGS                                                                                \
    tally_u64 grain;

typedef struct tally_fold_cpu_args {
    TALLY_FOLD_CPU_ARGS
} tally_fold_cpu_args;

typedef struct tally_fold_cpu_map_args {
    TALLY_FOLD_CPU_ARGS
    tally_u64 piece_elements; /* of a line */
} tally_fold_cpu_map_args;

typedef struct tally_fold_cpu_columns_args {
    TALLY_FOLD_CPU_ARGS
    tally_u64 columns;       /* of a set: outputs a step apart in the input */
    tally_u64 strip_columns; /* of a strip; the last one has the rest too */
    tally_u64 sets_first;    /* 1: strips of all sets of columns follow each other, else of a set */
} tally_fold_cpu_columns_args;

typedef struct tally_fold_cpu_panel_args {
    TALLY_FOLD_CPU_ARGS
    tally_u64 box_outputs;
    tally_u64 box_blocks; /* of a single output */
    tally_u64
        transposed_axis; /* of its terms, brought along this one; the swept rank: along the last */
} tally_fold_cpu_panel_args;

/*
 * What all scans have. A unit is one row, all terms along the axis at one coordinate of the other
 * axes, where a kernel's file says nothing else. Rows are counted in all; words is where they
 * begin, in the scratch or the boards, set at each enqueue; start is of the first term to visit,
 * axis the stride from a term to the next one to visit.
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
    tally_u64 carry;                                                                               \
    tally_u64 kept_size[TALLY_AXES];                                                               \
    tally_u64 kept_in[TALLY_AXES];                                                                 \
    tally_u64 kept_out[TALLY_AXES];

typedef struct tally_scan_args {
    TALLY_SCAN_ARGS
} tally_scan_args;

/* Where the words of each level begin, from words on; see scan_rows_words.cl. */
typedef struct tally_scan_rows_args {
    TALLY_SCAN_ARGS
    tally_u64 spans;
    tally_u64 tiles;
    tally_u64 stretches;
    tally_u64 prefixes;
    tally_u64 tiles_per_row; /* of each row */
    tally_u64 stretches_per_row;
    tally_u64 spin_limit; /* looks for a word that is not there, until a group gives up */
    tally_u64 lead;       /* jobs from a group's own to the one that it prefetches */
    tally_u64 stall;      /* in trials: one in so many units dawdles; 0: none does */
    tally_u64 leave;      /* in trials: one in so many units is left; 0: none need be */
    tally_u64 tickets;    /* groups take units by tickets; 0: by their own numbers */
    tally_u64 tag;        /* of the launch's words: of a board set at each enqueue */
} tally_scan_rows_args;

typedef struct tally_scan_short_rows_args {
    TALLY_SCAN_ARGS
    tally_u64 staged_rows; /* whole rows in local memory together */
    tally_u64 row_runs;    /* runs of a row */
} tally_scan_short_rows_args;

/* Of strips of columns; where tiles are spread over groups, with words. */
typedef struct tally_scan_columns_args {
    TALLY_SCAN_ARGS
    tally_u64 columns;    /* rows side by side in memory */
    tally_u64 team_width; /* work-items side by side over a strip of them */
    tally_u64 slices;     /* work-items that share the terms of the strip: each has a run */
    tally_u64 stretches;  /* where the words of stretches begin, behind those of TOTALS */
    tally_u64 tiles_per_row;
    tally_u64 stretches_per_row;
} tally_scan_columns_args;

/* Of boxes in local memory; where lines are spread over groups, with words. */
typedef struct tally_scan_staged_args {
    TALLY_SCAN_ARGS
    tally_u64 all_boxes; /* of lines: words lie box by box */
    tally_u64 box_lines;
    tally_u64 stretches;
    tally_u64 tiles_per_row;
    tally_u64 stretches_per_row;
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

/* What all scans on CPUs have: the units that a work-item takes in one go are its grain. */
#define TALLY_SCAN_CPU_ARGS                                                                        \
    TALLY_SCAN_ARGS                                                                                \
    tally_u64 grain;

typedef struct tally_scan_cpu_args {
    TALLY_SCAN_CPU_ARGS
} tally_scan_cpu_args;

typedef struct tally_scan_cpu_rows_args {
    TALLY_SCAN_CPU_ARGS
    tally_u64 line_pieces; /* that a line is cut into; 0: none */
    tally_u64 tiles_per_row;
} tally_scan_cpu_rows_args;

/* What those have whose units may be cut into pieces. */
#define TALLY_SCAN_CPU_PIECES_ARGS                                                                 \
    TALLY_SCAN_CPU_ARGS                                                                            \
    tally_u64 unit_pieces; /* that a unit is cut into; 0: none */                                  \
    tally_u64 tiles_per_row;                                                                       \
    tally_u64 tile_terms; /* of the scratch, for each tile of a unit */

typedef struct tally_scan_cpu_pieces_args {
    TALLY_SCAN_CPU_PIECES_ARGS
} tally_scan_cpu_pieces_args;

typedef struct tally_scan_cpu_columns_args {
    TALLY_SCAN_CPU_PIECES_ARGS
    tally_u64 columns;       /* rows side by side in memory */
    tally_u64 strip_columns; /* of a strip; the last one has the rest too */
} tally_scan_cpu_columns_args;

typedef struct tally_scan_cpu_panel_args {
    TALLY_SCAN_CPU_PIECES_ARGS
    tally_u64 box_terms;   /* of each line at a time */
    tally_u64 columns;     /* of the innermost axis, which go with the terms as one row; 1: none */
    tally_u64 panel_order; /* of its axes in the output, innermost first: 4 bits for each kept axis,
                              and TALLY_AXES for the terms */
    tally_u64 kept_box[TALLY_AXES]; /* lines along each axis */
} tally_scan_cpu_panel_args;

/*
 * What all fills have. A unit is one element, where a kernel's file says nothing else. Axes are in
 * the order of the output's memory, but for fill_rows, whose last two are the rows and the columns,
 * or in place the columns and the rows. The first position is out_start elements from out_offset
 * on; the value, bits, low end first, is where (low <= diagonal < high) differs from inverted. Not
 * 0, in_place says that what is not to have the value is in its place, and keeps what it has. A
 * step along an axis adds to the diagonal.
 */
#define TALLY_FILL_ARGS                                                                            \
    tally_head head;                                                                               \
    tally_u64 out_start;                                                                           \
    tally_i64 low;                                                                                 \
    tally_i64 high;                                                                                \
    tally_u64 inverted;                                                                            \
    tally_u64 value;                                                                               \
    tally_u64 in_place;                                                                            \
    tally_u64 kept_size[TALLY_AXES];                                                               \
    tally_u64 kept_in[TALLY_AXES];                                                                 \
    tally_u64 kept_out[TALLY_AXES];                                                                \
    tally_u64 diagonal[TALLY_AXES];

typedef struct tally_fill_args {
    TALLY_FILL_ARGS
} tally_fill_args;

typedef struct tally_fill_rows_args {
    TALLY_FILL_ARGS
    tally_u64 rows;       /* of all matrices */
    tally_u64 pieces;     /* that a row is cut into */
    tally_u64 team_width; /* work-items side by side over it */
} tally_fill_rows_args;

/* What is divided by the axes' sizes: see tally_plan_magic. */
#define TALLY_FILL_AXES_ARGS                                                                       \
    TALLY_FILL_ARGS                                                                                \
    tally_u64 magic[TALLY_AXES];                                                                   \
    tally_u64 shift[TALLY_AXES];

typedef struct tally_fill_axes_args {
    TALLY_FILL_AXES_ARGS
} tally_fill_axes_args;

typedef struct tally_fill_packs_args {
    TALLY_FILL_AXES_ARGS
    tally_u64 inner_axes;   /* elements lie side by side over the axes from this one on */
    tally_u64 length;       /* how many do, on both sides */
    tally_u64 lengths;      /* how many there are */
    tally_u64 length_packs; /* packs of one */
    tally_u64 packs_magic;  /* what is divided by these */
    tally_u64 packs_shift;
} tally_fill_packs_args;

typedef struct tally_fill_cpu_chunks_args {
    TALLY_FILL_AXES_ARGS
    tally_u64 grain;          /* units that a work-item takes in one go */
    tally_u64 stream;         /* not 0: write past the caches */
    tally_u64 inner_axes;     /* those from this one on are cut into chunks */
    tally_u64 inner_elements; /* of these axes */
    tally_u64 pieces;         /* that they are cut into, a chunk each */
    tally_u64 chunk_elements;
    tally_u64
        gathers; /* elements spaced evenly in the input; 0: all of the inner axes, side by side */
    tally_u64 scatters; /* and in the output */
} tally_fill_cpu_chunks_args;

typedef struct tally_fill_cpu_lines_args {
    TALLY_FILL_AXES_ARGS
    tally_u64 grain; /* units that a work-item takes in one go */
    tally_u64 stream;
    tally_u64 pieces; /* that a line is cut into */
    tally_u64 piece_elements;
} tally_fill_cpu_lines_args;

/*
 * Boxes: positions of either kind along each axis, 1 if none are of that kind; see
 * fill_positions.cl.
 */
#define TALLY_FILL_BOX_ARGS                                                                        \
    TALLY_FILL_ARGS                                                                                \
    tally_u64 reads;                                                                               \
    tally_u64 writes;                                                                              \
    tally_u64 read_box[TALLY_AXES];                                                                \
    tally_u64 read_pitch[TALLY_AXES];                                                              \
    tally_u64 write_box[TALLY_AXES];                                                               \
    tally_u64 write_pitch[TALLY_AXES];                                                             \
    tally_u64 boxes[TALLY_AXES]; /* that the axis is cut into */                                   \
    tally_u64 local_pitch;       /* of a box that goes through local or private memory */

typedef struct tally_fill_box_args {
    TALLY_FILL_BOX_ARGS
} tally_fill_box_args;

typedef struct tally_fill_cpu_box_args {
    TALLY_FILL_BOX_ARGS
    tally_u64 grain; /* units that a work-item takes in one go */
    tally_u64 stream;
    tally_u64 segment;              /* elements that lie side by side in the output */
    tally_u64 picks;                /* not 0: each element of a segment is brought by itself */
    tally_u64 box_step[TALLY_AXES]; /* elements of the image from one along an axis to the next */
} tally_fill_cpu_box_args;

#endif
