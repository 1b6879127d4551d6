/*
 * source_scan.h: reads a kernel source as a preprocessor would, as far as to say whether each macro
 * is there where it is used. An undefined macro in an #if is 0 for a compiler, without a word.
 */
#ifndef TESTS_SUPPORT_PLANS_SOURCE_SCAN_H
#define TESTS_SUPPORT_PLANS_SOURCE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A macro that is used where none of that name is defined, or defined where there is another
 * already; NULL if there is none such. Uses are looked at of names that can only be macros:
 * TALLY_... and those that end in "_". In a macro's own text they need to be defined only
 * somewhere. name has room for the result.
 */
const char *source_scan_wrong_macro(const char *source, char name[128]);

/* How often the word stands in the source by itself, comments and strings not counted. */
size_t source_scan_count(const char *source, const char *word);

/* True if (), [] and {} are closed as they were opened, and each #if by an #endif. */
bool source_scan_balanced(const char *source);

#endif
