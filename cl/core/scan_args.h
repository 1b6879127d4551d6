/*
 * What launches of scans hand their kernels: args.h says how all such structs lie. Knows no folds
 * and no fills.
 */
#ifndef TALLY_CL_SCAN_ARGS_H
#define TALLY_CL_SCAN_ARGS_H

#ifndef __OPENCL_VERSION__
#include "cl/core/args.h"
#include "cl/core/sizes.h"
#endif

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

/*
 * What those have whose units are spread over groups that look back: where the words of each level
 * begin, from words on, of each chain of units, and how groups take units and wait; see
 * scan_chain_words.cl.
 */
#define TALLY_SCAN_CHAIN_ARGS                                                                      \
    TALLY_SCAN_ARGS                                                                                \
    tally_u64 spans;                                                                               \
    tally_u64 tiles;                                                                               \
    tally_u64 stretches;                                                                           \
    tally_u64 prefixes;                                                                            \
    tally_u64 tiles_per_row; /* of each row */                                                     \
    tally_u64 stretches_per_row;                                                                   \
    tally_u64 spin_limit; /* looks for a word that is not there, until a group gives up */         \
    tally_u64 stall;      /* in trials: one in so many units dawdles; 0: none does */              \
    tally_u64 leave;      /* in trials: one in so many units is left; 0: none need be */           \
    tally_u64 tickets;    /* groups take units by tickets; 0: by their own numbers */              \
    tally_u64 tag;        /* of the launch's words: of a board set at each enqueue */

typedef struct tally_scan_chain_args {
    TALLY_SCAN_CHAIN_ARGS
} tally_scan_chain_args;

typedef struct tally_scan_rows_args {
    TALLY_SCAN_CHAIN_ARGS
    tally_u64 lead; /* jobs from a group's own to the one that it prefetches */
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
    TALLY_SCAN_CHAIN_ARGS
    tally_u64 all_boxes; /* of lines: a row of words has those of each box */
    tally_u64 box_lines;
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

/* Of boxes of whole lines, whose work-items go down lines of their own. */
typedef struct tally_scan_transpose_args {
    TALLY_SCAN_ARGS
    tally_box_args box;
} tally_scan_transpose_args;

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

#endif
