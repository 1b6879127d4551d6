/*
 * Data between files and the device's buffers, in chunks: the progress line moves, and the host
 * never needs the whole output in its own memory. Knows no operators.
 */
#include "cli/transfer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CHUNK                                                                                      \
    ((uint64_t)16 << 20) /* bytes; large enough that a transfer's start does not count             \
                          */

/* Bytes from which a view of the mapped file beats a copy of it. */
#define VIEW_MIN ((uint64_t)1 << 20)

static uint64_t chunk_at(uint64_t done, uint64_t bytes) {
    return bytes - done < CHUNK ? bytes - done : CHUNK;
}

int transfer_allocate(const device *target, const char *what, uint64_t bytes, cl_mem *buffer,
                      cli_error *error) {
    cl_ulong limit = device_number(target->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    cl_int code;
    if (bytes > limit || bytes > SIZE_MAX)
        return cli_fail(error,
                        "the %s has %" PRIu64 " bytes, but the device allocates %" PRIu64
                        " at most at once",
                        what, bytes, (uint64_t)limit);
    /* OpenCL has no empty buffers. */
    *buffer = clCreateBuffer(target->context, CL_MEM_READ_WRITE, bytes > 0 ? (size_t)bytes : 1,
                             NULL, &code);
    if (*buffer != NULL)
        return CLI_DONE;
    cli_fail_cl(error, "clCreateBuffer", code);
    char label[64];
    snprintf(label, sizeof label, "the %s, %" PRIu64 " bytes", what, bytes);
    return cli_error_prefix(error, label, CLI_FAILED);
}

void transfer_release(transfer_buffer *memory) {
    if (memory->buffer != NULL)
        clReleaseMemObject(memory->buffer);
    *memory = (transfer_buffer){NULL, 0};
}

int transfer_grow(const device *target, const char *what, uint64_t bytes, transfer_buffer *memory,
                  cli_error *error) {
    if (memory->bytes >= bytes)
        return CLI_DONE;
    transfer_release(memory);
    int status = transfer_allocate(target, what, bytes, &memory->buffer, error);
    if (status == CLI_DONE)
        memory->bytes = bytes;
    return status;
}

/* The mapped file as a buffer, if the device can use it as it lies there; else NULL. */
static cl_mem view_file(const device *target, const input_file *input) {
    size_t element = tally_dtype_size(input->array.dtype);
    cl_int code;
    if (input->array.data_bytes < VIEW_MIN || input->array.data_offset % element != 0 ||
        device_number(target->id, CL_DEVICE_HOST_UNIFIED_MEMORY) == 0 ||
        input->map_bytes > device_number(target->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE))
        return NULL;
    /* A driver that cannot use read-only pages of a file says so, and the data are copied. */
    return clCreateBuffer(target->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, input->map_bytes,
                          input->map, &code);
}

int transfer_upload(const device *target, const input_file *input, progress *line, tally_view *view,
                    cli_error *error) {
    uint64_t bytes = input->array.data_bytes;
    const char *data = (const char *)input->map + input->array.data_offset;
    view->buffer = view_file(target, input);
    if (view->buffer != NULL) {
        view->offset = (size_t)input->array.data_offset;
        return CLI_DONE;
    }
    progress_phase(line, "reading", bytes);
    int status = transfer_allocate(target, "input", bytes, &view->buffer, error);
    for (uint64_t done = 0; done < bytes && status == CLI_DONE; done += chunk_at(done, bytes)) {
        cl_int code =
            clEnqueueWriteBuffer(target->queue, view->buffer, CL_TRUE, (size_t)done,
                                 (size_t)chunk_at(done, bytes), data + done, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            status = cli_fail_cl(error, "clEnqueueWriteBuffer", code);
        progress_advance(line, chunk_at(done, bytes));
    }
    return status;
}

int transfer_download(const device *source, cl_mem buffer, uint64_t bytes, output_file *output,
                      progress *line, cli_error *error) {
    int status = CLI_DONE;
    void *chunk = malloc((size_t)chunk_at(0, bytes) + 1);
    if (chunk == NULL)
        return cli_fail_memory(error, "the output's chunks");
    progress_phase(line, "writing", bytes);
    for (uint64_t done = 0; done < bytes && status == CLI_DONE; done += chunk_at(done, bytes)) {
        size_t count = (size_t)chunk_at(done, bytes);
        cl_int code = clEnqueueReadBuffer(source->queue, buffer, CL_TRUE, (size_t)done, count,
                                          chunk, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            status = cli_fail_cl(error, "clEnqueueReadBuffer", code);
        else
            status = output_write(output, chunk, count, error);
        progress_advance(line, count);
    }
    free(chunk);
    return status;
}
