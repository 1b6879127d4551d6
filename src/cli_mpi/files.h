/*
 * This rank's range of the input file to the device, and of the output file from it. The output is
 * one file that all ranks write: rank 0 makes it and puts it in its place when all have written.
 */
#ifndef TALLY_CLI_MPI_FILES_H
#define TALLY_CLI_MPI_FILES_H

#include "cli/device.h"
#include "cli/npy/input.h"
#include "cli/npy/output.h"
#include "cli/progress.h"

#include "cli_mpi/slice.h"

/* Copy a range of the mapped file to the front of a buffer. */
int files_read(const device *target, const input_file *input, const slice *range, cl_mem buffer,
               progress *line, cli_error *error);

typedef struct shared_output {
    output_file whole; /* rank 0's */
    tally_file file;   /* of every rank; TALLY_NO_FILE: not open */
    uint64_t data;     /* where the data begin */
} shared_output;

/*
 * Collective. Make the file with its header and its full size, under another name until the commit.
 * On failure nothing is left.
 */
int shared_output_open(shared_output *output, const char *path, const tally_tensor *tensor,
                       uint64_t bytes, cli_error *error);

/* Copy a buffer to a range of the file. */
int shared_output_write(const shared_output *output, const device *source, cl_mem buffer,
                        const slice *range, progress *line, cli_error *error);

/* Collective. Put the file in its place if all ranks bring CLI_DONE; else nothing is left. */
int shared_output_close(shared_output *output, int status, cli_error *error);

#endif
