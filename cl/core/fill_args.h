/*
 * What launches of fills hand their kernels, and with them those of maps, which are folds that
 * sweep nothing: args.h says how all such structs lie. Knows no other folds, and no scans.
 */
#ifndef TALLY_CL_FILL_ARGS_H
#define TALLY_CL_FILL_ARGS_H

#ifndef __OPENCL_VERSION__
#include "cl/core/args.h"
#include "cl/core/sizes.h"
#endif

/*
 * What all fills have. A unit is one element, where a kernel's file says nothing else. Axes are in
 * the order of the output's memory. The first position is out_start elements from out_offset on;
 * the value, bits, low end first, is where (low <= diagonal < high) differs from inverted. Not 0,
 * in_place says that what is not to have the value is in its place, and keeps what it has. A step
 * along an axis adds to the diagonal.
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
    tally_u64 lengths;      /* how many there are, or that work-items begin with */
    tally_u64 length_packs; /* packs of one, or that work-items begin with */
    tally_u64 packs_magic;  /* what is divided by these */
    tally_u64 packs_shift;
    tally_u64 in_extent;   /* elements of the input's memory from in_offset on */
    tally_u64 repeat_axis; /* along which matrices repeat; TALLY_AXES: within a run */
    tally_u64 repeat_step; /* positions, or elements of the run, from one pack to the next */
    tally_u64 repeat_end;  /* all of them */
    tally_u64 repeat_in;   /* elements from one pack to the next */
    tally_u64 repeat_out;
    tally_u64 band_begin;  /* elements of the run, from which some may be in the band, */
    tally_u64 whole_begin; /* all are, */
    tally_u64 whole_end;   /* some are again, */
    tally_u64 band_end;    /* and none is */
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

#define TALLY_FILL_BOX_ARGS                                                                        \
    TALLY_FILL_ARGS                                                                                \
    tally_box_args box;

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
