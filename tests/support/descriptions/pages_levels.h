/*
 * pages_levels.h: the tables of tensor support as Microsoft's pages of the seven operators print
 * them, by names. Transcribed from the pages on their own: they share nothing with the library's
 * directml_levels.def, which they judge.
 */
#ifndef TESTS_SUPPORT_DESCRIPTIONS_PAGES_LEVELS_H
#define TESTS_SUPPORT_DESCRIPTIONS_PAGES_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pages_number {
    const char *name;
    unsigned value;
} pages_number;

/* DirectML's names with their numbers, without the prefixes that all of a kind share. */
extern const pages_number pages_levels[15]; /* "1_0", ascending */
extern const pages_number pages_operators[7];
extern const pages_number pages_functions[12];
extern const pages_number pages_types[14];

/* A use of an operator: function is "" but for REDUCE, input NULL where there is no InputTensor. */
typedef struct pages_use {
    const char *operator_;
    const char *function;
    const char *input;
    const char *output;
    unsigned rank; /* of all tensors */
} pages_use;

/* Whether the pages list it for the level of that number. */
bool pages_accept(const pages_use *use, unsigned level);

/* The number of the first level for which they do; 0 if there is none. */
unsigned pages_lowest(const pages_use *use);

/* The name of a level's number. */
const char *pages_level_name(unsigned level);

#endif
