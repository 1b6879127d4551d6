/*
 * Queries on the table of functions. Knows functions and types, no tensors.
 */
#ifndef TALLY_MODEL_MONOID_H
#define TALLY_MODEL_MONOID_H

#include "base/status.h"

typedef enum tally_state {
    TALLY_STATE_VALUE = 1,
    TALLY_STATE_KEY,
    TALLY_STATE_INDEXED,
    TALLY_STATE_SHIFTED
} tally_state;

/* A row of monoid.def, whose head explains the columns. */
typedef struct tally_monoid {
    const char *name; /* lower case */
    uint32_t types;   /* a set of TALLY_BIT(dtype): the legal input types */
    tally_state state;
    bool scans;
    const char *identity;
    const char *empty;
    const char *map;
    const char *combine;
    const char *finalize;
} tally_monoid;

/* NULL if function is not one of the functions. */
const tally_monoid *tally_monoid_find(tally_function function);

/* Bytes of a state, for indices of so many bytes. */
uint32_t tally_monoid_state_bytes(tally_function function, tally_dtype input, uint32_t index_bytes);

/* Combining does not round: in whatever order, it gives the same bits. */
bool tally_monoid_is_exact(tally_function function, tally_dtype input);

/* Whether function takes input and gives output; a sentence if not. */
tally_status tally_monoid_check_types(tally_function function, tally_dtype input,
                                      tally_dtype output, tally_error *error);

#endif
