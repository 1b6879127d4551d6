/*
 * The program tally: the commands of commands.h, and what its help says of the whole.
 */
#include "cli/options/program.h"

#include "cli/commands.h"

#define CLI_POINTER(name) &command_##name,
static const command *const commands[] = {CLI_COMMANDS(CLI_POINTER)};

const program this_program = {
    .name = "tally",
    .usage = "tally COMMAND ...",
    .summary = "Tensor reductions, running totals and diagonal fills on OpenCL devices",
    .about = "The tensors are NumPy's .npy files.\n",
    .commands = commands,
    .command_count = sizeof commands / sizeof commands[0],
    .words = "help version",
    .notes = "'tally help COMMAND' describes a command, 'tally version' prints the version.\n",
};
