/*
 * An input file: mapped, its header read. Knows files and the formats .npy and .npz, no OpenCL.
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
 * The path has to stay until input_close; "-" is standard input, and FILE.npz:NAME an array of
 * several. What comes through a pipe, is packed or has to be converted is first kept in a file
 * without a name, in $TMPDIR or /tmp. Booleans are unsigned bytes, or, where they are counted,
 * numbers of 64 bits. On failure there is nothing to close.
 */
int input_open(input_file *input, const char *path, bool counts, cli_error *error);

/*
 * The length of the part of a path that names a file: all of it, or without a ":NAME" behind
 * ".npz", where no file has the whole as its name.
 */
size_t input_archive_length(const char *path);

/* Read bytes of the file from an offset on. Any thread may. */
int input_read(const input_file *input, uint64_t offset, void *bytes, size_t count,
               cli_error *error);

/* Close what was opened; a no-op on {0}. */
void input_close(input_file *input);

#endif
