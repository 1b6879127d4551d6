/*
 * The weights of tally bench layouts: how often a problem is what. docs/performance.md has the same
 * numbers. Knows no random numbers and no sizes.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_DRAW_TABLES_H
#define TALLY_CLI_BENCH_LAYOUTS_DRAW_TABLES_H

#include <stddef.h>

#include "cli/bench/subject.h"
#include "cli/tables/functions.h"

/* Percentages of what is or is not. */
enum {
    LAYOUTS_EXCLUSIVE = 25,
    LAYOUTS_DESCENDING = 25,
    LAYOUTS_SCAN_IN_PLACE = 15,
    LAYOUTS_FILL_INPUT = 70,
    LAYOUTS_FILL_IN_PLACE = 20, /* of those with an input */
    LAYOUTS_NAN_IGNORE = 10,    /* of extremes of floats */
    LAYOUTS_TIE_LAST = 20,      /* of ARGMAX and ARGMIN */
    LAYOUTS_REPEATED = 2,       /* of inputs of reductions and scans, of rank 2 and more */
    LAYOUTS_REMAINING_ODD = 25, /* of the axis that takes what the others leave */
    LAYOUTS_REMAINING_PRIME = 25
};

/* Percentages of inputs and of outputs. */
typedef struct layouts_placement_weights {
    uint32_t padding, gaps, offset;
} layouts_placement_weights;

extern const layouts_placement_weights layouts_input_weights, layouts_output_weights;

typedef struct layouts_function {
    tally_function function;
    const char *name;
    cli_class types;
    uint32_t weight[BENCH_SUBJECTS];
} layouts_function;

/* By turns, and the last of a fill, which has no function. */
extern const layouts_function layouts_functions[];
extern const size_t layouts_function_count;

typedef struct layouts_type {
    tally_dtype dtype;
    const char *name;
    cli_class of;    /* the smallest set that has it */
    uint32_t weight; /* of 200; float32 is drawn apart */
} layouts_type;

extern const layouts_type layouts_type_rows[];
extern const size_t layouts_type_count;

#define LAYOUTS_RANK_MAX 6

/* Of the orders of the axes in memory. */
typedef enum layouts_order {
    LAYOUTS_ROW_MAJOR,
    LAYOUTS_SWAPPED,      /* the last two axes */
    LAYOUTS_INPUTS_ORDER, /* of outputs */
    LAYOUTS_PERMUTED,
    LAYOUTS_ORDERS
} layouts_order;

typedef enum layouts_axes {
    LAYOUTS_NO_AXES,
    LAYOUTS_ALL_AXES,
    LAYOUTS_ONE_AXIS,
    LAYOUTS_SEVERAL_AXES,
    LAYOUTS_AXES
} layouts_axes;

typedef enum layouts_band {
    LAYOUTS_LOWER,    /* begin = k, end = max: the triangle below stays */
    LAYOUTS_UPPER,    /* begin = min, end = k: the triangle above stays */
    LAYOUTS_DIAGONAL, /* begin = k, end = k + 1 */
    LAYOUTS_BAND,     /* begin = k, end = k + width */
    LAYOUTS_INVERTED, /* begin = k + width, end = k: the band stays */
    LAYOUTS_EVERYTHING,
    LAYOUTS_NOTHING,
    LAYOUTS_BANDS
} layouts_band;

extern const uint32_t layouts_subject_weights[BENCH_SUBJECTS];
extern const uint32_t layouts_rank_weights[LAYOUTS_RANK_MAX]; /* of ranks 1 and up */
extern const uint32_t layouts_axes_weights[LAYOUTS_AXES];
extern const uint32_t layouts_input_orders[LAYOUTS_ORDERS], layouts_output_orders[LAYOUTS_ORDERS];
extern const uint32_t layouts_band_weights[LAYOUTS_BANDS];

/* Of the types of ARGMAX's and ARGMIN's results, with where they fit. */
typedef struct layouts_index {
    tally_dtype dtype;
    uint32_t weight;
} layouts_index;

#define LAYOUTS_INDICES 3
extern const layouts_index layouts_indices[LAYOUTS_INDICES];

/* "sum", "" of a fill; "f32". */
const char *layouts_function_name(tally_function function);
const char *layouts_type_name(tally_dtype dtype);

#endif
