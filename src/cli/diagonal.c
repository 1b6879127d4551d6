/*
 * tally diagonal: a band of each matrix of a file, or of zeros, filled with a value. Knows
 * tally_diagonal and its options; the run itself is the job's.
 */
#include "cli/commands.h"
#include "cli/job/job.h"
#include "cli/job/operators.h"

typedef struct diagonal_options {
    common_options common;
    const char *output;
    char *input; /* NULL: zeros of this shape and type */
    shape_list shape;
    tally_dtype type;
    const char *value; /* its type may be known only from the input file */
    optional_int begin;
    optional_int end;
} diagonal_options;

static const char type_help[] = "the type of the zeros:"
#define CLI_TYPE(enumerator, name, ...) " " #name
#include "cli/tables/types.def"
    ;

static const option operands[] = {
    {"OUT.npy", NULL, "the result, in C order; may be IN.npy", value_text,
     offsetof(diagonal_options, output), true},
};

static const option options[] = {
    {"input", "IN.npy", "the .npy file to fill in", value_text, offsetof(diagonal_options, input),
     false},
    {"shape", "LIST", "the sizes of zeros to fill, such as 4,5; the last two are the\nmatrices'",
     value_shape, offsetof(diagonal_options, shape), false},
    {"type", "TYPE", type_help, value_type, offsetof(diagonal_options, type), false},
    {"value", "V",
     "what to fill in, in the output's type: an integer, 0x hexadecimal\n"
     "too, or a float, inf and nan too; needed unless B equals E",
     value_text, offsetof(diagonal_options, value), false},
    {"begin", "B", "the first diagonal; 0 is the main one, 1 the one to its right", value_int,
     offsetof(diagonal_options, begin), true},
    {"end", "E", "the diagonal behind the last", value_int, offsetof(diagonal_options, end), true},
};

static const char notes[] =
    "The element in column x and row y is on the diagonal t = x - y. With B < E the\n"
    "value goes where B <= t < E; with B > E everywhere but where E <= t < B; with\n"
    "B = E nowhere.\n";

static int check_value(const diagonal_options *given, cli_error *error) {
    if (given->value == NULL && given->begin.value != given->end.value)
        return cli_misuse(error, "--value V is missing");
    return CLI_DONE;
}

/* What the command line alone can get wrong, beyond its single options. */
static int check_options(const diagonal_options *given, cli_error *error) {
    tally_scalar ignored;
    if (given->input != NULL && (given->shape.given || given->type != TALLY_DTYPE_NONE))
        return cli_misuse(error, "--input has a shape and a type: leave out --shape and --type");
    if (given->input == NULL && !given->shape.given)
        return cli_misuse(error, "either --input IN.npy or --shape LIST is needed");
    if (given->input == NULL && given->type == TALLY_DTYPE_NONE)
        return cli_misuse(error, "--type TYPE is missing");
    if (check_value(given, error) != CLI_DONE)
        return CLI_MISUSED;
    if (given->value == NULL || given->type == TALLY_DTYPE_NONE)
        return CLI_DONE;
    int status = value_scalar(given->value, given->type, &ignored, error);
    return status == CLI_DONE ? CLI_DONE : cli_error_prefix(error, "--value", status);
}

static int describe(const void *options_given, const tally_tensor *input, step *into,
                    cli_error *error) {
    const diagonal_options *given = options_given;
    tally_diagonal *desc = &into->diagonal;
    *desc = (tally_diagonal)TALLY_DIAGONAL_INIT;
    into->input = input != NULL
                      ? *input
                      : tally_tensor_packed(given->type, given->shape.rank, given->shape.size);
    desc->input = input != NULL ? &into->input : NULL;
    desc->output = tally_tensor_packed(into->input.dtype, into->input.rank, into->input.size);
    desc->begin = given->begin.value;
    desc->end = given->end.value;
    if (check_value(given, error) != CLI_DONE) /* as one of several steps it was not looked at */
        return CLI_MISUSED;
    if (given->value != NULL &&
        value_scalar(given->value, into->input.dtype, &desc->value, error) != CLI_DONE)
        return cli_error_prefix(error, "--value", CLI_FAILED);
    into->desc = (tally_desc)TALLY_DESC_INIT;
    into->desc.diagonal = desc;
    into->output = desc->output;
    return CLI_DONE;
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    diagonal_options given = {.input = NULL};
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = check_options(&given, error);
    const task asked = {.command = self->name,
                        .options = &given.common,
                        .given = &given,
                        .describe = describe,
                        .step_count = 1,
                        .inputs = {&given.input, given.input != NULL},
                        .output = given.output};
    return status == CLI_DONE ? job_run(&asked, error) : status;
}

static const help_example examples[] = {
    {"tally diagonal out.npy --shape 4,5 --type f32 --value 1 --begin 0 --end 1",
     "ones on the main diagonal of a matrix of zeros"},
    {"tally diagonal out.npy --input in.npy --value 0 --begin 1 --end 1000000",
     "the lower triangle of each matrix"},
    {NULL, NULL},
};

const command command_diagonal = {
    .name = "diagonal",
    .synopsis = "OUT.npy (--input IN.npy | --shape 4,5 --type f32) --value V --begin B --end E",
    .summary = "Fill a band of diagonals of matrices with a value",
    .notes = notes,
    .operands = operands,
    .operand_count = sizeof operands / sizeof operands[0],
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .kind = COMMAND_RUNS,
    .run = run,
};

/* Its input, shape and type are not the operator's, but the file's. */
const operator_kind operator_diagonal = {&command_diagonal, 3, sizeof(diagonal_options), describe};
