/*
 * An input file: mapped rather than read, so that its pages go to the device without a copy in
 * between, or are the device's memory themselves. Knows files and the .npy format, no OpenCL.
 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "cli/npy/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/npy/write.h"

/* ---- Pipes --------------------------------------------------------------------------------- */

/* A file without a name, in the folder that the user has for such. It ends with the program. */
static int make_temporary(cli_error *error) {
    const char *folder = getenv("TMPDIR");
    char name[4096];
    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    const int length = snprintf(name, sizeof name, "%s/tally-XXXXXX", folder);
    const int file = length < (int)sizeof name ? mkstemp(name) : -1;
    if (file < 0) {
        cli_fail(error, "comes through a pipe, and %s has no room for it: %s", folder,
                 length < (int)sizeof name ? strerror(errno) : "its name is too long");
        return -1;
    }
    unlink(name);
    (void)fcntl(file, F_SETFD, FD_CLOEXEC);
    return file;
}

static int copy_pipe(int pipe, int file, cli_error *error) {
    static char block[1 << 16];
    for (;;) {
        const ssize_t got = read(pipe, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_fail(error, "cannot be read: %s", strerror(errno));
        if (got == 0)
            return CLI_DONE;
        if (!write_all(file, block, (size_t)got))
            return cli_fail(error, "comes through a pipe, and cannot be kept in a file: %s",
                            strerror(errno));
    }
}

/* Have a file of all that comes through a pipe in the place of the pipe. */
static int replace_pipe(int *file, cli_error *error) {
    const int pipe = *file, flags = fcntl(pipe, F_GETFL);
    const int kept = make_temporary(error);
    if (kept < 0)
        return CLI_FAILED;
    (void)fcntl(pipe, F_SETFL, flags & ~O_NONBLOCK);
    const int status = copy_pipe(pipe, kept, error);
    close(pipe);
    *file = kept;
    return status;
}

/* ---- Files --------------------------------------------------------------------------------- */

/* Map the file of that descriptor, which becomes another one if it is a pipe's. */
static int map_file(input_file *input, int *descriptor, cli_error *error) {
    struct stat about;
    if (fstat(*descriptor, &about) != 0)
        return cli_fail(error, "cannot be read: %s", strerror(errno));
    if (S_ISFIFO(about.st_mode)) {
        const int status = replace_pipe(descriptor, error);
        if (status != CLI_DONE)
            return status;
        if (fstat(*descriptor, &about) != 0)
            return cli_fail(error, "cannot be read: %s", strerror(errno));
    }
    const int file = *descriptor;
    if (S_ISDIR(about.st_mode))
        return cli_fail(error, "is a directory, not a .npy file");
    if (!S_ISREG(about.st_mode))
        return cli_fail(error, "is neither a file nor a pipe");
    if (about.st_size == 0)
        return cli_fail(error, "is empty");
    if ((uintmax_t)about.st_size > SIZE_MAX)
        return cli_fail(error, "is too large for this system's address space");
    size_t bytes = (size_t)about.st_size;
    void *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED)
        return cli_fail(error, "cannot be mapped: %s", strerror(errno));
    input->map = map;
    input->map_bytes = bytes;
    return CLI_DONE;
}

int input_open(input_file *input, const char *path, cli_error *error) {
    const bool standard = strcmp(path, "-") == 0;
    memset(input, 0, sizeof *input);
    input->path = standard ? "standard input" : path;
    /* Non-blocking, so that a pipe without a writer is empty, rather than waited for. */
    int file = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int status = file >= 0 ? map_file(input, &file, error)
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
        const ssize_t got = pread(input->file, next, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return cli_fail(error, "cannot be read: %s",
                            got < 0 ? strerror(errno) : "it has become shorter");
        next += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return CLI_DONE;
}

void input_close(input_file *input) {
    if (input->map != NULL)
        munmap(input->map, input->map_bytes);
    if (input->path != NULL && input->file >= 0)
        close(input->file);
    memset(input, 0, sizeof *input);
}
