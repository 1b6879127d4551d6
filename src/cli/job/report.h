/*
 * What is told of a job that has run: its times. Runs nothing.
 */
#ifndef TALLY_CLI_JOB_REPORT_H
#define TALLY_CLI_JOB_REPORT_H

#include "cli/job/result.h"
#include "cli/job/task.h"

/*
 * What the options ask to be told of a file; name is NULL if it is the only one, and why is NULL if
 * it did not fail.
 */
void job_report_file(const task *asked, const char *name, const job *work, const job_result *result,
                     const cli_error *why);

#endif
