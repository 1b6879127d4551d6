/*
 * The pieces that a program's text is put together of: files of cl/, and macros whose names begin
 * with TALLY_. Knows no spec.
 */
#ifndef TALLY_PLAN_PROGRAM_PASTE_H
#define TALLY_PLAN_PROGRAM_PASTE_H

#include "base/text.h"

/*
 * Add a file of cl/, by its name, between #line directives. A file that the build left out stops
 * the compiler, with its name.
 */
void tally_program_paste(tally_text *source, const char *file);

/* Undefine what a file defines: the next variant gives it another meaning. */
void tally_program_undefine(tally_text *source, const char *file);

/* Define TALLY_<name>. */
void tally_program_define(tally_text *source, const char *name, const char *value);
void tally_program_define_number(tally_text *source, const char *name, unsigned value);

#endif
