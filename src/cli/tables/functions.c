/*
 * The program's table of functions, read from functions.def.
 */
#include "cli/tables/functions.h"

#define CLI_FUNCTION(enumerator, name, types, options, ...)                                        \
    {TALLY_##enumerator, CLI_##types, CLI_##options},
static const cli_function functions[] = {
#include "cli/tables/functions.def"
};

cli_function cli_function_find(tally_function function) {
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].function == function)
            return functions[i];
    return (cli_function){function, CLI_ANY, CLI_PLAIN};
}

bool cli_function_is_index(tally_function function) {
    return cli_function_find(function).options == CLI_INDEXED;
}

bool cli_function_counts(tally_function function) {
    return cli_function_find(function).types == CLI_WIDES;
}
