/*
 * tally reduce: one function over some axes of a file. Knows tally_reduce and its options; the run
 * itself is the job's.
 */
#include "cli/commands.h"
#include "cli/job/job.h"
#include "cli/job/operators.h"
#include "cli/tables/functions.h"

typedef struct reduce_options {
    common_options common;
    tally_function function;
    text_list inputs;
    const char *output;
    axis_list axes;
    tally_dtype output_type; /* TALLY_DTYPE_NONE: the default */
    tally_tie tie;
    tally_nan nan;
    bool squeeze;
} reduce_options;

/* " argmax argmin" and the others. */
static const char function_names[] =
#define CLI_FUNCTION(enumerator, name, ...) " " #name
#include "cli/tables/functions.def"
    "; mean is average";

static const option operands[] = {
    {"FUNCTION", NULL, function_names + 1, value_function, offsetof(reduce_options, function),
     true},
    {"IN.npy", NULL, OPTIONS_INPUT_HELP, value_text, offsetof(reduce_options, inputs), true},
    {"OUT.npy", NULL, OPTIONS_OUTPUT_HELP, value_text, offsetof(reduce_options, output), true},
};

static const option options[] = {
    {"axes", "LIST",
     "the axes to reduce, such as 0,2; negative ones count from the\n"
     "end; none: each element on its own; default: all axes",
     value_axes, offsetof(reduce_options, axes), false},
    {"output-type", "TYPE",
     "of argmax and argmin: i32 i64 u32 u64, default i64; else the\n"
     "input's type",
     value_type, offsetof(reduce_options, output_type), false},
    {"tie", "WHICH", "which of equal extremes argmax and argmin report: first (default)\nor last",
     value_tie, offsetof(reduce_options, tie), false},
    {"nan", "RULE",
     "for min, max, argmin, argmax: propagate (default: NaN wins) or\n"
     "ignore (NaN loses)",
     value_nan, offsetof(reduce_options, nan), false},
    {"squeeze", NULL, "drop the reduced axes; else they stay with size 1", value_flag,
     offsetof(reduce_options, squeeze), false},
};

/* The type of the result, if the command line does not say. */
static tally_dtype default_type(tally_function function, tally_dtype input) {
    return cli_function_is_index(function) ? TALLY_I64 : input;
}

/* The packed tensor without the axes of the mask. */
static tally_tensor squeeze(const tally_tensor *tensor, uint32_t axes) {
    uint64_t size[TALLY_MAX_RANK];
    uint32_t rank = 0;
    for (uint32_t i = 0; i < tensor->rank; i++)
        if ((axes >> i & 1) == 0)
            size[rank++] = tensor->size[i];
    return tally_tensor_packed(tensor->dtype, rank, size);
}

static int describe(const void *options_given, const tally_tensor *input, step *into,
                    cli_error *error) {
    const reduce_options *given = options_given;
    tally_reduce *desc = &into->reduce;
    *desc = (tally_reduce)TALLY_REDUCE_INIT;
    int status = value_resolve_axes(&given->axes, input->rank, &desc->axes, error);
    if (status != CLI_DONE)
        return cli_error_prefix(error, "--axes", status);
    desc->function = given->function;
    desc->input = *input;
    desc->output = tally_tensor_reduced(input, desc->axes,
                                        given->output_type != TALLY_DTYPE_NONE
                                            ? given->output_type
                                            : default_type(given->function, input->dtype));
    desc->tie = given->tie;
    desc->nan = given->nan;
    into->desc = (tally_desc)TALLY_DESC_INIT;
    into->desc.reduce = desc;
    into->output = given->squeeze ? squeeze(&desc->output, desc->axes) : desc->output;
    return CLI_DONE;
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    reduce_options given = {.function = TALLY_FUNCTION_NONE};
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
    {"tally reduce sum in.npy out.npy --axes 0,2", "the sums over the first and the third axis"},
    {"tally reduce argmax in.npy out.npy --axes -1 --output-type u32 --tie last",
     "of each row where its largest element is, the last of equal ones"},
    {"tally reduce sum large.npy out.npy --memory 1G", "a file larger than that, in pieces"},
    {"mkdir -p sums && tally reduce sum '*.npy' sums/ --axes 0",
     "several files at once, results in a folder"},
    {NULL, NULL},
};

const command command_reduce = {
    .name = "reduce",
    .synopsis = "FUNCTION IN.npy... OUT.npy",
    .summary = "Reduce axes of a tensor with a function",
    .operands = operands,
    .operand_count = sizeof operands / sizeof operands[0],
    .several = &operands[1],
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .kind = COMMAND_RUNS,
    .run = run,
};

const operator_kind operator_reduce = {&command_reduce, 0, sizeof(reduce_options), describe};
