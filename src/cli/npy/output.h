/*
 * An output file that appears whole or not at all: written under another name in the same folder
 * and renamed at the end. Knows files, not what is in them.
 */
#ifndef TALLY_CLI_NPY_OUTPUT_H
#define TALLY_CLI_NPY_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "cli/error.h"
#include "cli/npy/temporary.h"
#include "platform/files.h"

typedef struct output_file {
    const char *path;    /* the caller's, as the user gave it */
    char *target;        /* what is replaced: the path with its links followed; NULL: not open */
    temporary temporary; /* what is written; none: a pipe, a character device, standard output */
    tally_file file;
    uint64_t written; /* bytes of such */
} output_file;

/*
 * Start writing the file at path, which has to stay until the end; "-" is standard output, which
 * is written as it is. An existing file keeps its permissions, and is untouched until
 * output_commit. A signal that ends the program removes the unfinished file. Only one output may be
 * open at a time. On failure nothing is left.
 */
int output_open(output_file *output, const char *path, cli_error *error);

int output_write(output_file *output, const void *bytes, size_t count, cli_error *error);

/*
 * Write bytes of the file from an offset on, in any order. Several threads may. A pipe and a
 * character device take them from the first to the last only, and from one thread.
 */
int output_write_at(output_file *output, uint64_t offset, const void *bytes, size_t count,
                    cli_error *error);

/* Put the file in its place. On failure nothing is left of it. */
int output_commit(output_file *output, cli_error *error);

/* Give the file up and leave nothing of it; a no-op after output_commit and on {0}. */
void output_discard(output_file *output);

#endif
