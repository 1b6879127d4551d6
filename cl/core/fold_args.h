/*
 * What launches of folds hand their kernels: args.h says how all such structs lie. Knows no scans
 * and no fills.
 */
#ifndef TALLY_CL_FOLD_ARGS_H
#define TALLY_CL_FOLD_ARGS_H

#ifndef __OPENCL_VERSION__
#include "cl/core/args.h"
#include "cl/core/sizes.h"
#endif

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
 * begins a line. Its terms; lines beside each other in memory; terms of a piece of a line, whose
 * blocks are one unit's.
 */
#define TALLY_FOLD_LINES_ARGS                                                                      \
    tally_u64 line_terms;                                                                          \
    tally_u64 lines;                                                                               \
    tally_u64 piece_terms;

typedef struct tally_fold_any_args {
    TALLY_FOLD_INDEX_ARGS
    TALLY_FOLD_LINES_ARGS
    tally_u64 first_term; /* what the launch's terms, which are states, count from */
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
    tally_u64 packed_rows; /* which lie one after the other in memory, all alike */
    tally_u64 row_stride;  /* elements from one of them to the next */
    tally_u64 pitch_packs; /* the same in local memory; 0 where rows are not whole packs */
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

typedef struct tally_fold_cpu_lines_args {
    TALLY_FOLD_CPU_ARGS
    TALLY_FOLD_LINES_ARGS
} tally_fold_cpu_lines_args;

#endif
