/*
 * Files without a name that stand for inputs which cannot be used as they lie: what comes through a
 * pipe, what is packed, and elements of another form. Each function makes one and sets *file; on
 * failure there is none.
 */
#ifndef TALLY_CLI_NPY_KEPT_H
#define TALLY_CLI_NPY_KEPT_H

#include "cli/npy/array.h"
#include "cli/npy/zip.h"
#include "platform/files.h"

/* All that comes through a pipe, which stays open. */
int kept_pipe(tally_file pipe, tally_file *file, cli_error *error);

/* A deflated member of the archive at bytes. */
int kept_member(const void *bytes, const zip_member *member, tally_file *file, cli_error *error);

/*
 * The elements at data: in the host's byte order if they are swapped, booleans as numbers of 64
 * bits. *array becomes what the file has, from its start on.
 */
int kept_elements(const void *data, npy_array *array, tally_file *file, cli_error *error);

#endif
