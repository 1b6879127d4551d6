/*
 * The tally program: finds the command, runs it, prints why it failed, and decides the exit status.
 * Knows of the commands what commands.h lists.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/nearest.h"
#include "cli/options/program.h"
#include "platform/program.h"

static void print_version(void) {
    uint32_t version = tally_version();
    printf("tally %u.%u.%u (order version %u)\n", (unsigned)(version / 10000),
           (unsigned)(version / 100 % 100), (unsigned)(version % 100),
           (unsigned)tally_order_version());
}

static int refuse_command(const char *name, cli_error *error) {
    nearest right = nearest_begin(name, strlen(name));
    char hint[NEAREST_BYTES];
    for (size_t i = 0; i < this_program.command_count; i++)
        nearest_offer(&right, this_program.commands[i]->name);
    nearest_offer(&right, "help");
    nearest_offer(&right, "version");
    return cli_misuse(error, "there is no command '%s'%s", name, nearest_hint(&right, "", hint));
}

/* Of the program, or of a command. */
static int run_help(int argc, char **argv, cli_error *error) {
    const command *found = argc > 0 ? program_find(&this_program, argv[0]) : NULL;
    if (argc > 1)
        return cli_misuse(error, "help takes one command, but '%s' is given as well", argv[1]);
    if (argc > 0 && found == NULL)
        return refuse_command(argv[0], error);
    if (found != NULL)
        options_write_help(found, &help_on_terminal);
    else
        program_write_help(&this_program, &help_on_terminal);
    return CLI_DONE;
}

static bool is_one_of(const char *text, const char *word, const char *long_option,
                      const char *short_option) {
    return strcmp(text, word) == 0 || strcmp(text, long_option) == 0 ||
           strcmp(text, short_option) == 0;
}

/* The first argument is not a command that computes. */
static int run_program(int argc, char **argv, cli_error *error) {
    const char *argument = argc > 0 ? argv[0] : NULL;
    if (argument == NULL)
        return cli_misuse(error, "the command is missing");
    if (is_one_of(argument, "help", "--help", "-h"))
        return run_help(argc - 1, argv + 1, error);
    if (!is_one_of(argument, "version", "--version", "-V"))
        return argument[0] == '-' ? cli_misuse(error, "there is no option %s", argument)
                                  : refuse_command(argument, error);
    if (argc > 1)
        return cli_misuse(error, "%s takes nothing, but '%s' is given", argument, argv[1]);
    print_version();
    return CLI_DONE;
}

static int run_command(const command *found, int argc, char **argv, cli_error *error) {
    if (options_ask_help(argc, argv)) {
        options_write_help(found, &help_on_terminal);
        return CLI_DONE;
    }
    return found->run(found, argc, argv, error);
}

int main(int argc, char **argv) {
    cli_error error = {""};
    tally_program_begin(&argc, &argv);
    const command *found = argc > 1 ? program_find(&this_program, argv[1]) : NULL;
    int status = found != NULL ? run_command(found, argc - 2, argv + 2, &error)
                               : run_program(argc - 1, argv + 1, &error);
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
