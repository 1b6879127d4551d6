/*
 * An output file that appears whole or not at all: a temporary file next to it, renamed at the end
 * and removed on failure. Knows files, not what is in them.
 */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "cli/npy/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/npy/write.h"

/* ---- Opening ------------------------------------------------------------------------------- */

/* These two would end the program where a write can say what is wrong. */
static void ignore_signals(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static int fail_write(const output_file *output, cli_error *error) {
    cli_fail(error, "cannot be written: %s", strerror(errno));
    return cli_error_prefix(error, output->path, CLI_FAILED);
}

static int refuse(const output_file *output, const char *why, cli_error *error) {
    cli_fail(error, "cannot be written: %s", why);
    return cli_error_prefix(error, output->path, CLI_FAILED);
}

static int open_temporary(output_file *output, cli_error *error) {
    errno = temporary_make(&output->temporary, output->target);
    if (errno != 0)
        return fail_write(output, error);
    output->file = output->temporary.file;
    return CLI_DONE;
}

/* It takes bytes and keeps none. */
static bool is_direct(const struct stat *about) {
    return S_ISCHR(about->st_mode) || S_ISFIFO(about->st_mode);
}

/* Standard output, as it is: a pipe, or a file that somebody else has opened. */
static int open_standard(output_file *output, cli_error *error) {
    output->path = "standard output";
    output->target = strdup(output->path);
    if (output->target == NULL)
        return cli_fail_memory(error, "a file name");
    if (isatty(STDOUT_FILENO))
        return refuse(output, "it is a terminal", error);
    output->file = dup(STDOUT_FILENO);
    return output->file >= 0 ? CLI_DONE : fail_write(output, error);
}

/* What is there may be written over, and how: through a temporary file or directly. */
static int open_existing(output_file *output, const struct stat *about, cli_error *error) {
    if (S_ISDIR(about->st_mode))
        return refuse(output, "it is a directory", error);
    if (is_direct(about)) {
        output->file = open(output->path, O_WRONLY | O_CLOEXEC);
        return output->file >= 0 ? CLI_DONE : fail_write(output, error);
    }
    if (!S_ISREG(about->st_mode))
        return refuse(output, "it is neither a file nor a pipe", error);
    if (access(output->path, W_OK) != 0)
        return fail_write(output, error);
    int status = open_temporary(output, error);
    if (status == CLI_DONE && fchmod(output->file, about->st_mode & 0777) != 0)
        status = fail_write(output, error);
    return status;
}

int output_open(output_file *output, const char *path, cli_error *error) {
    struct stat about;
    memset(output, 0, sizeof *output);
    output->path = path;
    output->file = -1;
    ignore_signals();
    const bool standard = strcmp(path, "-") == 0, exists = !standard && stat(path, &about) == 0;
    if (!standard && !exists && errno != ENOENT)
        return fail_write(output, error);
    if (!standard) { /* what a pipe's name leads to is none */
        output->target = exists && !is_direct(&about) ? realpath(path, NULL) : strdup(path);
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
    return write_all(output->file, bytes, count) ? CLI_DONE : fail_write(output, error);
}

int output_write_at(output_file *output, uint64_t offset, const void *bytes, size_t count,
                    cli_error *error) {
    if (output->temporary.path == NULL) {
        if (offset != output->written)
            return refuse(output, "it is no file, and the result comes in another order", error);
        output->written += count;
        return output_write(output, bytes, count, error);
    }
    for (const char *next = bytes; count > 0;) {
        const ssize_t written = pwrite(output->file, next, count, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_write(output, error);
        next += written;
        offset += (uint64_t)written;
        count -= (size_t)written;
    }
    return CLI_DONE;
}

int output_commit(output_file *output, cli_error *error) {
    if (output->temporary.path != NULL)
        errno = temporary_place(&output->temporary, output->target);
    else
        errno = close(output->file) == 0 ? 0 : errno;
    output->file = -1;
    int status = errno == 0 ? CLI_DONE : fail_write(output, error);
    output_discard(output);
    return status;
}

void output_discard(output_file *output) {
    if (output->target == NULL)
        return;
    if (output->temporary.path != NULL)
        temporary_remove(&output->temporary);
    else if (output->file >= 0)
        close(output->file);
    free(output->target);
    memset(output, 0, sizeof *output);
}
