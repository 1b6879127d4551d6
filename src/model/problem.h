/*
 * What is left of a description after it was checked and its axes were collapsed: the input of the
 * planners. Knows nothing of devices or kernels.
 *
 * The three kinds: a FOLD combines the terms of the swept axes, a SCAN keeps every step of the way
 * along one axis, a FILL writes part of each matrix.
 */
#ifndef TALLY_MODEL_PROBLEM_H
#define TALLY_MODEL_PROBLEM_H

#include "base/status.h"
#include "model/dims.h"

/* Swept axes with kept ones between them: every second axis at most. */
#define TALLY_MAX_GROUPS (TALLY_MAX_RANK / 2)

typedef enum tally_kind { TALLY_KIND_FOLD = 1, TALLY_KIND_SCAN, TALLY_KIND_FILL } tally_kind;

/* What a problem is of one that is cut into parts. */
typedef struct tally_partial {
    bool from_states;     /* the input has states: kept axes packed, as the innermost ones */
    bool to_states;       /* and so has the output: kept axes, behind them those of each line */
    bool has_carry;       /* SCAN: a state of each line is what comes before its first term */
    uint64_t states;      /* that are written of each output, if any */
    uint64_t first_index; /* of the first term among the whole's, where an index is asked for */
} tally_partial;

typedef struct tally_problem {
    tally_kind kind;
    tally_function function; /* FOLD, SCAN */
    tally_dtype input;       /* the element type; of a FILL too when it has no input tensor */
    tally_dtype output;
    tally_tie tie; /* first, and propagate, where the function and type don't ask for it */
    tally_nan nan;

    bool has_input;         /* false: no element of an input is ever read */
    bool in_place;          /* input and output may be one view */
    uint64_t input_extent;  /* elements a view must hold from its first on; 0: not read */
    uint64_t output_extent; /* 0: nothing to do */

    /*
     * The axes of the output: for a FOLD those not swept, for a SCAN all but its axis, for a FILL
     * the batch, then always the rows and the columns.
     */
    tally_dims kept;

    /*
     * FOLD: the groups of swept axes, innermost group first; axes are of one group if no kept axis
     * of a size other than 1 lies between them, whatever their strides; no group if there are no
     * terms. SCAN: one group, its axis.
     */
    uint32_t groups;
    tally_dims swept[TALLY_MAX_RANK]; /* with room for planners that make each axis a group */
    uint64_t terms;                   /* of one output (FOLD), along the axis (SCAN) */
    uint64_t count; /* the terms that a result of a FOLD is of: of a part's states, the whole's */
    tally_partial
        partial; /* FOLD, SCAN: of a problem in parts, see model/parts/part.h; else all 0 */

    bool descending, exclusive; /* SCAN */

    /* FILL: value where (low <= x - y < high) differs from inverted */
    int64_t low, high;
    bool inverted;
    uint64_t value; /* the element's bits, low end first */
} tally_problem;

/*
 * Check a description and collapse it. On failure *problem is undefined. The second call is for a
 * part of an input of the whole's sizes, as which swept axes are of one group follows from those.
 */
tally_status tally_problem_reduce(const tally_reduce *given, tally_problem *problem,
                                  tally_error *error);
tally_status tally_problem_reduce_part(const tally_reduce *given, const uint64_t *whole,
                                       tally_problem *problem, tally_error *error);
tally_status tally_problem_cumulative(const tally_cumulative *given, tally_problem *problem,
                                      tally_error *error);
tally_status tally_problem_diagonal(const tally_diagonal *given, tally_problem *problem,
                                    tally_error *error);

/* Bytes of an element of the input, or of a state; and of the output. */
uint32_t tally_problem_input_bytes(const tally_problem *problem);
uint32_t tally_problem_output_bytes(const tally_problem *problem);

/* Bytes of a state of what comes before each line of a scan's part; 0: nothing does. */
uint32_t tally_problem_carry_bytes(const tally_problem *problem);

/* Bytes of a state as parts hand them on: of an index, 64 bits. */
uint32_t tally_problem_state_bytes(const tally_problem *problem);

/* Combining does not round, so that its order bears on no bit. */
bool tally_problem_is_exact(const tally_problem *problem);

/* ---- Shared by the three ------------------------------------------------------------------- */

/* Take over the options that bear on function and types; refuse values that are none. */
tally_status tally_problem_set_options(tally_problem *problem, tally_tie tie, tally_nan nan,
                                       tally_error *error);

/* Set the extents. */
void tally_problem_set_extents(tally_problem *problem, const tally_tensor *input,
                               const tally_tensor *output);

/* True if both tensors, checked and of equal sizes, address every coordinate alike. */
bool tally_problem_same_layout(const tally_tensor *input, const tally_tensor *output);

#endif
