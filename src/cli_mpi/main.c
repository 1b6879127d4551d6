/*
 * tally-mpi: the commands of tally that run an operator on files, on all ranks of MPI together.
 * Rank 0 alone prints; every rank ends with the same status.
 */
#include <string.h>

#include <mpi.h>

#include "cli/options/program.h"

/* The first argument is not a command. */
static int run_program(const char *argument, bool prints, cli_error *error) {
    if (argument == NULL)
        return cli_misuse(error, "the command is missing");
    if (strcmp(argument, "--help") != 0 && strcmp(argument, "-h") != 0)
        return cli_misuse(error, "tally-mpi has no command '%s'", argument);
    if (prints)
        program_write_help(&this_program, &help_on_terminal);
    return CLI_DONE;
}

static int run_command(const command *found, int argc, char **argv, bool prints, cli_error *error) {
    if (!options_ask_help(argc, argv))
        return found->run(found, argc, argv, error);
    if (prints)
        options_write_help(found, &help_on_terminal);
    return CLI_DONE;
}

int main(int argc, char **argv) {
    cli_error error = {""};
    int rank = 0, given = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return CLI_FAILED;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const command *found = argc > 1 ? program_find(&this_program, argv[1]) : NULL;
    int status = found != NULL ? run_command(found, argc - 2, argv + 2, rank == 0, &error)
                               : run_program(argc > 1 ? argv[1] : NULL, rank == 0, &error);
    if (status == CLI_MISUSED && found != NULL)
        cli_error_prefix(&error, found->name, status);
    if (status != CLI_DONE && rank == 0)
        cli_error_print(&error);
    MPI_Finalize();
    return status;
}
