/*
 * A job whose files are larger than the device's memory, as a stream of pieces from file to file.
 * Knows the public API and the two kinds of files, no operator by name.
 */
#ifndef TALLY_CLI_JOB_STREAM_H
#define TALLY_CLI_JOB_STREAM_H

#include "cli/device.h"
#include "cli/job/task.h"
#include "cli/progress.h"

/* Whether the files are too large for the device, or for the memory that the options allow. */
bool job_stream_is_needed(const job *work, const device *target);

/* Print the plan of the stream on stderr. */
int job_stream_explain(const job *work, const device *target, cli_error *error);

/* Write the header and compute everything into the opened file. */
int job_stream_run(const job *work, const device *target, progress *line, cli_error *error);

#endif
