/*
 * One operator run once on files, on several devices at the same time. Knows tally/devices.h and
 * OpenCL, and no operator by name.
 */
#ifndef TALLY_CLI_SEVERAL_JOB_H
#define TALLY_CLI_SEVERAL_JOB_H

#include "cli/task.h"

/* Whether the options name several devices. */
bool job_is_for_several(const job *description);

/*
 * Open the devices, cut the tensors, copy each device its part, run, write the output. Memory of
 * the host has the whole output. Either the output file is complete or it is as it was before.
 */
int job_run_several(const job *description, cli_error *error);

#endif
