/*
 * The texts of the command line, each to its value: functions, types, axes, shapes, numbers. Every
 * parser fills *into, whose type its comment names, and words what is wrong with the text alone;
 * the caller puts the option's name before it.
 */
#ifndef TALLY_CLI_OPTIONS_VALUES_H
#define TALLY_CLI_OPTIONS_VALUES_H

#include <tally/tally.h>

#include "cli/error.h"

typedef int value_parser(const char *text, void *into, cli_error *error);

/* An option that may be left out. */
typedef struct optional_int {
    bool given;
    int64_t value;
} optional_int;

/* A set of axes as it was written; negative ones count from the end. */
typedef struct axis_list {
    bool given; /* else all axes */
    uint32_t count;
    int64_t axis[TALLY_MAX_RANK];
} axis_list;

/* Texts of the command line, which has them. */
typedef struct text_list {
    char **texts;
    size_t count;
} text_list;

typedef struct shape_list {
    bool given;
    uint32_t rank;
    uint64_t size[TALLY_MAX_RANK];
} shape_list;

value_parser value_flag;        /* bool: true; there is no text */
value_parser value_text;        /* const char *: the text itself */
value_parser value_function;    /* tally_function */
value_parser value_type;        /* tally_dtype */
value_parser value_tie;         /* tally_tie */
value_parser value_nan;         /* tally_nan */
value_parser value_family;      /* tally_family */
value_parser value_single_pass; /* tally_single_pass */
value_parser value_int;         /* optional_int: decimal or 0x hexadecimal */
value_parser value_axes;        /* axis_list */
value_parser value_shape;       /* shape_list */
value_parser value_bytes; /* uint64_t: decimal, with K, M, G or T behind it for 2^10 to 2^40 */

/*
 * One element of a type: an integer, decimal or hexadecimal, in the type's range, or a float as
 * strtod takes it (inf and nan too), rounded to nearest even. A finite number that would become
 * infinite is refused.
 */
int value_scalar(const char *text, tally_dtype dtype, tally_scalar *scalar, cli_error *error);

/* The axis of a tensor of that rank, 0 to rank - 1. */
int value_resolve_axis(int64_t axis, uint32_t rank, uint32_t *index, cli_error *error);

/* The bit mask of a set of axes of a tensor of that rank. */
int value_resolve_axes(const axis_list *axes, uint32_t rank, uint32_t *mask, cli_error *error);

#endif
