/*
 * What is printed of a program's tables besides its help: a page of the manual for each command,
 * and how shells complete a command line. All on stdout. Knows no command.
 */
#ifndef TALLY_CLI_PAGES_PAGES_H
#define TALLY_CLI_PAGES_PAGES_H

#include "cli/options/program.h"

/* What stands in the first line of each page of the manual. */
typedef struct page_edition {
    const char *version;
    const char *date; /* as 2026-01-31 */
} page_edition;

/* The page of a command; NULL: of the program itself. */
void page_write_manual(const program *self, const command *shown, const page_edition *edition);

void page_write_bash(const program *self);
void page_write_zsh(const program *self);
void page_write_fish(const program *self);

#endif
