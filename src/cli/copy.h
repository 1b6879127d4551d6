/*
 * Copies of texts, to be freed. NULL: there is no memory for one.
 */
#ifndef TALLY_CLI_COPY_H
#define TALLY_CLI_COPY_H

#include <stdlib.h>
#include <string.h>

/* The first characters of a text, with another text behind them. */
static inline char *cli_join(const char *text, size_t length, const char *behind) {
    const size_t more = strlen(behind) + 1;
    char *whole = malloc(length + more);
    if (whole != NULL) {
        memcpy(whole, text, length);
        memcpy(whole + length, behind, more);
    }
    return whole;
}

static inline char *cli_copy(const char *text) {
    return cli_join(text, strlen(text), "");
}

#endif
