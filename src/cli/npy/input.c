/*
 * An input file: mapped rather than read, so that its pages go to the device without a copy in
 * between, or are the device's memory themselves. Knows files and the .npy format, no OpenCL.
 */
#include "cli/npy/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/copy.h"
#include "cli/npy/kept.h"
#include "cli/npy/npz.h"
#include "platform/program.h"

/* ---- Files --------------------------------------------------------------------------------- */

static int fail_read(cli_error *error) {
    return cli_fail(error, "cannot be read: %s", strerror(errno));
}

/* Map the file of input->file. */
static int map_file(input_file *input, cli_error *error) {
    tally_file_facts about;
    if (!tally_file_look(input->file, &about))
        return fail_read(error);
    if (about.kind == TALLY_FILE_FOLDER)
        return cli_fail(error, "is a directory, not a .npy file");
    if (about.kind != TALLY_FILE_PLAIN)
        return cli_fail(error, "is neither a file nor a pipe");
    if (about.bytes == 0)
        return cli_fail(error, "is empty");
    if (about.bytes > SIZE_MAX)
        return cli_fail(error, "is too large for this system's address space");
    input->map = tally_file_map(input->file, (size_t)about.bytes);
    if (input->map == NULL)
        return cli_fail(error, "cannot be mapped: %s", strerror(errno));
    input->map_bytes = (size_t)about.bytes;
    return CLI_DONE;
}

static void unmap_file(input_file *input) {
    if (input->map != NULL)
        tally_file_unmap(input->map, input->map_bytes);
    if (input->file != TALLY_NO_FILE)
        tally_file_close(input->file);
    input->map = NULL;
    input->file = TALLY_NO_FILE;
}

/* Have a file that was kept in the place of what it was made of. */
static int replace_file(input_file *input, tally_file kept, cli_error *error) {
    unmap_file(input);
    input->file = kept;
    return map_file(input, error);
}

/* Open and map; what comes through a pipe is kept first. NULL: standard input. */
static int open_file(input_file *input, const char *path, cli_error *error) {
    tally_file_facts about;
    tally_file kept;
    input->file = path == NULL ? tally_stream_open(TALLY_STANDARD_INPUT)
                               : tally_open(TALLY_NO_FOLDER, path, TALLY_TO_READ);
    if (input->file == TALLY_NO_FILE)
        return cli_fail(error, "cannot be opened: %s", strerror(errno));
    if (!tally_file_look(input->file, &about))
        return fail_read(error);
    if (about.kind != TALLY_FILE_PIPE)
        return map_file(input, error);
    int status = kept_pipe(input->file, &kept, error);
    return status == CLI_DONE ? replace_file(input, kept, error) : status;
}

/* ---- Arrays -------------------------------------------------------------------------------- */

size_t input_archive_length(const char *path) {
    static const char mark[] = ".npz:";
    const char *found = strstr(path, mark);
    tally_file_facts about;
    return found != NULL && !tally_look(TALLY_NO_FOLDER, path, TALLY_FOLLOW_LINKS, &about)
               ? (size_t)(found - path) + strlen(mark) - 1
               : strlen(path);
}

/* The header of a stored member, which is used where it lies. */
static int parse_stored(input_file *input, const zip_member *member, cli_error *error) {
    int status = npz_unpack(input->map, member, TALLY_NO_FILE, error);
    if (status == CLI_DONE)
        status = npy_parse((const char *)input->map + member->offset, member->bytes, &input->array,
                           error);
    input->array.data_offset += member->offset;
    return status;
}

/* The array of a member of an archive. */
static int open_member(input_file *input, const char *name, cli_error *error) {
    zip_member member;
    tally_file kept;
    int status = npz_find(input->map, input->map_bytes, name, &member, error);
    if (status != CLI_DONE)
        return status;
    if (member.method == ZIP_STORED)
        return parse_stored(input, &member, error);
    status = kept_member(input->map, &member, &kept, error);
    if (status == CLI_DONE)
        status = replace_file(input, kept, error);
    return status == CLI_DONE ? npy_parse(input->map, input->map_bytes, &input->array, error)
                              : status;
}

static int open_array(input_file *input, const char *name, cli_error *error) {
    if (zip_begins(input->map, input->map_bytes))
        return open_member(input, name, error);
    if (name != NULL)
        return cli_fail(error, "is no .npz file, so it has no array '%s'", name);
    return npy_parse(input->map, input->map_bytes, &input->array, error);
}

/* Have the elements as a device takes them. */
static int convert(input_file *input, bool counts, cli_error *error) {
    npy_array *array = &input->array;
    tally_file kept;
    if (!array->swapped && !(array->boolean && counts))
        return CLI_DONE;
    int status = kept_elements((const char *)input->map + array->data_offset, array, &kept, error);
    if (status != CLI_DONE)
        return status;
    if (array->data_bytes > 0)
        return replace_file(input, kept, error);
    tally_file_close(kept); /* nothing can be mapped, and nothing is read */
    return CLI_DONE;
}

int input_open(input_file *input, const char *path, bool counts, cli_error *error) {
    const bool standard = strcmp(path, "-") == 0;
    const size_t length = input_archive_length(path);
    memset(input, 0, sizeof *input);
    input->path = standard ? "standard input" : path;
    input->file = TALLY_NO_FILE;
    char *file = cli_join(path, length, "");
    int status = file != NULL ? open_file(input, standard ? NULL : file, error)
                              : cli_fail_memory(error, "a path");
    free(file);
    if (status == CLI_DONE)
        status = open_array(input, path[length] == ':' ? path + length + 1 : NULL, error);
    if (status == CLI_DONE)
        status = convert(input, counts, error);
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
    if (input->path != NULL)
        unmap_file(input);
    memset(input, 0, sizeof *input);
}
