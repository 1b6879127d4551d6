/*
 * tally-mpi: the commands of tally that run an operator on files, on all ranks of MPI together.
 * Rank 0 alone prints; every rank ends with the same status.
 */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

#include "cli/commands.h"

static const command *const commands[] = {&command_reduce, &command_scan, &command_diagonal};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void print_help(void) {
    printf("usage: mpirun -n N tally-mpi COMMAND ...\n\n"
           "The operators of tally on files that are larger than a device or a host. Each rank\n"
           "reads a range of the input along one axis, computes on a device of its own, and\n"
           "writes its range of the output. The bits are those of tally, whatever N is.\n\n"
           "commands, with one input and the options of tally, but for --explain and --json:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-10s%s\n", commands[i]->name, commands[i]->summary);
    printf("\noptions besides:\n"
           "  --cut K   the axis along which ranks have ranges; default: the one that cuts most\n"
           "            evenly, one of whose parts nothing has to travel if there is one\n\n"
           "Without --device the ranks of a host take its devices in turn: its GPUs, or else its\n"
           "accelerators, or else its CPUs. All ranks see the files by the same paths.\n");
}

static const command *find_command(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* The first argument is not a command. */
static int run_program(const char *argument, bool prints, cli_error *error) {
    if (argument == NULL)
        return cli_misuse(error, "the command is missing");
    if (strcmp(argument, "--help") != 0 && strcmp(argument, "-h") != 0)
        return cli_misuse(error, "tally-mpi has no command '%s'", argument);
    if (prints)
        print_help();
    return CLI_DONE;
}

static int run_command(const command *found, int argc, char **argv, bool prints, cli_error *error) {
    if (!options_ask_help(argc, argv))
        return found->run(found, argc, argv, error);
    if (prints)
        options_print_help(found);
    return CLI_DONE;
}

int main(int argc, char **argv) {
    cli_error error = {""};
    int rank = 0, given = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return CLI_FAILED;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const command *found = argc > 1 ? find_command(argv[1]) : NULL;
    int status = found != NULL ? run_command(found, argc - 2, argv + 2, rank == 0, &error)
                               : run_program(argc > 1 ? argv[1] : NULL, rank == 0, &error);
    if (status == CLI_MISUSED && found != NULL)
        cli_error_prefix(&error, found->name, status);
    if (status != CLI_DONE && rank == 0)
        cli_error_print(&error);
    MPI_Finalize();
    return status;
}
