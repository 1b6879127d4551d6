/*
 * The commands, a row each: the row NAME stands for the command_NAME of NAME.c, which is here or in
 * a folder of its own.
 */
#ifndef TALLY_CLI_COMMANDS_H
#define TALLY_CLI_COMMANDS_H

#include "cli/options/options.h"

#define CLI_COMMANDS(ROW)                                                                          \
    ROW(devices)                                                                                   \
    ROW(reduce)                                                                                    \
    ROW(scan)                                                                                      \
    ROW(diagonal)                                                                                  \
    ROW(run)                                                                                       \
    ROW(explain)                                                                                   \
    ROW(bench)                                                                                     \
    ROW(verify)                                                                                    \
    ROW(cache)

#define CLI_DECLARE(name) extern const command command_##name;
CLI_COMMANDS(CLI_DECLARE)
#undef CLI_DECLARE

#endif
