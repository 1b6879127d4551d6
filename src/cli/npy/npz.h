/*
 * The arrays of a .npz file. Knows zip archives and unpacks them; needs zlib, without which it
 * refuses all.
 */
#ifndef TALLY_CLI_NPY_NPZ_H
#define TALLY_CLI_NPY_NPZ_H

#include "cli/npy/zip.h"
#include "platform/files.h"

/*
 * The member that has the array of a name, without its ".npy"; NULL: the only one. The sentence of
 * a wrong name lists what there is.
 */
int npz_find(const void *bytes, uint64_t length, const char *name, zip_member *member,
             cli_error *error);

/*
 * Unpack a deflated member into the file, or read a stored one, of which nothing is written; hold
 * its bytes against its size and its checksum.
 */
int npz_unpack(const void *bytes, const zip_member *member, tally_file file, cli_error *error);

#endif
