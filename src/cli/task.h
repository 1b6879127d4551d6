/*
 * What a command wants to be run once on files: an operator, its input and where its output goes.
 */
#ifndef TALLY_CLI_TASK_H
#define TALLY_CLI_TASK_H

#include "cli/npy/input.h"
#include "cli/options/options.h"

typedef struct job {
    const common_options *options;
    tally_desc whole;        /* of the operator */
    const input_file *input; /* NULL: the operator reads none */
    const char *output_path;
    tally_tensor output; /* packed; the shape is that of the file, which may be squeezed */
} job;

#endif
