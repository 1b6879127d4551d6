/*
 * An input file: mapped rather than read, so that its pages go to the device without a copy in
 * between, or are the device's memory themselves. Knows files and the .npy format, no OpenCL.
 */
#include "cli/npy/input.h"

#include <errno.h>
#include <string.h>

#include "platform/program.h"

/* ---- Pipes --------------------------------------------------------------------------------- */

static int fail_read(cli_error *error) {
    return cli_fail(error, "cannot be read: %s", strerror(errno));
}

static int copy_pipe(tally_file pipe, tally_file file, cli_error *error) {
    static char block[1 << 16];
    for (;;) {
        const ptrdiff_t got = tally_file_read(pipe, block, sizeof block);
        if (got < 0)
            return fail_read(error);
        if (got == 0)
            return CLI_DONE;
        if (!tally_file_write(file, block, (size_t)got))
            return cli_fail(error, "comes through a pipe, and cannot be kept in a file: %s",
                            strerror(errno));
    }
}

/* Have a file of all that comes through a pipe in the place of the pipe. */
static int replace_pipe(tally_file *file, cli_error *error) {
    const tally_file pipe = *file;
    char folder[TALLY_PATH_BYTES];
    const tally_file kept = tally_temporary_file(folder);
    if (kept == TALLY_NO_FILE)
        return cli_fail(error, "comes through a pipe, and %s has no room for it: %s", folder,
                        strerror(errno));
    tally_file_wait(pipe);
    const int status = copy_pipe(pipe, kept, error);
    tally_file_close(pipe);
    *file = kept;
    return status;
}

/* ---- Files --------------------------------------------------------------------------------- */

/* Map that file, which becomes another one if it is a pipe. */
static int map_file(input_file *input, tally_file *file, cli_error *error) {
    tally_file_facts about;
    if (!tally_file_look(*file, &about))
        return fail_read(error);
    if (about.kind == TALLY_FILE_PIPE) {
        const int status = replace_pipe(file, error);
        if (status != CLI_DONE)
            return status;
        if (!tally_file_look(*file, &about))
            return fail_read(error);
    }
    if (about.kind == TALLY_FILE_FOLDER)
        return cli_fail(error, "is a directory, not a .npy file");
    if (about.kind != TALLY_FILE_PLAIN)
        return cli_fail(error, "is neither a file nor a pipe");
    if (about.bytes == 0)
        return cli_fail(error, "is empty");
    if (about.bytes > SIZE_MAX)
        return cli_fail(error, "is too large for this system's address space");
    input->map = tally_file_map(*file, (size_t)about.bytes);
    if (input->map == NULL)
        return cli_fail(error, "cannot be mapped: %s", strerror(errno));
    input->map_bytes = (size_t)about.bytes;
    return CLI_DONE;
}

int input_open(input_file *input, const char *path, cli_error *error) {
    const bool standard = strcmp(path, "-") == 0;
    memset(input, 0, sizeof *input);
    input->path = standard ? "standard input" : path;
    tally_file file = standard ? tally_stream_open(TALLY_STANDARD_INPUT) : tally_path_open(path);
    int status = file != TALLY_NO_FILE ? map_file(input, &file, error)
                                       : cli_fail(error, "cannot be opened: %s", strerror(errno));
    input->file = file;
    if (status == CLI_DONE)
        status = npy_parse(input->map, input->map_bytes, &input->array, error);
    if (status == CLI_DONE)
        return CLI_DONE;
    const char *name = input->path;
    input_close(input);
    return cli_error_prefix(error, name, status);
}

int input_read(const input_file *input, uint64_t offset, void *bytes, size_t count,
               cli_error *error) {
    for (char *next = bytes; count > 0;) {
        const ptrdiff_t got = tally_file_read_at(input->file, offset, next, count);
        if (got < 0)
            return fail_read(error);
        if (got == 0)
            return cli_fail(error, "cannot be read: it has become shorter");
        next += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return CLI_DONE;
}

void input_close(input_file *input) {
    if (input->map != NULL)
        tally_file_unmap(input->map, input->map_bytes);
    if (input->path != NULL && input->file != TALLY_NO_FILE)
        tally_file_close(input->file);
    memset(input, 0, sizeof *input);
}
