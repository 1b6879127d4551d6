/*
 * One operator run once on files: from the device to the renamed output. The commands describe,
 * this does. Knows the public API and OpenCL, and no operator by name.
 */
#ifndef TALLY_CLI_JOB_H
#define TALLY_CLI_JOB_H

#include "cli/task.h"

/*
 * Open the device, create the operator, copy the input, run, write the output; print the plan and
 * the times if asked to. If the options name several devices, do it on all of them. Either the
 * output file is complete or it is as it was before.
 */
int job_run(const job *description, cli_error *error);

/* What a command does with its options, and with its input: NULL if it has none. */
typedef int job_work(const void *options, const input_file *input, cli_error *error);

/* Do it while the file of that path is open; NULL: there is no input. */
int job_with_input(const char *path, job_work *work, const void *options, cli_error *error);

#endif
