/*
 * Ranks of the program together. The library agrees on its own errors; here the program's sentences
 * go the same way.
 */
#include "cli_mpi/together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int together_check(tally_status status, const tally_error *refusal, cli_error *error) {
    return status == TALLY_OK ? CLI_DONE : cli_fail(error, "%s", refusal->message);
}

int together_agree(int status, cli_error *error) {
    tally_error shared = TALLY_ERROR_INIT;
    if (status != CLI_DONE) {
        shared.status = TALLY_INVALID;
        shared.cl_code = status; /* how the program ends, for all ranks */
        snprintf(shared.message, sizeof shared.message, "%.*s", (int)sizeof shared.message - 1,
                 error->text);
    }
    if (tally_mpi_agree(MPI_COMM_WORLD, &shared) == TALLY_OK)
        return CLI_DONE;
    cli_fail(error, "%s", shared.message);
    return shared.cl_code == CLI_MISUSED ? CLI_MISUSED : CLI_FAILED;
}

int together_compare(int status, const void *bytes, size_t count, const char *what,
                     cli_error *error) {
    unsigned char *first = malloc(count);
    if (first == NULL && status == CLI_DONE)
        status = cli_fail_memory(error, "what ranks compare");
    status = together_agree(status, error);
    if (status == CLI_DONE && first != NULL) {
        memcpy(first, bytes, count);
        MPI_Bcast(first, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (memcmp(first, bytes, count) != 0)
            status = cli_fail(error, "it sees another %s than rank 0", what);
        status = together_agree(status, error);
    }
    free(first);
    return status;
}
