/*
 * The directory of a zip archive, as .npz files are: which members it has and where their bytes
 * lie. Pure: it sees memory, no files, and unpacks nothing.
 */
#ifndef TALLY_CLI_NPY_ZIP_H
#define TALLY_CLI_NPY_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/error.h"

/* How a member's bytes are kept; the format has others. */
enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

typedef struct zip_member {
    const char *name; /* in the archive, without an end */
    size_t name_length;
    unsigned method;
    uint32_t crc;
    uint64_t offset; /* of the packed bytes, from the archive's start; all of them are there */
    uint64_t packed, bytes;
} zip_member;

typedef struct zip_archive {
    const unsigned char *bytes;
    uint64_t length;
    uint64_t next, end; /* of the directory, what is not read yet */
    uint64_t count;     /* of its members, likewise */
} zip_archive;

/* Whether bytes begin as an archive does. */
bool zip_begins(const void *bytes, uint64_t length);

/* Find the directory. Refuses, with a sentence to be put behind the file's name, what has none. */
int zip_open(const void *bytes, uint64_t length, zip_archive *archive, cli_error *error);

/* The next member, while archive->count is not 0. Refuses what the archive has no room for. */
int zip_next(zip_archive *archive, zip_member *member, cli_error *error);

#endif
