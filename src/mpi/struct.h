/*
 * Structs of other versions of this library, by the rules of tally/types.h: "How structs grow".
 */
#ifndef TALLY_MPI_STRUCT_H
#define TALLY_MPI_STRUCT_H

#include "mpi/fail.h"

/* Copy a caller's struct; what it does not have is 0. */
tally_status struct_take(const void *given, void *known, uint32_t bytes, const char *name,
                         tally_error *error);

/* Fill a caller's struct but for its struct_size. */
tally_status struct_give(const void *known, uint32_t bytes, void *answer, const char *name,
                         tally_error *error);

#endif
