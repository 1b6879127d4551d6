/*
 * The job of one file, on one device or on several.
 */
#ifndef TALLY_CLI_JOB_ONE_H
#define TALLY_CLI_JOB_ONE_H

#include "cli/job/result.h"
#include "cli/job/session.h"
#include "cli/job/task.h"

/* Do it and put the output in its place. The caller discards the file if this fails. */
int job_one(const job *description, session *with, job_result *result, cli_error *error);

#endif
