/*
 * An output file that appears whole or not at all: a temporary file next to it, renamed at the end
 * and removed on failure, by a signal too. Knows files, not what is in them.
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

#define ATTEMPTS 100 /* at a name that no file has yet */

/* ---- Signals ------------------------------------------------------------------------------- */

/* What a signal has to remove. The program's only global: a handler gets no other argument. */
static char *volatile unfinished;

static void remove_unfinished(int number) {
    char *path = unfinished;
    if (path != NULL)
        unlink(path);
    raise(number); /* its action is the default again, SA_RESETHAND */
}

static void watch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, watch;
    memset(&watch, 0, sizeof watch);
    watch.sa_handler = remove_unfinished;
    watch.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&watch.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(numbers[i], &watch, NULL);
    /* These two would end the program where a write can say what is wrong. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* ---- Opening ------------------------------------------------------------------------------- */

static int fail_write(const output_file *output, cli_error *error) {
    cli_fail(error, "cannot be written: %s", strerror(errno));
    return cli_error_prefix(error, output->path, CLI_FAILED);
}

static int refuse(const output_file *output, const char *why, cli_error *error) {
    cli_fail(error, "cannot be written: %s", why);
    return cli_error_prefix(error, output->path, CLI_FAILED);
}

/* A name next to the target, in *temporary. The name is short: the target's may be the longest. */
static int name_temporary(output_file *output, unsigned attempt, cli_error *error) {
    const char *slash = strrchr(output->target, '/');
    size_t folder = slash != NULL ? (size_t)(slash - output->target) + 1 : 0;
    size_t room = folder + 64;
    char *name = realloc(output->temporary, room);
    if (name == NULL)
        return cli_fail_memory(error, "a file name");
    snprintf(name, room, "%.*s.tally-%ld-%u.tmp", (int)folder, output->target, (long)getpid(),
             attempt);
    output->temporary = name;
    return CLI_DONE;
}

static int open_temporary(output_file *output, cli_error *error) {
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        int status = name_temporary(output, attempt, error);
        if (status != CLI_DONE)
            return status;
        /* Named before it is there: a signal may come, to another thread too, as soon as it is. */
        unfinished = output->temporary;
        output->file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->file >= 0)
            return CLI_DONE;
        unfinished = NULL;
        if (errno != EEXIST)
            break;
    }
    fail_write(output, error);
    free(output->temporary); /* there is none to remove */
    output->temporary = NULL;
    return CLI_FAILED;
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
    watch_signals();
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
    if (output->temporary == NULL) {
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
    int status = CLI_DONE;
    int file = output->file;
    output->file = -1;
    if (close(file) != 0) /* some file systems say only now that they are full */
        status = fail_write(output, error);
    if (status == CLI_DONE && output->temporary != NULL) {
        if (rename(output->temporary, output->target) != 0) {
            status = fail_write(output, error);
        } else {
            unfinished = NULL;
            free(output->temporary);
            output->temporary = NULL;
        }
    }
    output_discard(output);
    return status;
}

void output_discard(output_file *output) {
    if (output->target == NULL)
        return;
    if (output->file >= 0)
        close(output->file);
    if (output->temporary != NULL)
        unlink(output->temporary);
    unfinished = NULL;
    free(output->temporary);
    free(output->target);
    memset(output, 0, sizeof *output);
}
