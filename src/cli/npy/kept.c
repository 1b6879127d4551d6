/*
 * Files without a name that stand for inputs which cannot be used as they lie. They pass through a
 * block of memory, however large they are.
 */
#include "cli/npy/kept.h"

#include <errno.h>
#include <string.h>

#include "cli/npy/npz.h"
#include "cli/tables/types.h"
#include "platform/program.h"

#define BLOCK ((size_t)1 << 16)

/* why: the reason for the file, such as "comes through a pipe". */
static int make_room(const char *why, tally_file *file, cli_error *error) {
    char folder[TALLY_PATH_BYTES];
    *file = tally_temporary_file(folder);
    if (*file != TALLY_NO_FILE)
        return CLI_DONE;
    return cli_fail(error, "%s, and %s has no room for it: %s", why, folder, strerror(errno));
}

static int end(int status, tally_file *file) {
    if (status != CLI_DONE) {
        tally_file_close(*file);
        *file = TALLY_NO_FILE;
    }
    return status;
}

/* ---- Pipes --------------------------------------------------------------------------------- */

static int copy_pipe(tally_file pipe, tally_file file, cli_error *error) {
    static char block[BLOCK];
    for (;;) {
        const ptrdiff_t got = tally_file_read(pipe, block, sizeof block);
        if (got < 0)
            return cli_fail(error, "cannot be read: %s", strerror(errno));
        if (got == 0)
            return CLI_DONE;
        if (!tally_file_write(file, block, (size_t)got))
            return cli_fail(error, "comes through a pipe, and cannot be kept in a file: %s",
                            strerror(errno));
    }
}

int kept_pipe(tally_file pipe, tally_file *file, cli_error *error) {
    if (make_room("comes through a pipe", file, error) != CLI_DONE)
        return CLI_FAILED;
    tally_file_wait(pipe);
    return end(copy_pipe(pipe, *file, error), file);
}

/* ---- Members ------------------------------------------------------------------------------- */

int kept_member(const void *bytes, const zip_member *member, tally_file *file, cli_error *error) {
    if (make_room("is packed", file, error) != CLI_DONE)
        return CLI_FAILED;
    return end(npz_unpack(bytes, member, *file, error), file);
}

/* ---- Elements ------------------------------------------------------------------------------ */

/* Write count elements of so many bytes with their bytes turned round. */
static size_t swap(const unsigned char *from, size_t count, uint32_t width, unsigned char *to) {
    for (size_t i = 0; i < count * width; i++)
        to[i] = from[i - i % width + (width - 1 - i % width)];
    return count * width;
}

/* Booleans as little-endian numbers of so many bytes. */
static size_t widen(const unsigned char *from, size_t count, uint32_t width, unsigned char *to) {
    memset(to, 0, count * width);
    for (size_t i = 0; i < count; i++)
        to[i * width] = from[i] != 0;
    return count * width;
}

int kept_elements(const void *data, npy_array *array, tally_file *file, cli_error *error) {
    static unsigned char block[BLOCK];
    const unsigned char *from = data;
    const uint32_t in = cli_type_bytes(array->dtype);
    if (!array->swapped)
        array->dtype = TALLY_I64; /* as NumPy counts them */
    const uint32_t out = cli_type_bytes(array->dtype);
    const uint64_t count = array->data_bytes / in;
    if (count > (uint64_t)INT64_MAX / out)
        return cli_fail(error, "has too many booleans to count");
    if (make_room("is converted", file, error) != CLI_DONE)
        return CLI_FAILED;
    int status = CLI_DONE;
    for (uint64_t done = 0; done < count && status == CLI_DONE;) {
        const uint64_t left = count - done, most = BLOCK / out;
        const size_t part = (size_t)(left < most ? left : most);
        const size_t bytes = (array->swapped ? swap : widen)(from + done * in, part, out, block);
        if (!tally_file_write(*file, block, bytes))
            status =
                cli_fail(error, "is converted, and cannot be kept in a file: %s", strerror(errno));
        done += part;
    }
    array->data_offset = 0;
    array->data_bytes = count * out;
    array->swapped = array->boolean = false;
    return end(status, file);
}
