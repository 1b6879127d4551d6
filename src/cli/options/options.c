/*
 * The command line as tables: finds the row of each argument and hands the text to the row's
 * parser; prints the help from the same rows. Knows no command.
 */
#include "cli/options/options.h"

#include <stdio.h>
#include <string.h>

#include "cli/nearest.h"

/* What commands have in common, and which kinds of them. */
static const struct {
    option row;
    command_kind least;
} common[] = {
    {{"cache-dir", "PATH",
      "where compiled kernels are kept between runs; default: see\n"
      "'tally cache path'",
      value_text, offsetof(common_options, cache_dir), false},
     COMMAND_REPORTS},
    {{"no-cache", NULL, "compile all kernels, and keep none for the next run", value_flag,
      offsetof(common_options, no_cache), false},
     COMMAND_ASKS},
    {{"device", "N|NAME",
      "the device with this number in 'tally devices', or with NAME in\n"
      "its name, capital or small; default: the first that Tally accepts,\n"
      "GPUs before accelerators before CPUs. For reduce, scan, diagonal,\n"
      "devices and bench devices also several, as 0,2, or all",
      value_text, offsetof(common_options, device), false},
     COMMAND_ASKS},
    {{"family", "NAME",
      "the kernels to use: auto (default), generic, gpu or cpu; the bits are\n"
      "the same, the speed is not",
      value_family, offsetof(common_options, family), false},
     COMMAND_COMPUTES},
    {{"single-pass", "WHEN",
      "scans of few long rows in one pass over memory: auto (default, by a\n"
      "trial of the device), on or off; the bits are the same",
      value_single_pass, offsetof(common_options, single_pass), false},
     COMMAND_COMPUTES},
    {{"time", NULL, "print the kernels' time and the wall time on stderr", value_flag,
      offsetof(common_options, time), false},
     COMMAND_ASKS},
    {{"quiet", NULL, "show no progress (it shows on terminals only)", value_flag,
      offsetof(common_options, quiet), false},
     COMMAND_ASKS},
    {{"explain", NULL, "print the plan on stderr: what is launched, in which order", value_flag,
      offsetof(common_options, explain), false},
     COMMAND_STEPS},
    {{"json", NULL, OPTIONS_JSON_HELP, value_flag, offsetof(common_options, json), false},
     COMMAND_STEPS},
    {{"memory", "BYTES",
      "of the device's memory, at most; K, M, G and T behind the number\n"
      "stand for 2^10 to 2^40; files that need more are computed in\n"
      "pieces; default: what the device has",
      value_bytes, offsetof(common_options, memory), false},
     COMMAND_RUNS},
    {{"cut", "K", NULL, value_int, offsetof(common_options, cut), false}, COMMAND_RUNS},
};
#define COMMON (sizeof common / sizeof common[0])

const option *options_at(const command *self, size_t i) {
    if (i < self->option_count)
        return &self->options[i];
    i -= self->option_count;
    for (size_t k = 0; k < COMMON; k++)
        if (self->kind >= common[k].least && i-- == 0)
            return &common[k].row;
    return NULL;
}

bool options_ask_help(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* ---- Parsing ------------------------------------------------------------------------------- */

typedef struct parser {
    const command *command;
    char **next; /* the argument to look at; NULL-terminated as argv is */
    char **end;
    void *into;
    char **operands; /* those seen so far, which come to the beginning of the arguments */
    size_t operand_count;
    uint64_t seen;     /* a bit for each option */
    bool options_over; /* "--" was seen */
} parser;

static int parse_value(const parser *state, const option *row, const char *text, const char *label,
                       cli_error *error) {
    int status = row->parse(text, (char *)state->into + row->offset, error);
    return status == CLI_DONE ? CLI_DONE : cli_error_prefix(error, label, status);
}

static int parse_operand(const parser *state, const option *row, const char *text,
                         cli_error *error) {
    char label[400];
    snprintf(label, sizeof label, "%s '%s'", row->name, text);
    return parse_value(state, row, text, label, error);
}

/* One text for each row in turn, but for the row that takes all that the others leave. */
static int parse_operands(const parser *state, cli_error *error) {
    const command *self = state->command;
    const size_t given = state->operand_count, rows = self->operand_count;
    const size_t more = self->several != NULL && given > rows ? given - rows : 0;
    int status = CLI_DONE;
    if (given > rows + more)
        return cli_misuse(error, "'%s' is one argument too many", state->operands[rows]);
    for (size_t i = 0, at = 0; i < rows && at < given && status == CLI_DONE; i++) {
        const option *row = &self->operands[i];
        if (self->several == NULL || row != self->several) {
            status = parse_operand(state, row, state->operands[at++], error);
            continue;
        }
        *(text_list *)(void *)((char *)state->into + row->offset) =
            (text_list){state->operands + at, more + 1};
        for (size_t k = 0; k <= more && status == CLI_DONE; k++)
            if (state->operands[at++][0] == '\0')
                status = cli_misuse(error, "%s '' is empty", row->name);
    }
    return status;
}

/* The option called by the first length characters of name; *index is its number. */
static const option *find_option(const command *self, const char *name, size_t length,
                                 size_t *index) {
    const option *row;
    for (*index = 0; (row = options_at(self, *index)) != NULL; ++*index)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            break;
    return row;
}

static int refuse_option(const command *self, const char *argument, const char *name, size_t length,
                         cli_error *error) {
    nearest right = nearest_begin(name, length);
    char hint[NEAREST_BYTES];
    const option *row;
    for (size_t i = 0; (row = options_at(self, i)) != NULL; i++)
        nearest_offer(&right, row->name);
    return cli_misuse(error, "there is no option %.*s%s",
                      (int)(name - argument + (ptrdiff_t)length), argument,
                      nearest_hint(&right, "--", hint));
}

/* argument begins with a dash. */
static int parse_option(parser *state, const char *argument, cli_error *error) {
    const char *name = argument + (argument[1] == '-' ? 2 : 1);
    const char *equals = strchr(name, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    size_t index;
    const option *row = find_option(state->command, name, length, &index);
    char label[400];
    if (row == NULL || name != argument + 2)
        return refuse_option(state->command, argument, name, length, error);
    if ((state->seen >> index & 1) != 0)
        return cli_misuse(error, "--%s is given twice", row->name);
    state->seen |= UINT64_C(1) << index;
    if (row->argument == NULL && equals != NULL)
        return cli_misuse(error, "--%s takes no value", row->name);
    const char *text = equals != NULL ? equals + 1 : NULL;
    if (row->argument != NULL && equals == NULL) {
        if (state->next == state->end)
            return cli_misuse(error, "--%s needs a value, %s", row->name, row->argument);
        text = *state->next++;
    }
    snprintf(label, sizeof label, "--%s %s", row->name, text != NULL ? text : "");
    return parse_value(state, row, text, label, error);
}

static int check_complete(const parser *state, cli_error *error) {
    const option *row;
    if (state->operand_count < state->command->operand_count &&
        state->command->operands[state->operand_count].required)
        return cli_misuse(error, "%s is missing",
                          state->command->operands[state->operand_count].name);
    for (size_t i = 0; (row = options_at(state->command, i)) != NULL; i++)
        if (row->required && (state->seen >> i & 1) == 0)
            return cli_misuse(error, "--%s%s%s is missing", row->name,
                              row->argument != NULL ? " " : "",
                              row->argument != NULL ? row->argument : "");
    return CLI_DONE;
}

int options_parse(const command *self, int argc, char **argv, void *into, cli_error *error) {
    parser state = {self, argv, argv + argc, into, argv, 0, 0, false};
    int status = CLI_DONE;
    while (status == CLI_DONE && state.next < state.end) {
        const char *argument = *state.next++;
        if (!state.options_over && strcmp(argument, "--") == 0)
            state.options_over = true;
        else if (!state.options_over && argument[0] == '-' && argument[1] != '\0')
            status = parse_option(&state, argument, error);
        else
            state.operands[state.operand_count++] = state.next[-1];
    }
    if (status == CLI_DONE)
        status = parse_operands(&state, error);
    common_options *given = into;
    given->seen = state.seen;
    if (status == CLI_DONE && given->no_cache && given->cache_dir != NULL)
        return cli_misuse(error, "--no-cache leaves nothing to keep in --cache-dir %s",
                          given->cache_dir);
    return status == CLI_DONE ? check_complete(&state, error) : status;
}

device_request options_request(const common_options *given, bool timed) {
    return (device_request){.text = given->device,
                            .family = given->family,
                            .single_pass = given->single_pass,
                            .timed = timed,
                            .cache_dir = given->cache_dir,
                            .no_cache = given->no_cache};
}

/* ---- Help ---------------------------------------------------------------------------------- */

static const char files_notes[] =
    ".npy files, and those in .npz files: versions 1.0, 2.0 and 3.0, of either byte order, of"
#define CLI_TYPE(enumerator, name, class, letter, bytes, ...) " " #letter #bytes
#include "cli/tables/types.def"
    " b1, rank 0 to 8, in C or Fortran order. Booleans are counted as i8 by functions that add or "
    "multiply, and are u1 for the others. A file that is shorter or longer than its header says "
    "is refused. The output replaces a file only when it is complete.";

static const help_row statuses[] = {{"0", NULL, "done"},
                                    {"1", NULL, "failed, and one line on stderr says why"},
                                    {"2", NULL, "the command line is wrong"}};

static void write_options(const command *self, const help_writer *writer) {
    const option *row;
    char name[64];
    writer->heading("options");
    for (size_t i = 0; (row = options_at(self, i)) != NULL; i++) {
        if (row->help == NULL)
            continue;
        snprintf(name, sizeof name, "--%s", row->name);
        writer->row(&(help_row){name, row->argument, row->help});
    }
    writer->row(&(help_row){"--help", NULL, "print this and do nothing"});
}

void options_write_help(const command *self, const help_writer *writer) {
    char name[64], usage[256];
    snprintf(name, sizeof name, "tally %s", self->name);
    snprintf(usage, sizeof usage, "%s %s%s[options]", name, self->synopsis,
             self->synopsis[0] != '\0' ? " " : "");
    writer->title(name, usage, self->summary);
    if (self->notes != NULL)
        writer->text(self->notes);
    if (self->kind >= COMMAND_STEPS)
        writer->text(files_notes);
    if (self->operand_count > 0)
        writer->heading("arguments");
    for (size_t i = 0; i < self->operand_count; i++)
        writer->row(&(help_row){self->operands[i].name, NULL, self->operands[i].help});
    write_options(self, writer);
    help_write_examples(self->examples, writer);
    writer->heading("exit status");
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        writer->row(&statuses[i]);
}
