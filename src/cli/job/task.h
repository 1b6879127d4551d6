/*
 * What a command wants to be run on files: its options, its operators, and where results go. Knows
 * no operator by name.
 */
#ifndef TALLY_CLI_JOB_TASK_H
#define TALLY_CLI_JOB_TASK_H

#include "cli/npy/input.h"
#include "cli/npy/output.h"
#include "cli/options/options.h"

/* An operator with room for its description, into which desc points: it stays where it is. */
typedef struct step {
    tally_desc desc;
    tally_reduce reduce;
    tally_cumulative scan;
    tally_diagonal diagonal;
    tally_tensor input;  /* of a fill */
    tally_tensor output; /* packed; the shape is that of the file, which may be squeezed */
    const char *label;   /* of one of several: what a sentence about it begins with; else NULL */
} step;

/* Describe all steps for an input, NULL if the command reads none. given is the command's. */
typedef int step_describe(const void *given, const tally_tensor *input, step *steps,
                          cli_error *error);

/* What a command does, to a file or to each of several. */
typedef struct task {
    const char *command; /* its name */
    const common_options *options;
    const void *given;
    step_describe *describe;
    uint32_t step_count;
    text_list inputs; /* empty: it reads none */
    const char *output;
    bool counts; /* the first step takes booleans as numbers that can be added */
} task;

/* What is done to one file. */
typedef struct job {
    const common_options *options;
    const step *steps;
    uint32_t step_count;     /* above 1: each reads on the device what the one before wrote */
    const input_file *input; /* NULL: the operator reads none */
    output_file *file;       /* open; NULL in the program for MPI, whose ranks open it together */
} job;

/* The operator, or the first of several, which reads the input. */
static inline const tally_desc *job_desc(const job *work) {
    return &work->steps[0].desc;
}

/* What the file has of the last one. */
static inline const tally_tensor *job_output(const job *work) {
    return &work->steps[work->step_count - 1].output;
}

#endif
