/*
 * world.h: the ranks that a test runs on, with the fixture's device. Verdicts are collective: a
 * test fails on all ranks, with the sentence of the lowest that has something to say.
 */
#ifndef TESTS_MPI_WORLD_H
#define TESTS_MPI_WORLD_H

#include <tally/mpi.h>

typedef struct world {
    int rank, ranks;
    tally_mpi *mpi;
} world;

/* Made at the first use, by all ranks together. */
const world *world_get(void);
void world_close(void);

/* Collective: fail the running test on all ranks unless all say yes. */
void world_check(bool yes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Collective: fail it unless the call came back with TALLY_OK on all ranks. */
void world_ok(tally_status status, const tally_error *error, const char *what);

/*
 * Collective: fail it unless the call came back with this status on all ranks, with one sentence,
 * which says this.
 */
void world_refused(tally_status wanted, const char *says, tally_status status,
                   const tally_error *error);

#endif
