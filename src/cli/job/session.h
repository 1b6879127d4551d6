/*
 * What the jobs of one command share: the device, or devices, with their runtimes, and the line
 * that shows progress. Knows no files.
 */
#ifndef TALLY_CLI_JOB_SESSION_H
#define TALLY_CLI_JOB_SESSION_H

#include "cli/options/options.h"
#include "cli/progress.h"
#include "cli/several/several.h"

typedef struct session {
    const common_options *options;
    device device; /* or: */
    several on;
    tally_devices *devices; /* of several; made for the first job, with the speeds of then */
    progress line;
    size_t at, count; /* the file that is worked on, from 1, of several */
} session;

/* Opens nothing, and shows no line. */
void session_begin(session *shared, const common_options *options);

/* Whether times are to be told, which devices take only if they are asked to. */
bool session_is_timed(const session *shared);

/* Open the device, or the devices, unless they are open. */
int session_open(session *shared, cli_error *error);

/* Show the line, and stop it so that something can be printed. */
void session_resume(session *shared);
void session_pause(session *shared);

/* Release all; nothing may be running. A no-op on {0}. */
void session_end(session *shared);

#endif
