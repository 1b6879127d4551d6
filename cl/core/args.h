/*
 * What a launch hands its kernel by value: the types of the members, and what begins every struct.
 * The structs are in a header for each kind of problem. All of them are read by the host's compiler
 * and the device's, which must see one layout: 64-bit members only, and each program asserts the
 * size the host states.
 *
 * Lists of axes are outermost first and end at the last place: a shorter list than the kernel's
 * rank has leading axes of size 1 and stride 0. Strides count elements and wrap modulo 2^64, so
 * that a descending walk has a negative one.
 *
 * Each kind has members that come first in the structs of all its agents; an agent's struct goes on
 * with its own. plan/args.def names them for tally explain.
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
 * A box: positions of either kind along each axis, 1 if none are of that kind; see
 * box_positions.cl.
 */
typedef struct tally_box_args {
    tally_u64 reads;
    tally_u64 writes;
    tally_u64 read_box[TALLY_AXES];
    tally_u64 read_pitch[TALLY_AXES];
    tally_u64 write_box[TALLY_AXES];
    tally_u64 write_pitch[TALLY_AXES];
    tally_u64 boxes[TALLY_AXES]; /* that the axis is cut into */
    tally_u64 local_pitch;       /* of a box that goes through local or private memory */
} tally_box_args;

#endif
