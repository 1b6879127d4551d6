/*
 * The right word for a wrong one. Knows words alone.
 */
#ifndef TALLY_CLI_NEAREST_H
#define TALLY_CLI_NEAREST_H

#include <stddef.h>

typedef struct nearest {
    const char *word; /* what was given */
    size_t length;    /* its characters that count */
    const char *name; /* of those that were offered the nearest; NULL: none is near */
    size_t changes;   /* that lead from the word to it */
} nearest;

nearest nearest_begin(const char *word, size_t length);

/*
 * Offer a name, which stays. A name is near if at most a third of the word's characters, and at
 * least one, have to be put in, left out, replaced or swapped with the next; or if it begins with
 * the word. Of names that are as near the first one is taken.
 */
void nearest_offer(nearest *state, const char *name);

#define NEAREST_BYTES 64

/* "; did you mean 'NAME'?", or "". The caller's room is what is returned. */
const char *nearest_hint(const nearest *state, const char *before, char room[NEAREST_BYTES]);

#endif
