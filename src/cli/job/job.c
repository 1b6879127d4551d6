/*
 * Operators run on files: opens each file, has the command describe what is done to it, and keeps
 * account of those that fail. Knows no OpenCL.
 */
#include "cli/job/job.h"

#include <stdlib.h>
#include <string.h>

#include "cli/job/names.h"
#include "cli/job/one.h"
#include "cli/job/report.h"

/* ---- One file ------------------------------------------------------------------------------ */

/* What is open for one file. */
typedef struct opened {
    input_file input;
    output_file output;
    step *steps;
} opened;

/* The output first: what cannot be written is known before anything is read. */
static int open_files(const task *asked, const job_file *file, opened *open, cli_error *error) {
    int status = output_open(&open->output, file->output, error);
    if (status == CLI_DONE && file->input != NULL)
        status = input_open(&open->input, file->input, asked->counts, error);
    open->steps = calloc(asked->step_count, sizeof *open->steps);
    return status == CLI_DONE && open->steps == NULL ? cli_fail_memory(error, "the operators")
                                                     : status;
}

static int describe(const task *asked, const job_file *file, opened *open, job *work,
                    cli_error *error) {
    tally_tensor tensor = TALLY_TENSOR_INIT;
    if (file->input != NULL)
        tensor = npy_tensor(&open->input.array);
    int status =
        asked->describe(asked->given, file->input != NULL ? &tensor : NULL, open->steps, error);
    if (status != CLI_DONE)
        return status;
    *work = (job){.options = asked->options,
                  .steps = open->steps,
                  .step_count = asked->step_count,
                  .input = file->input != NULL ? &open->input : NULL,
                  .file = &open->output};
    return CLI_DONE;
}

/* What is wrong with one of several files is said with its name. */
static int name_file(const job_names *names, const char *path, int status, cli_error *error) {
    if (status == CLI_DONE || !names->folder || strncmp(error->text, path, strlen(path)) == 0)
        return status;
    return cli_error_prefix(error, path, status);
}

static int run_file(const task *asked, const job_names *names, size_t index, session *shared,
                    job_report *report, cli_error *error) {
    const job_file *file = &names->files[index];
    opened open = {.steps = NULL};
    job work = {.options = asked->options};
    job_result result = {.kernel_seconds = -1, .seconds = -1};
    int status = open_files(asked, file, &open, error);
    if (status == CLI_DONE)
        status = describe(asked, file, &open, &work, error);
    if (status == CLI_DONE)
        status = job_one(&work, shared, &result, error);
    status = name_file(names, file->input, status, error);
    session_pause(shared);
    job_report_file(report, file, names->folder, &work, &result, status == CLI_DONE ? NULL : error);
    input_close(&open.input);
    output_discard(&open.output);
    free(open.steps);
    return status;
}

/* ---- All of them --------------------------------------------------------------------------- */

static int check_options(const task *asked, cli_error *error) {
    const common_options *options = asked->options;
    if (options->cut.given)
        return cli_misuse(error, "--cut is an option of tally-mpi");
    if (options->json && strcmp(asked->output, "-") == 0)
        return cli_misuse(error, "--json: standard output has the result");
    if (asked->step_count > 1 && several_named(options->device))
        return cli_misuse(error, "--device %s: steps run on one device", options->device);
    return CLI_DONE;
}

static int run_files(const task *asked, const job_names *names, session *shared, job_report *report,
                     cli_error *error) {
    size_t failed = 0;
    const bool many = names->count > 1;
    int status = many ? session_open(shared, error) : CLI_DONE;
    if (status != CLI_DONE)
        return status;
    shared->count = names->count;
    for (size_t i = 0; i < names->count; i++) {
        shared->at = i + 1;
        session_resume(shared);
        status = run_file(asked, names, i, shared, report, error);
        failed += status != CLI_DONE;
        if (status != CLI_DONE && many)
            cli_error_print(error);
    }
    if (!many || failed == 0)
        return status;
    return cli_fail(error, "%zu of %zu files failed", failed, names->count);
}

int job_run(const task *asked, cli_error *error) {
    job_names names = {0};
    session shared;
    job_report report;
    int status = check_options(asked, error);
    if (status == CLI_DONE)
        status = job_names_list(asked, &names, error);
    session_begin(&shared, asked->options);
    if (status == CLI_DONE) {
        job_report_begin(&report, asked);
        status = run_files(asked, &names, &shared, &report, error);
        job_report_end(&report, &shared);
    }
    session_end(&shared);
    job_names_free(&names);
    return status;
}
