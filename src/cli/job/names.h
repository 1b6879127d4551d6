/*
 * The files of a command: patterns become names, and each input has a result. Knows names, not what
 * is in the files.
 */
#ifndef TALLY_CLI_JOB_NAMES_H
#define TALLY_CLI_JOB_NAMES_H

#include "cli/job/task.h"

typedef struct job_file {
    char *input; /* NULL: there is none */
    char *output;
} job_file;

typedef struct job_names {
    job_file *files;
    size_t count;
    bool folder; /* the results are in a folder, of as many inputs as there may be */
} job_names;

/*
 * List the files of a task. With several inputs, a pattern such as 'in/?.npy' that no file is
 * called, or an output that ends in '/', the output is a folder, where each result has the name of
 * its input: a.npy of in/a.npy and of a.npz, a.x.npy of a.npz:x. Fails where no file fits a
 * pattern, the folder is not there or cannot be written, or two results have one name. The caller
 * frees the list.
 */
int job_names_list(const task *asked, job_names *names, cli_error *error);

/* A no-op on {0}, which it leaves. */
void job_names_free(job_names *names);

#endif
