/*
 * The tally program: finds the command, runs it, and is the only position that prints an error or
 * decides the exit status. Knows of the commands what commands.h lists.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

#define CLI_POINTER(name) &command_##name,
static const command *const commands[] = {CLI_COMMANDS(CLI_POINTER)};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void print_help(void) {
    printf("usage: tally COMMAND ...\n\n"
           "Tensor reductions, running totals and diagonal fills of NumPy .npy files on OpenCL\n"
           "devices.\n\ncommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-10s%s\n", commands[i]->name, commands[i]->summary);
    printf("\n'tally COMMAND --help' describes a command, 'tally --version' prints the version.\n");
}

static void print_version(void) {
    uint32_t version = tally_version();
    printf("tally %u.%u.%u (order version %u)\n", (unsigned)(version / 10000),
           (unsigned)(version / 100 % 100), (unsigned)(version % 100),
           (unsigned)tally_order_version());
}

static const command *find_command(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* The first argument is not a command. */
static int run_program(const char *argument, cli_error *error) {
    if (argument == NULL)
        return cli_misuse(error, "the command is missing");
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
        print_help();
    else if (strcmp(argument, "--version") == 0)
        print_version();
    else if (argument[0] == '-')
        return cli_misuse(error, "there is no option %s", argument);
    else
        return cli_misuse(error, "there is no command '%s'", argument);
    return CLI_DONE;
}

static int run_command(const command *found, int argc, char **argv, cli_error *error) {
    if (options_ask_help(argc, argv)) {
        options_print_help(found);
        return CLI_DONE;
    }
    return found->run(found, argc, argv, error);
}

int main(int argc, char **argv) {
    cli_error error = {""};
    const command *found = argc > 1 ? find_command(argv[1]) : NULL;
    int status = found != NULL ? run_command(found, argc - 2, argv + 2, &error)
                               : run_program(argc > 1 ? argv[1] : NULL, &error);
    if (fflush(stdout) != 0 && status == CLI_DONE)
        status = cli_fail(&error, "standard output cannot be written: %s", strerror(errno));
    if (status == CLI_DONE)
        return CLI_DONE;
    if (status == CLI_MISUSED && found != NULL)
        cli_error_prefix(&error, found->name, status);
    cli_error_print(&error);
    if (status == CLI_MISUSED)
        fprintf(stderr, "tally: for help: tally %s%s--help\n", found != NULL ? found->name : "",
                found != NULL ? " " : "");
    return status;
}
