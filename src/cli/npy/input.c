/*
 * An input file: mapped rather than read, so that its pages go to the device without a copy in
 * between, or are the device's memory themselves. Knows files and the .npy format, no OpenCL.
 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "cli/npy/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Map the file of that descriptor. */
static int map_file(input_file *input, int file, cli_error *error) {
    struct stat about;
    if (fstat(file, &about) != 0)
        return cli_fail(error, "cannot be read: %s", strerror(errno));
    if (S_ISDIR(about.st_mode))
        return cli_fail(error, "is a directory, not a .npy file");
    if (!S_ISREG(about.st_mode))
        return cli_fail(error, "is not a regular file, so it cannot be mapped");
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
    memset(input, 0, sizeof *input);
    input->path = path;
    /* Non-blocking, so that a pipe without a writer is refused rather than waited for. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int status = file >= 0 ? map_file(input, file, error)
                           : cli_fail(error, "cannot be opened: %s", strerror(errno));
    input->file = file;
    if (status == CLI_DONE)
        status = npy_parse(input->map, input->map_bytes, &input->array, error);
    if (status == CLI_DONE)
        return CLI_DONE;
    input_close(input);
    return cli_error_prefix(error, path, status);
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
