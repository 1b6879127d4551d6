/*
 * The numerics probe's operations by number. Read by the host's compiler and the device's.
 */
#ifndef TALLY_CL_PROBE_H
#define TALLY_CL_PROBE_H

/* What is computed of the operands a, b and c; predicates give 1 or 0. */
#define TALLY_PROBE_LOAD 0             /* an element from global memory */
#define TALLY_PROBE_UNPACK 1           /* an element taken out of 16 loaded bytes */
#define TALLY_PROBE_STORE 2            /* the element that is left in memory */
#define TALLY_PROBE_COUNT 3            /* a 64-bit integer as a number */
#define TALLY_PROBE_ADD 4              /* a + b */
#define TALLY_PROBE_MULTIPLY 5         /* a * b */
#define TALLY_PROBE_MULTIPLY_ADD 6     /* a * b + c */
#define TALLY_PROBE_SUBTRACT_PRODUCT 7 /* a - b * c */
#define TALLY_PROBE_SUM_SQUARES 8      /* a, b and c squared and combined as a fold does it */
#define TALLY_PROBE_ADD_ADD 9          /* (a + b) + c */
#define TALLY_PROBE_ADD_BACK 10        /* (a + b) - b */
#define TALLY_PROBE_PRODUCT 11         /* (a * b) * c */
#define TALLY_PROBE_LESS 12            /* a < b */
#define TALLY_PROBE_NAN_SUM 13         /* whether a + b is NaN */
#define TALLY_PROBE_DIVIDE 14
#define TALLY_PROBE_SQRT 15
#define TALLY_PROBE_EXP 16 /* the library's own */
#define TALLY_PROBE_LOG 17
#define TALLY_PROBE_OPERATIONS 18

/* 64-bit words of a check on the device: its operation, below 32 bits of 0, and its operands. */
#define TALLY_PROBE_NUMBERS 4

/*
 * Elements of a check on the device, all of them the operand of a load. One that is stored stands
 * in the first, and as often as the longest vector is long from TALLY_PROBE_STORED on.
 */
#define TALLY_PROBE_POSITIONS 16
#define TALLY_PROBE_STORED 8
#define TALLY_PROBE_LANES 8

#endif
