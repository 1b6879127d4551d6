/*
 * A program as a table of its commands: finding one, and the help of the whole. Knows no command.
 */
#ifndef TALLY_CLI_OPTIONS_PROGRAM_H
#define TALLY_CLI_OPTIONS_PROGRAM_H

#include "cli/options/options.h"

typedef struct program {
    const char *name;
    const char *usage;
    const char *summary; /* one line */
    const char *about;   /* lines; NULL: none */
    const char *manual;  /* the program whose manual has the commands' pages; NULL: this one */
    const command *const *commands;
    size_t command_count;
    const help_row *options; /* besides the commands', as their help has them; NULL: none */
    const char *words;       /* commands of its own, with a space between; "": none */
    const char *notes;       /* lines */
    const help_example *examples;
} program;

/* The program that this is linked into. */
extern const program this_program;

/* NULL: there is none of that name. */
const command *program_find(const program *self, const char *name);

void program_write_help(const program *self, const help_writer *writer);

#endif
