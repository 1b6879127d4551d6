/*
 * What is told of jobs that have run: their times as a line on stderr, or all of them as one JSON
 * document on stdout. Runs nothing.
 */
#ifndef TALLY_CLI_JOB_REPORT_H
#define TALLY_CLI_JOB_REPORT_H

#include "cli/job/names.h"
#include "cli/job/result.h"
#include "cli/job/session.h"
#include "cli/job/task.h"
#include "cli/text/json.h"

typedef struct job_report {
    const task *asked;
    json_document document;
} job_report;

void job_report_begin(job_report *report, const task *asked);

/*
 * What the options ask to be told of a file. is_one: of several, so that its name is told. work has
 * its tensors, if it came to that; why is NULL if it did not fail.
 */
void job_report_file(job_report *report, const job_file *file, bool is_one, const job *work,
                     const job_result *result, const cli_error *why);

void job_report_end(job_report *report, const session *shared);

#endif
