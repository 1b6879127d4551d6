/*
 * What ranks do together: agree whether each has succeeded, and compare what each has read. Knows
 * MPI and the program's errors, no files.
 */
#ifndef TALLY_CLI_MPI_TOGETHER_H
#define TALLY_CLI_MPI_TOGETHER_H

#include <tally/mpi.h>

#include "cli/error.h"

/*
 * Collective. CLI_DONE if all ranks bring CLI_DONE; else the lowest failed rank's status, and its
 * sentence in *error, on all ranks.
 */
int together_agree(int status, cli_error *error);

/* Collective: agree, and then fail unless these bytes of all ranks are rank 0's. */
int together_compare(int status, const void *bytes, size_t count, const char *what,
                     cli_error *error);

/* CLI_DONE, or the library's failure. */
int together_check(tally_status status, const tally_error *refusal, cli_error *error);

#endif
