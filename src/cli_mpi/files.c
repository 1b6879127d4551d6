/*
 * Files of ranks. Ranges go through a chunk of host memory: they may be many short runs of the
 * file, and the device gets them packed. Positions are given with each write, so that ranks do not
 * disturb each other.
 */
#include "cli_mpi/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/npy/npy.h"
#include "cli_mpi/together.h"
#include "platform/program.h"

#define CHUNK ((uint64_t)16 << 20)

static uint64_t chunk_at(const slice *range, uint64_t done) {
    return range->bytes - done < CHUNK ? range->bytes - done : CHUNK;
}

static char *make_chunk(const slice *range, cli_error *error) {
    char *chunk = malloc((size_t)chunk_at(range, 0) + 1);
    if (chunk == NULL)
        cli_fail_memory(error, "a chunk of a file");
    return chunk;
}

/* ---- Reading -------------------------------------------------------------------------------- */

int files_read(const device *target, const input_file *input, const slice *range, cl_mem buffer,
               progress *line, cli_error *error) {
    const char *data = (const char *)input->map + input->array.data_offset;
    cl_int code = CL_SUCCESS;
    char *chunk = make_chunk(range, error);
    if (chunk == NULL)
        return CLI_FAILED;
    progress_phase(line, "reading", range->bytes);
    for (uint64_t done = 0, count; done < range->bytes && code == CL_SUCCESS; done += count) {
        uint64_t position;
        count = chunk_at(range, done);
        for (uint64_t at = 0, part; at < count; at += part) {
            part = slice_next(range, done + at, count - at, &position);
            memcpy(chunk + at, data + position, (size_t)part);
        }
        code = clEnqueueWriteBuffer(target->queue, buffer, CL_TRUE, (size_t)done, (size_t)count,
                                    chunk, 0, NULL, NULL);
        progress_advance(line, count);
    }
    free(chunk);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueWriteBuffer", code);
}

/* ---- Writing -------------------------------------------------------------------------------- */

static int fail_write(const char *path, cli_error *error) {
    cli_fail(error, "cannot be written: %s", strerror(errno));
    return cli_error_prefix(error, path, CLI_FAILED);
}

static int make_file(shared_output *output, const char *path, const char *header, uint64_t bytes,
                     cli_error *error) {
    int status = output_open(&output->whole, path, error);
    if (status != CLI_DONE)
        return status;
    if (output->whole.temporary.path == NULL) {
        cli_fail(error, "is a pipe or a device, but ranks write at positions of a file");
        return cli_error_prefix(error, path, CLI_FAILED);
    }
    status = output_write(&output->whole, header, (size_t)output->data, error);
    if (status == CLI_DONE && !tally_file_resize(output->whole.file, output->data + bytes))
        status = fail_write(path, error);
    return status;
}

/* Rank 0 tells the name; every rank opens the file. */
static int open_file(shared_output *output, const char *path, cli_error *error) {
    int length =
        output->whole.temporary.path != NULL ? (int)strlen(output->whole.temporary.path) + 1 : 0;
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    char *name = malloc((size_t)length + 1);
    int status =
        together_agree(name != NULL ? CLI_DONE : cli_fail_memory(error, "a file name"), error);
    if (status == CLI_DONE && name != NULL) {
        if (output->whole.temporary.path != NULL)
            memcpy(name, output->whole.temporary.path, (size_t)length);
        MPI_Bcast(name, length, MPI_CHAR, 0, MPI_COMM_WORLD);
        output->file = tally_open(TALLY_NO_FOLDER, name, TALLY_TO_WRITE);
        status = output->file != TALLY_NO_FILE ? CLI_DONE : fail_write(path, error);
    }
    free(name);
    return status;
}

int shared_output_open(shared_output *output, const char *path, const tally_tensor *tensor,
                       uint64_t bytes, cli_error *error) {
    char header[NPY_HEADER_MAX];
    int status = CLI_DONE, rank = 0;
    memset(output, 0, sizeof *output);
    output->file = TALLY_NO_FILE;
    output->data = npy_format(tensor->dtype, tensor->rank, tensor->size, header);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        status = make_file(output, path, header, bytes, error);
    status = together_agree(status, error);
    if (status == CLI_DONE)
        status = together_agree(open_file(output, path, error), error);
    if (status != CLI_DONE) {
        if (output->file != TALLY_NO_FILE)
            tally_file_close(output->file);
        output_discard(&output->whole);
        output->file = TALLY_NO_FILE;
    }
    return status;
}

static int write_at(const shared_output *output, const char *bytes, uint64_t count,
                    uint64_t position, cli_error *error) {
    return tally_file_write_at(output->file, output->data + position, bytes, (size_t)count)
               ? CLI_DONE
               : fail_write("the output", error);
}

int shared_output_write(const shared_output *output, const device *source, cl_mem buffer,
                        const slice *range, progress *line, cli_error *error) {
    int status = CLI_DONE;
    char *chunk = make_chunk(range, error);
    if (chunk == NULL)
        return CLI_FAILED;
    progress_phase(line, "writing", range->bytes);
    for (uint64_t done = 0, count; done < range->bytes && status == CLI_DONE; done += count) {
        uint64_t position;
        count = chunk_at(range, done);
        cl_int code = clEnqueueReadBuffer(source->queue, buffer, CL_TRUE, (size_t)done,
                                          (size_t)count, chunk, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            status = cli_fail_cl(error, "clEnqueueReadBuffer", code);
        for (uint64_t at = 0, part; at < count && status == CLI_DONE; at += part) {
            part = slice_next(range, done + at, count - at, &position);
            status = write_at(output, chunk + at, part, position, error);
        }
        progress_advance(line, count);
    }
    free(chunk);
    return status;
}

int shared_output_close(shared_output *output, int status, cli_error *error) {
    const tally_file file = output->file;
    output->file = TALLY_NO_FILE;
    if (file != TALLY_NO_FILE && !tally_file_close(file) && status == CLI_DONE)
        status = fail_write("the output", error);
    status = together_agree(status, error);
    if (status == CLI_DONE) {
        if (output->whole.target != NULL)
            status = output_commit(&output->whole, error);
        status = together_agree(status, error);
    }
    output_discard(&output->whole);
    return status;
}
