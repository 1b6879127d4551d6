/*
 * An input file: mapped, its header read. Knows files and the .npy format, no OpenCL.
 */
#ifndef TALLY_CLI_NPY_INPUT_H
#define TALLY_CLI_NPY_INPUT_H

#include "cli/npy/npy.h"
#include "platform/files.h"

typedef struct input_file {
    const char *path; /* the caller's, or "standard input" */
    npy_array array;
    void *map; /* the whole file, read-only, from a page's start */
    size_t map_bytes;
    tally_file file; /* to be read where its pages are not to stay in memory */
} input_file;

/*
 * The path has to stay until input_close; "-" is standard input. What comes through a pipe is first
 * kept in a file without a name, in $TMPDIR or /tmp. On failure there is nothing to close.
 */
int input_open(input_file *input, const char *path, cli_error *error);

/* Read bytes of the file from an offset on. Any thread may. */
int input_read(const input_file *input, uint64_t offset, void *bytes, size_t count,
               cli_error *error);

/* Close what was opened; a no-op on {0}. */
void input_close(input_file *input);

#endif
