/*
 * The command line as tables: a command names its operands and options, a row each, and one parser
 * fills its struct and one printer writes its help from them. Knows no command.
 */
#ifndef TALLY_CLI_OPTIONS_OPTIONS_H
#define TALLY_CLI_OPTIONS_OPTIONS_H

#include "cli/device.h"
#include "cli/options/help.h"
#include "cli/options/values.h"

/* An option or an operand. */
typedef struct option {
    const char *name;     /* "axes" for --axes; of an operand what the help calls it */
    const char *argument; /* what follows, as the help calls it; NULL: a flag */
    const char *help;     /* lines; NULL: for the program itself, of which the help is silent */
    value_parser *parse;
    size_t offset; /* in the command's struct, of what parse fills */
    bool required; /* operands that are not come last */
} option;

/* What commands have in common; the first member of the command's struct. */
typedef struct common_options {
    const char *cache_dir; /* NULL: the user's */
    bool no_cache;
    const char *device; /* NULL: the default device */
    bool time;
    bool quiet;
    tally_family family; /* where something is computed */
    tally_single_pass single_pass;
    bool json; /* where operators run on files; other commands have a row of their own for it */
    /* Only where operators run on files: */
    bool explain;
    uint64_t memory;  /* bytes of the device's; 0: as the device has */
    optional_int cut; /* the axis to distribute; the program for MPI has it */
    uint64_t seen;    /* bit i: the i-th of the command's own options was given */
} common_options;

/* How much a command does, each as much as the one before: it decides which options it takes. */
typedef enum command_kind {
    COMMAND_REPORTS,  /* of the cache: takes --cache-dir */
    COMMAND_ASKS,     /* of devices */
    COMMAND_COMPUTES, /* on a device: takes --family, --single-pass */
    COMMAND_STEPS,    /* operators on files: takes --explain, --json */
    COMMAND_RUNS      /* one operator on files, in pieces if they are large: takes --memory */
} command_kind;

/* Of operands that several commands have. */
#define OPTIONS_INPUT_HELP                                                                         \
    "the input: a .npy file, an array of a .npz file as FILE.npz:NAME,\n"                          \
    "- for standard input, or several; a pattern in quotes is several too"
#define OPTIONS_OUTPUT_HELP                                                                        \
    "the result, in C order; may be IN.npy; - is standard output; of\n"                            \
    "several inputs, or with / at its end, the folder of the results"
#define OPTIONS_JSON_HELP "print one JSON document on stdout; docs/command-line.md has its fields"

typedef struct command {
    const char *name;
    const char *synopsis; /* what follows the name, without what is optional in every command */
    const char *summary;  /* one line */
    const char *notes;    /* lines; NULL: none */
    const option *operands;
    size_t operand_count;
    const option *several; /* the operand that may be given more than once: its texts, which it does
                              not parse, are a text_list; NULL: none */
    const option *options; /* without the common ones */
    size_t option_count;
    const help_example *examples; /* the last one has no line */
    command_kind kind;
    int (*run)(const struct command *self, int argc, char **argv, cli_error *error);
} command;

/*
 * Parse the arguments behind the command's name into its struct, which holds the defaults. Options
 * may stand anywhere, as --name value or --name=value; "--" ends them. The arguments change places.
 * CLI_MISUSED and a sentence for anything that is unknown, missing, repeated or malformed.
 */
int options_parse(const command *self, int argc, char **argv, void *into, cli_error *error);

/* What these options ask of a device; timed: its queue keeps times. */
device_request options_request(const common_options *given, bool timed);

/* Whether --help or -h is among the arguments. */
bool options_ask_help(int argc, char **argv);

/* The i-th option of a command, the common ones last; NULL behind the end. */
const option *options_at(const command *self, size_t i);

/* The command's help, from its rows. */
void options_write_help(const command *self, const help_writer *writer);

#endif
