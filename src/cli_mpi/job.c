/*
 * One operator run once on files by all ranks: what src/cli/job is for one process. The commands
 * describe the whole; each rank takes its range of it. After each step that a rank does on its own
 * all agree whether to go on.
 */
#include "cli/job/job.h"

#include <stdio.h>

#include "cli/transfer.h"
#include "cli_mpi/devices.h"
#include "cli_mpi/files.h"
#include "cli_mpi/together.h"
#include "platform/system.h"

/* ---- What the steps share ------------------------------------------------------------------ */

typedef struct run {
    const job *job;
    const char *output_path;
    int rank;
    progress line;
    device device;
    tally_mpi *mpi;
    tally_mpi_layout layout;
    tally_tensor input; /* this rank's, as the file has it */
    tally_mpi_op *op;
    tally_mpi_traffic traffic;
    slice reads, writes;
    cl_mem in, out;
    shared_output output;
} run;

/* ---- The steps ------------------------------------------------------------------------------ */

static int check_options(run *state, cli_error *error) {
    const common_options *options = state->job->options;
    if (options->explain || options->json)
        return cli_misuse(error, "--%s is an option of tally, for one device",
                          options->explain ? "explain" : "json");
    return CLI_DONE;
}

static int open_output(run *state, cli_error *error) {
    tally_error refusal;
    uint64_t bytes = 0;
    int status = together_check(tally_tensor_bytes(job_output(state->job), &bytes, &refusal),
                                &refusal, error);
    status = together_agree(status, error);
    return status == CLI_DONE ? shared_output_open(&state->output, state->output_path,
                                                   job_output(state->job), bytes, error)
                              : status;
}

static int open_device(run *state, cli_error *error) {
    tally_error refusal;
    const device_request request = options_request(state->job->options, false);
    int status = devices_open(&request, &state->device, error);
    if (status != CLI_DONE)
        return status;
    return together_check(tally_mpi_create(MPI_COMM_WORLD, state->device.runtime,
                                           state->device.queue, &state->mpi, &refusal),
                          &refusal, error);
}

/* A file in Fortran order is such a tensor in the device's memory too. */
static void lay_out_input(run *state) {
    const tally_mpi_layout *own = &state->layout;
    const tally_tensor *whole = tally_desc_input(job_desc(state->job));
    uint64_t stride = 1;
    state->input = tally_tensor_range(whole, own->axis, own->begin, own->end);
    if ((whole->flags & TALLY_STRIDED) == 0)
        return;
    state->input.flags = TALLY_STRIDED;
    for (uint32_t k = 0; k < whole->rank; k++) {
        state->input.stride[k] = stride;
        stride *= state->input.size[k];
    }
    state->layout.input = &state->input;
}

static int cut_whole(run *state, cli_error *error) {
    tally_error refusal;
    const optional_int *cut = &state->job->options->cut;
    const uint32_t rank = tally_desc_output(job_desc(state->job))->rank;
    uint32_t axis = TALLY_ANY_AXIS;
    int status = cut->given ? value_resolve_axis(cut->value, rank, &axis, error) : CLI_DONE;
    if (status != CLI_DONE)
        return cli_error_prefix(error, "--cut", status);
    state->layout = (tally_mpi_layout)TALLY_MPI_LAYOUT_INIT;
    status = together_check(
        tally_mpi_even(state->mpi, job_desc(state->job), axis, &state->layout, &refusal), &refusal,
        error);
    if (status == CLI_DONE && tally_desc_input(job_desc(state->job)) != NULL)
        lay_out_input(state);
    return together_agree(status, error);
}

static int create_operator(run *state, cli_error *error) {
    tally_error refusal;
    progress_phase(&state->line, "compiling", 0);
    state->traffic = (tally_mpi_traffic)TALLY_MPI_TRAFFIC_INIT;
    int status = together_check(
        tally_mpi_op_create(state->mpi, job_desc(state->job), &state->layout, &state->op, &refusal),
        &refusal, error);
    if (status != CLI_DONE)
        return status;
    return together_agree(
        together_check(tally_mpi_op_traffic(state->op, &state->traffic, &refusal), &refusal, error),
        error);
}

/* Which bytes of the files are this rank's. A result that is not distributed is rank 0's to write.
 */
static void find_slices(run *state) {
    const tally_mpi_layout *own = &state->layout;
    const tally_tensor *input = tally_desc_input(job_desc(state->job));
    const tally_tensor *output = tally_desc_output(job_desc(state->job));
    const uint64_t size = output->size[own->axis];
    const bool distributed = state->traffic.kind != TALLY_CUT_STATES;
    if (input != NULL)
        state->reads =
            slice_of(input, (input->flags & TALLY_STRIDED) != 0, own->axis, own->begin, own->end);
    state->writes = distributed ? slice_of(output, false, own->axis, own->begin, own->end)
                                : slice_of(output, false, own->axis, 0, size);
}

static int read_input(run *state, cli_error *error) {
    int status;
    find_slices(state);
    status = transfer_allocate(&state->device, "output", state->writes.bytes, &state->out, error);
    if (status == CLI_DONE && state->job->input != NULL)
        status = transfer_allocate(&state->device, "input", state->reads.bytes, &state->in, error);
    if (status == CLI_DONE && state->job->input != NULL)
        status = files_read(&state->device, state->job->input, &state->reads, state->in,
                            &state->line, error);
    return together_agree(status, error);
}

static int launch(run *state, cli_error *error) {
    tally_error refusal;
    tally_view input = TALLY_VIEW_INIT, output = TALLY_VIEW_INIT;
    input.buffer = state->in;
    output.buffer = state->out;
    progress_phase(&state->line, "computing", 0);
    return together_check(tally_mpi_run(state->op, &input, &output, 0, NULL, &refusal), &refusal,
                          error);
}

static int write_output(run *state, cli_error *error) {
    int status = CLI_DONE;
    if (state->traffic.kind != TALLY_CUT_STATES || state->rank == 0)
        status = shared_output_write(&state->output, &state->device, state->out, &state->writes,
                                     &state->line, error);
    return shared_output_close(&state->output, status, error);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const struct {
    const char *name; /* in the times; NULL: not told */
    int (*run)(run *state, cli_error *error);
} steps[] = {
    {NULL, check_options}, {NULL, open_output},          {"device", open_device},
    {NULL, cut_whole},     {"compile", create_operator}, {"read", read_input},
    {"run", launch},       {"write", write_output},
};
#define STEPS (sizeof steps / sizeof steps[0])

static void print_times(const run *state, const double seconds[STEPS], double wall) {
    fprintf(stderr, "rank 0 gave %llu bytes and got %llu, wall %.3f ms (",
            (unsigned long long)state->traffic.bytes_given,
            (unsigned long long)state->traffic.bytes_gathered, wall * 1e3);
    const char *separator = "";
    for (size_t i = 0; i < STEPS; i++) {
        if (steps[i].name == NULL)
            continue;
        fprintf(stderr, "%s%s %.3f", separator, steps[i].name, seconds[i] * 1e3);
        separator = ", ";
    }
    fprintf(stderr, ")\n");
}

/* Every rank comes here with the same status. */
static void release(run *state) {
    cli_error ignored = {""};
    progress_stop(&state->line);
    if (state->output.file >= 0)
        shared_output_close(&state->output, CLI_FAILED, &ignored);
    tally_mpi_op_release(state->op);
    tally_mpi_release(state->mpi);
    if (state->in != NULL)
        clReleaseMemObject(state->in);
    if (state->out != NULL)
        clReleaseMemObject(state->out);
    device_close(&state->device);
}

static int run_steps(const job *description, const char *output_path, cli_error *error) {
    run state = {.job = description, .output_path = output_path, .output.file = -1};
    double seconds[STEPS] = {0};
    const double began = tally_clock();
    int status = CLI_DONE;
    MPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
    progress_start(&state.line, description->options->quiet || state.rank != 0);
    for (size_t i = 0; i < STEPS && status == CLI_DONE; i++) {
        const double start = tally_clock();
        status = steps[i].run(&state, error);
        seconds[i] = tally_clock() - start;
    }
    release(&state);
    if (status == CLI_DONE && description->options->time && state.rank == 0)
        print_times(&state, seconds, tally_clock() - began);
    return status;
}

/* The operator of one input, which every rank has found to be the same. */
static int run_on_input(const task *asked, const input_file *input, cli_error *error) {
    step described = {.label = NULL};
    tally_tensor tensor = TALLY_TENSOR_INIT;
    if (input != NULL)
        tensor = npy_tensor(&input->array);
    int status = asked->describe(asked->given, input != NULL ? &tensor : NULL, &described, error);
    if (status != CLI_DONE)
        return status;
    const job work = {
        .options = asked->options, .steps = &described, .step_count = 1, .input = input};
    return run_steps(&work, asked->output, error);
}

int job_run(const task *asked, cli_error *error) {
    const char *path = asked->inputs.count > 0 ? asked->inputs.texts[0] : NULL;
    input_file input = {0};
    int status = CLI_DONE;
    if (asked->inputs.count > 1)
        return cli_misuse(error, "tally-mpi takes one input, but %s is given as well",
                          asked->inputs.texts[1]);
    if (path != NULL)
        status = together_compare(input_open(&input, path, asked->counts, error), &input.array,
                                  sizeof input.array, path, error);
    if (status == CLI_DONE)
        status = run_on_input(asked, path != NULL ? &input : NULL, error);
    input_close(&input);
    return status;
}
