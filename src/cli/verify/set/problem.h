/*
 * A problem of the fixed set, and the group that it belongs to: plain data.
 */
#ifndef TALLY_CLI_VERIFY_SET_PROBLEM_H
#define TALLY_CLI_VERIFY_SET_PROBLEM_H

#include "cli/verify/set/values.h"

/* What is computed by a group's problems. A further operator is a further kind. */
typedef enum verify_kind { VERIFY_REDUCE, VERIFY_SCAN, VERIFY_FILL, VERIFY_KINDS } verify_kind;

/* A line of the text: one function over one type. */
typedef struct verify_group {
    verify_kind kind;
    uint32_t row;            /* of the kind's functions */
    tally_function function; /* none of a fill */
    tally_dtype dtype;
    const char *function_name, *dtype_name;
    const char *total_name; /* of the groups of its kind and type */
    bool needs_f64;         /* arithmetic of float64 */
} verify_group;

#define VERIFY_NAME_BYTES 192

typedef struct verify_problem {
    verify_kind kind;
    union {
        tally_reduce reduce;
        tally_cumulative scan;
        tally_diagonal fill; /* without its input, which points */
    };
    tally_tensor input, output;
    bool has_input, in_place; /* in place: the output is full of the class beforehand */
    verify_class values;
    uint64_t skip;                /* elements of the class before the input's first */
    uint64_t input_elements;      /* of the class, from the first, that the input reaches */
    uint64_t output_bytes;        /* from the first element to the end of the last */
    char name[VERIFY_NAME_BYTES]; /* "1000x16 {1} transposed +3 ties", for a person */
} verify_problem;

#endif
