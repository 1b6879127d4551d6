/*
 * Data between files and the device's buffers, in chunks. Knows OpenCL buffers and the two kinds
 * of files, no operators.
 */
#ifndef TALLY_CLI_TRANSFER_H
#define TALLY_CLI_TRANSFER_H

#include "cli/device.h"
#include "cli/npy/input.h"
#include "cli/npy/output.h"
#include "cli/progress.h"

/* A buffer for bytes of data called what; its sentence has the number and the device's limit. */
int transfer_allocate(const device *target, const char *what, uint64_t bytes, cl_mem *buffer,
                      cli_error *error);

/* A buffer that grows to what the largest problem needs. */
typedef struct transfer_buffer {
    cl_mem buffer; /* NULL: none yet */
    uint64_t bytes;
} transfer_buffer;

/* Make it anew if it is smaller, which loses what it held. 0 bytes need no buffer. */
int transfer_grow(const device *target, const char *what, uint64_t bytes, transfer_buffer *memory,
                  cli_error *error);

/* A no-op on {0}, which it leaves. */
void transfer_release(transfer_buffer *memory);

/*
 * The input's data on the device: a view of the mapped file itself where host and device share
 * memory, else a copy. The caller releases the buffer; the file has to stay open until then.
 */
int transfer_upload(const device *target, const input_file *input, progress *line, tally_view *view,
                    cli_error *error);

/* Append the first bytes of the buffer to the file. */
int transfer_download(const device *source, cl_mem buffer, uint64_t bytes, output_file *output,
                      progress *line, cli_error *error);

#endif
