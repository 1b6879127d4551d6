/*
 * tally run: several operators on a file, one after the other. What is between them stays in the
 * device's memory. Knows no operator by name; the run itself is the job's.
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/job/job.h"
#include "cli/pipeline/pipeline.h"
#include "cli/tables/functions.h"

typedef struct run_options {
    common_options common;
    const char *steps;
    text_list inputs;
    const char *output;
} run_options;

static const option operands[] = {
    {"STEPS", NULL,
     "operators with | between them, in quotes, such as\n"
     "\"sum axis=1 | cumsum axis=0\"",
     value_text, offsetof(run_options, steps), true},
    {"IN.npy", NULL, OPTIONS_INPUT_HELP, value_text, offsetof(run_options, inputs), true},
    {"OUT.npy", NULL, OPTIONS_OUTPUT_HELP, value_text, offsetof(run_options, output), true},
};

/* Each step reads what the one before writes. */
static int describe(const void *given, const tally_tensor *input, step *steps, cli_error *error) {
    const pipeline *parsed = given;
    int status = CLI_DONE;
    for (uint32_t i = 0; i < parsed->count && status == CLI_DONE; i++) {
        const pipeline_step *from = &parsed->steps[i];
        steps[i].label = from->label;
        status = from->kind->describe(from->given, i > 0 ? &steps[i - 1].output : input, &steps[i],
                                      error);
        if (status == CLI_DONE)
            continue;
        if (strncmp(error->text, "--", 2) == 0) /* here options are written without */
            memmove(error->text, error->text + 2, strlen(error->text + 2) + 1);
        cli_error_prefix(error, from->label, status);
    }
    return status;
}

static int run(const command *self, int argc, char **argv, cli_error *error) {
    run_options given = {.steps = NULL};
    pipeline parsed = {.count = 0};
    int status = options_parse(self, argc, argv, &given, error);
    if (status == CLI_DONE)
        status = pipeline_parse(given.steps, &parsed, error);
    if (status == CLI_DONE) {
        const task asked = {.command = self->name,
                            .options = &given.common,
                            .given = &parsed,
                            .describe = describe,
                            .step_count = parsed.count,
                            .inputs = given.inputs,
                            .output = given.output,
                            .counts = cli_function_counts(pipeline_function(&parsed.steps[0]))};
        status = job_run(&asked, error);
    }
    pipeline_release(&parsed);
    return status;
}

static const help_example examples[] = {
    {"tally run 'sum axis=1 | cumsum axis=0' in.npy out.npy",
     "the running totals of the sums of rows"},
    {NULL, NULL},
};

const command command_run = {
    .name = "run",
    .synopsis = "STEPS IN.npy... OUT.npy",
    .summary = "Run several operators one after the other, without files between them",
    .notes =
        "A step is a word and options. Words of reductions are the functions of tally reduce,\n"
        "and mean, prod and logsumexp; of scans cumsum, cumprod, cummin and cummax; of fills\n"
        "diagonal. Options are those of tally reduce, scan and diagonal without their dashes,\n"
        "such as axes=0,2 squeeze nan=ignore. Reduced axes stay with size 1 unless squeeze is\n"
        "given. The bits are those of the same commands with files between them.\n",
    .operands = operands,
    .operand_count = sizeof operands / sizeof operands[0],
    .several = &operands[1],
    .examples = examples,
    .kind = COMMAND_STEPS,
    .run = run,
};
