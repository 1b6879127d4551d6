/*
 * The command line of tally explain, and the description that it makes. Knows the three operators'
 * options, no device.
 */
#ifndef TALLY_CLI_OPTIONS_EXPLAIN_H
#define TALLY_CLI_OPTIONS_EXPLAIN_H

#include "cli/options/options.h"

typedef enum explain_operator { EXPLAIN_REDUCE, EXPLAIN_SCAN, EXPLAIN_DIAGONAL } explain_operator;

/* How a tensor lies in memory; packed if neither list is given. */
typedef struct explain_layout {
    shape_list strides; /* in elements */
    axis_list order;    /* the axes, outermost first */
} explain_layout;

typedef struct explain_options {
    common_options common;
    explain_operator kind;
    tally_function function; /* TALLY_FUNCTION_NONE: none was given */
    tally_dtype type;
    shape_list shape;
    explain_layout input, output;
    axis_list axes;
    optional_int axis;
    bool reverse, exclusive;
    tally_dtype output_type; /* TALLY_DTYPE_NONE: the default */
    tally_tie tie;
    tally_nan nan;
    bool with_input;
    optional_int begin, end;
    bool source;
} explain_options;

/* Runs the command; explain.c has it. */
int explain_run(const command *self, int argc, char **argv, cli_error *error);

/* A description with room for all three operators; desc points into the others. */
typedef struct explain_subject {
    tally_desc desc;
    tally_reduce reduce;
    tally_cumulative scan;
    tally_diagonal diagonal;
    tally_tensor input;
} explain_subject;

/* What the options are of the operator: refuse those of another one, and what is missing. */
int explain_check(const explain_options *given, cli_error *error);

/* The operator that the options describe. The subject must stay where it is. */
int explain_describe(const explain_options *given, explain_subject *subject, cli_error *error);

#endif
