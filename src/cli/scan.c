/*
 * tally scan: the running totals, products or extremes along an axis of a file. Knows
 * tally_cumulative and its options; the run itself is the job's.
 */
#include "cli/commands.h"
#include "cli/job/job.h"
#include "cli/job/operators.h"
#include "cli/tables/functions.h"

typedef struct scan_options {
    common_options common;
    tally_function function;
    text_list inputs;
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
    {"IN.npy", NULL, OPTIONS_INPUT_HELP, value_text, offsetof(scan_options, inputs), true},
    {"OUT.npy", NULL, OPTIONS_OUTPUT_HELP, value_text, offsetof(scan_options, output), true},
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

static int describe(const void *options_given, const tally_tensor *input, step *into,
                    cli_error *error) {
    const scan_options *given = options_given;
    tally_cumulative *desc = &into->scan;
    *desc = (tally_cumulative)TALLY_CUMULATIVE_INIT;
    int status = value_resolve_axis(given->axis.value, input->rank, &desc->axis, error);
    if (status != CLI_DONE)
        return cli_error_prefix(error, "--axis", status);
    desc->function = given->function;
    desc->input = *input;
    desc->output = tally_tensor_packed(input->dtype, input->rank, input->size);
    desc->descending = given->reverse;
    desc->exclusive = given->exclusive;
    desc->nan = given->nan;
    into->desc = (tally_desc)TALLY_DESC_INIT;
    into->desc.cumulative = desc;
    into->output = desc->output;
    return CLI_DONE;
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    scan_options given = {.function = TALLY_FUNCTION_NONE};
    int status = options_parse(self, argc, argv, &given, error);
    const task asked = {.command = self->name,
                        .options = &given.common,
                        .given = &given,
                        .describe = describe,
                        .step_count = 1,
                        .inputs = given.inputs,
                        .output = given.output,
                        .counts = cli_function_counts(given.function)};
    return status == CLI_DONE ? job_run(&asked, error) : status;
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
    .synopsis = "FUNCTION IN.npy... OUT.npy --axis K",
    .summary = "Write running totals along an axis of a tensor",
    .operands = operands,
    .operand_count = sizeof operands / sizeof operands[0],
    .several = &operands[1],
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .kind = COMMAND_RUNS,
    .run = run,
};

const operator_kind operator_scan = {&command_scan, 0, sizeof(scan_options), describe};
