/*
 * Distances between words, by the changes of single characters that lead from one to the other.
 */
#include "cli/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Of longer words none is near: nobody types them. */
#define LONGEST 31

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Rows of the table of all beginnings: this one and the two before it. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *before = rows[(i + 2) % 3], *swapped = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least(before[j], row[j - 1]) + 1;
            row[j] = least(row[j], before[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], swapped[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

nearest nearest_begin(const char *word, size_t length) {
    return (nearest){.word = word, .length = length};
}

void nearest_offer(nearest *state, const char *name) {
    const size_t length = strlen(name);
    if (state->length < 2 || state->length > LONGEST || length > LONGEST)
        return;
    const size_t most = state->length / 3 > 0 ? state->length / 3 : 1;
    const bool begins = strncmp(state->word, name, state->length) == 0;
    const size_t changes = begins ? 1 : distance(state->word, state->length, name, length);
    if (changes > most || (state->name != NULL && changes >= state->changes))
        return;
    state->name = name;
    state->changes = changes;
}

const char *nearest_hint(const nearest *state, const char *before, char room[NEAREST_BYTES]) {
    room[0] = '\0';
    if (state->name != NULL)
        snprintf(room, NEAREST_BYTES, "; did you mean %s%s?", before, state->name);
    return room;
}
