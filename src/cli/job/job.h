/*
 * Operators run on files: from the device to the renamed output. The commands describe, this does.
 * Knows the public API and OpenCL, and no operator by name.
 */
#ifndef TALLY_CLI_JOB_JOB_H
#define TALLY_CLI_JOB_JOB_H

#include "cli/job/task.h"

/*
 * Open the device, and then for each input: open the output and the input, create the operators,
 * copy, run, write; print the plan and the times if asked to. If the options name several devices,
 * do it on all of them. An output file is complete or it is as it was before. Where one of several
 * files fails, its sentence is printed, the others go on, and the error counts them.
 */
int job_run(const task *asked, cli_error *error);

#endif
