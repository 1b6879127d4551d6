/*
 * What the program knows of the functions, by its own table functions.def. Knows neither the
 * library nor its tables, so that files that the tests compile without it can ask.
 */
#ifndef TALLY_CLI_TABLES_FUNCTIONS_H
#define TALLY_CLI_TABLES_FUNCTIONS_H

#include "cli/tables/types.h"

/* None; nan; nan and tie. */
typedef enum cli_options { CLI_PLAIN, CLI_ORDERED, CLI_INDEXED } cli_options;

/* A row of functions.def, whose head explains the columns. */
typedef struct cli_function {
    tally_function function;
    cli_class types;
    cli_options options;
} cli_function;

/* Of what is no function, a row that takes all types and no options. */
cli_function cli_function_find(tally_function function);

/* Whether the result is an index, which has a type of its own. */
bool cli_function_is_index(tally_function function);

/* Whether it adds or multiplies, so that booleans are numbers to it. */
bool cli_function_counts(tally_function function);

#endif
