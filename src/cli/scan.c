/*
 * tally scan: the running totals, products or extremes along an axis of a file. Knows
 * tally_cumulative and its options; the run itself is the job's.
 */
#include "cli/commands.h"
#include "cli/job.h"

typedef struct scan_options {
    common_options common;
    tally_function function;
    const char *input;
    const char *output;
    optional_int axis;
    bool reverse;
    bool exclusive;
    tally_nan nan;
} scan_options;

/* The functions that can run along an axis, and their names with a space before each. */
static const tally_function functions[] = {
#define CLI_SCAN(enumerator, ...) TALLY_##enumerator,
#include "cli/tables/functions.def"
};
static const char function_names[] =
#define CLI_SCAN(enumerator, name, ...) " " #name
#include "cli/tables/functions.def"
    ;

static int parse_function(const char *text, void *into, cli_error *error) {
    tally_function function = tally_function_by_name(text);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i] == function) {
            *(tally_function *)into = function;
            return CLI_DONE;
        }
    return cli_misuse(error, "does not run along an axis; choose from%s", function_names);
}

static const option operands[] = {
    {"FUNCTION", NULL, function_names + 1, parse_function, offsetof(scan_options, function), true},
    {"IN.npy", NULL, "the input, a .npy file", value_text, offsetof(scan_options, input), true},
    {"OUT.npy", NULL, "the result, in C order; may be IN.npy", value_text,
     offsetof(scan_options, output), true},
};

static const option options[] = {
    {"axis", "K", "the axis to go along; a negative one counts from the end", value_int,
     offsetof(scan_options, axis), true},
    {"reverse", NULL, "go from the axis's last index down", value_flag,
     offsetof(scan_options, reverse), false},
    {"exclusive", NULL, "write each value before its own element enters", value_flag,
     offsetof(scan_options, exclusive), false},
    {"nan", "RULE", "for min, max: propagate (default: NaN wins) or ignore (NaN loses)", value_nan,
     offsetof(scan_options, nan), false},
};

static int scan(const void *options_given, const input_file *input, cli_error *error) {
    const scan_options *given = options_given;
    tally_cumulative desc = TALLY_CUMULATIVE_INIT;
    int status = value_resolve_axis(given->axis.value, input->array.rank, &desc.axis, error);
    if (status != CLI_DONE)
        return cli_error_prefix(error, "--axis", status);
    desc.function = given->function;
    desc.input = npy_tensor(&input->array);
    desc.output = tally_tensor_packed(desc.input.dtype, desc.input.rank, desc.input.size);
    desc.descending = given->reverse;
    desc.exclusive = given->exclusive;
    desc.nan = given->nan;
    job work = {&given->common, TALLY_DESC_INIT, input, given->output, desc.output};
    work.whole.cumulative = &desc;
    return job_run(&work, error);
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    scan_options given = {0};
    int status = options_parse(self, argc, argv, &given, error);
    return status == CLI_DONE ? job_with_input(given.input, scan, &given, error) : status;
}

static const help_example examples[] = {
    {"tally scan sum in.npy out.npy --axis 1 --reverse --exclusive",
     "for each element the sum of those behind it in its row"},
    {"tally reduce sum in.npy - --axes 1 | tally scan sum - out.npy --axis 0",
     "the running totals of the rows' sums, through a pipe"},
    {NULL, NULL},
};

const command command_scan = {
    .name = "scan",
    .synopsis = "FUNCTION IN.npy OUT.npy --axis K",
    .summary = "Write running totals along an axis of a tensor",
    .operands = operands,
    .operand_count = sizeof operands / sizeof operands[0],
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .kind = COMMAND_RUNS,
    .run = run,
};
