#include "mpi/world.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/fixture.h"

static world shared;

const world *world_get(void) {
    tally_error error;
    if (shared.mpi != NULL)
        return &shared;
    MPI_Comm_rank(MPI_COMM_WORLD, &shared.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &shared.ranks);
    const tally_status status = tally_mpi_create(MPI_COMM_WORLD, fixture_get()->runtime,
                                                 fixture_get()->queue, &shared.mpi, &error);
    world_ok(status, &error, "tally_mpi_create");
    return &shared;
}

void world_close(void) {
    tally_mpi_release(shared.mpi);
    shared.mpi = NULL;
    fixture_close();
}

/* The sentence of the lowest rank that has one; "": none has. */
static void share(char *sentence, size_t bytes) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int lowest = sentence[0] != '\0' ? rank : ranks;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (lowest < ranks)
        MPI_Bcast(sentence, (int)bytes, MPI_CHAR, lowest, MPI_COMM_WORLD);
}

void world_check(bool yes, const char *format, ...) {
    char sentence[2000] = "";
    va_list arguments;
    va_start(arguments, format);
    if (!yes)
        vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    share(sentence, sizeof sentence);
    if (sentence[0] != '\0')
        ck_abort_msg("%s", sentence);
}

void world_ok(tally_status status, const tally_error *error, const char *what) {
    world_check(status == TALLY_OK, "%s failed with status %s: %s", what, tally_status_name(status),
                error->message);
}

void world_refused(tally_status wanted, const char *says, tally_status status,
                   const tally_error *error) {
    tally_error first = *error;
    MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    world_check(status == wanted && error->status == status && strstr(error->message, says) != NULL,
                "status %s, not %s, and the sentence \"%s\", which has to say \"%s\"",
                tally_status_name(status), tally_status_name(wanted), error->message, says);
    world_check(strcmp(first.message, error->message) == 0,
                "a rank says \"%s\", but rank 0 says \"%s\"", error->message, first.message);
}
