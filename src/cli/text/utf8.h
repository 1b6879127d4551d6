/*
 * Characters of texts whose bytes may be anything, as those of drivers and file names.
 */
#ifndef TALLY_CLI_TEXT_UTF8_H
#define TALLY_CLI_TEXT_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character that a text begins with; 0: it begins with none. */
size_t utf8_length(const char *text);

#endif
