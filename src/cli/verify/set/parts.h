/*
 * What the kinds of problems of the fixed set are made of: a table of functions for each kind, and
 * what they share. For the files of the set alone; knows no device.
 */
#ifndef TALLY_CLI_VERIFY_SET_PARTS_H
#define TALLY_CLI_VERIFY_SET_PARTS_H

#include "cli/error.h"
#include "cli/tables/functions.h"
#include "cli/verify/set/layouts.h"
#include "cli/verify/set/problem.h"

#define VERIFY_COUNT(table) (sizeof(table) / sizeof(table)[0])

/* The values of a function's problems, taken in turns: those that suit it more often. */
#define VERIFY_PALETTE 8
typedef verify_class verify_palette[VERIFY_PALETTE];

extern const verify_palette verify_palette_sums, verify_palette_products, verify_palette_extremes,
    verify_palette_logs, verify_palette_exponents;

typedef struct verify_function {
    tally_function function; /* none of a fill */
    const char *name;
    const verify_palette *values; /* NULL: it is not in the set */
} verify_function;

/* The palettes of functions.def. */
#define VERIFY_VALUES_SUMS &verify_palette_sums
#define VERIFY_VALUES_PRODUCTS &verify_palette_products
#define VERIFY_VALUES_EXTREMES &verify_palette_extremes
#define VERIFY_VALUES_LOGS &verify_palette_logs
#define VERIFY_VALUES_EXPONENTS &verify_palette_exponents
#define VERIFY_VALUES_NONE NULL

/* What a group computes besides the common layouts. */
typedef struct verify_extra {
    tally_function function;
    tally_dtype dtype;
    const verify_layout_list *list;
} verify_extra;

typedef struct verify_kind_row {
    const verify_function *functions;
    size_t count;
    const char *total_name;
    bool needs_f64; /* over float64 it does arithmetic */
    /* The problem is zero but for its kind; true: it is there now. */
    bool (*problem_at)(const verify_group *group, size_t index, verify_problem *problem);
} verify_kind_row;

extern const verify_kind_row verify_kind_reduce, verify_kind_scan, verify_kind_fill;

/* By turns, so that a layout meets other values with another function or type; the largest ones
 * have the first, which rounds at every step. */
verify_class verify_values_of(const verify_palette *values, const verify_group *group,
                              const verify_layout *shape, size_t index);

/* Set input and output to the layout's, of the group's type; the output's sizes are the input's. */
void verify_set_tensors(const verify_group *group, const verify_layout *shape,
                        verify_problem *problem);

/* Set what is known of the memory when the tensors are. */
void verify_set_memory(const verify_layout *shape, verify_problem *problem);

/* Add to the problem's name: anything; the sizes; how the tensors lie, and the values. */
void verify_name(verify_problem *problem, const char *format, ...) CLI_PRINTF(2, 3);
void verify_name_sizes(const verify_layout *shape, verify_problem *problem);
void verify_name_axes(const verify_layout *shape, verify_problem *problem);
void verify_name_positions(const verify_layout *shape, verify_problem *problem);

#endif
