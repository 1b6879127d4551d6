/*
 * The operators that have commands of their own, for the command that runs several: how their
 * options are written, and what they describe. Each is in its command's file.
 */
#ifndef TALLY_CLI_JOB_OPERATORS_H
#define TALLY_CLI_JOB_OPERATORS_H

#include "cli/job/task.h"

typedef struct operator_kind {
    const command *command;
    size_t options_from; /* the first of the command's options that is of its operator */
    size_t bytes;        /* of what the options fill */
    step_describe *describe;
} operator_kind;

extern const operator_kind operator_reduce, operator_scan, operator_diagonal;

#endif
