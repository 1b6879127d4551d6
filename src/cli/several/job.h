/*
 * One operator run once on files, on several devices at the same time. Knows tally/devices.h and
 * OpenCL, and no operator by name.
 */
#ifndef TALLY_CLI_SEVERAL_JOB_H
#define TALLY_CLI_SEVERAL_JOB_H

#include "cli/job/result.h"
#include "cli/job/session.h"
#include "cli/job/task.h"

/*
 * Cut the tensors, copy each device its part, run, write the output and put it in its place. Memory
 * of the host has the whole output.
 */
int job_several(const job *description, session *with, job_result *result, cli_error *error);

#endif
