/*
 * The program tally-mpi: the commands of tally that run an operator on files, and what its help
 * says of the whole.
 */
#include "cli/options/program.h"

#include "cli/commands.h"

static const command *const commands[] = {&command_reduce, &command_scan, &command_diagonal};

static const help_row options[] = {
    {"--cut", "K",
     "the axis along which ranks have ranges; default: the one that cuts\n"
     "most evenly, one of whose parts nothing has to travel if there is one"},
    {NULL, NULL, NULL},
};

static const help_example examples[] = {
    {"mpirun -n 4 tally-mpi reduce sum in.npy out.npy --axes 0",
     "the sums of columns, by four ranks"},
    {NULL, NULL},
};

const program this_program = {
    .name = "tally-mpi",
    .usage = "mpirun -n N tally-mpi COMMAND ...",
    .summary = "The operators of tally on files that are larger than a device or a host",
    .about =
        "Each rank reads a range of the input along one axis, computes on a device of its own,\n"
        "and writes its range of the output. The bits are those of tally, whatever N is. The\n"
        "commands take one input, and the options of tally but for --explain and --json.\n",
    .manual = "tally",
    .commands = commands,
    .command_count = sizeof commands / sizeof commands[0],
    .options = options,
    .words = "",
    .notes =
        "Without --device the ranks of a host take its devices in turn: its GPUs, or else its\n"
        "accelerators, or else its CPUs. All ranks see the files by the same paths.\n",
    .examples = examples,
};
