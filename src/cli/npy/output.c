/*
 * An output file that appears whole or not at all: a temporary file next to it, renamed at the end
 * and removed on failure. Knows files, not what is in them.
 */
#include "cli/npy/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/copy.h"
#include "platform/program.h"

/* ---- Opening ------------------------------------------------------------------------------- */

static int refuse(const output_file *output, const char *why, cli_error *error) {
    cli_fail(error, "cannot be written: %s", why);
    return cli_error_prefix(error, output->path, CLI_FAILED);
}

static int fail_write(const output_file *output, cli_error *error) {
    return refuse(output, strerror(errno), error);
}

static int open_temporary(output_file *output, cli_error *error) {
    errno = temporary_make(&output->temporary, output->target);
    if (errno != 0)
        return fail_write(output, error);
    output->file = output->temporary.file;
    return CLI_DONE;
}

/* It takes bytes and keeps none. */
static bool is_direct(const tally_file_facts *about) {
    return about->kind == TALLY_FILE_CHARACTERS || about->kind == TALLY_FILE_PIPE;
}

/* Standard output, as it is: a pipe, or a file that somebody else has opened. */
static int open_standard(output_file *output, cli_error *error) {
    output->path = "standard output";
    output->target = cli_copy(output->path);
    if (output->target == NULL)
        return cli_fail_memory(error, "a file name");
    if (tally_is_terminal(TALLY_STANDARD_OUTPUT))
        return refuse(output, "it is a terminal", error);
    output->file = tally_stream_open(TALLY_STANDARD_OUTPUT);
    return output->file != TALLY_NO_FILE ? CLI_DONE : fail_write(output, error);
}

/* What is there may be written over, and how: through a temporary file or directly. */
static int open_existing(output_file *output, const tally_file_facts *about, cli_error *error) {
    if (about->kind == TALLY_FILE_FOLDER)
        return refuse(output, "it is a directory", error);
    if (is_direct(about)) {
        output->file = tally_open(TALLY_NO_FOLDER, output->path, TALLY_TO_WRITE);
        return output->file != TALLY_NO_FILE ? CLI_DONE : fail_write(output, error);
    }
    if (about->kind != TALLY_FILE_PLAIN)
        return refuse(output, "it is neither a file nor a pipe", error);
    if (!tally_path_is_writable(output->path, about->kind))
        return fail_write(output, error);
    int status = open_temporary(output, error);
    if (status == CLI_DONE && !tally_file_permit(output->file, about->permissions))
        status = fail_write(output, error);
    return status;
}

int output_open(output_file *output, const char *path, cli_error *error) {
    tally_file_facts about;
    memset(output, 0, sizeof *output);
    output->path = path;
    output->file = TALLY_NO_FILE;
    tally_fail_without_signal();
    const bool standard = strcmp(path, "-") == 0,
               exists = !standard && tally_look(TALLY_NO_FOLDER, path, TALLY_FOLLOW_LINKS, &about);
    if (!standard && !exists && errno != ENOENT)
        return fail_write(output, error);
    if (!standard) { /* what a pipe's name leads to is none */
        output->target = exists && !is_direct(&about) ? tally_path_resolve(path) : cli_copy(path);
        if (output->target == NULL)
            return fail_write(output, error);
    }
    int status = standard ? open_standard(output, error)
                 : exists ? open_existing(output, &about, error)
                          : open_temporary(output, error);
    if (status != CLI_DONE)
        output_discard(output);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------- */

int output_write(output_file *output, const void *bytes, size_t count, cli_error *error) {
    return tally_file_write(output->file, bytes, count) ? CLI_DONE : fail_write(output, error);
}

int output_write_at(output_file *output, uint64_t offset, const void *bytes, size_t count,
                    cli_error *error) {
    if (output->temporary.path == NULL) {
        if (offset != output->written)
            return refuse(output, "it is no file, and the result comes in another order", error);
        output->written += count;
        return output_write(output, bytes, count, error);
    }
    return tally_file_write_at(output->file, offset, bytes, count) ? CLI_DONE
                                                                   : fail_write(output, error);
}

int output_commit(output_file *output, cli_error *error) {
    if (output->temporary.path != NULL)
        errno = temporary_place(&output->temporary, output->target);
    else
        errno = tally_file_close(output->file) ? 0 : errno;
    output->file = TALLY_NO_FILE;
    int status = errno == 0 ? CLI_DONE : fail_write(output, error);
    output_discard(output);
    return status;
}

void output_discard(output_file *output) {
    if (output->target == NULL)
        return;
    if (output->temporary.path != NULL)
        temporary_remove(&output->temporary);
    else if (output->file != TALLY_NO_FILE)
        tally_file_close(output->file);
    free(output->target);
    memset(output, 0, sizeof *output);
}
