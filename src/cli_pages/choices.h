/*
 * What may stand where an option or an operand takes something, and what it is, in a few words.
 * Read from its row: the help names the words, and the parser decides which of the help's words
 * these are.
 */
#ifndef TALLY_CLI_PAGES_CHOICES_H
#define TALLY_CLI_PAGES_CHOICES_H

#include "cli/options/options.h"

#define CHOICES_BYTES 1024

typedef struct choices {
    char words[CHOICES_BYTES]; /* with a space between; "": none are known */
    bool files;                /* names of files */
} choices;

/* Of an option's argument, or of an operand. */
choices choices_of(const option *row);

/* Whether the help names the option. */
bool choices_is_shown(const option *row);

/* The help up to its first stop, in one line. */
void choices_gist(const option *row, char gist[CHOICES_BYTES]);

/* The name with _ where it has -, for the names of functions. */
void choices_identifier(const char *name, char identifier[CHOICES_BYTES]);

#endif
