/*
 * One operator run once on files, as a table of steps that share one struct: the first that fails
 * ends the run, and one position releases what the others made. Knows no operator by name.
 */
#include "cli/job.h"

#include <stdio.h>
#include <string.h>

#include "cli/job_stream.h"
#include "cli/several/job.h"
#include "cli/transfer.h"

/* ---- What the steps share ------------------------------------------------------------------ */

typedef struct run {
    const job *job;
    progress line;
    output_file output;
    device device;
    tally_op *op;
    tally_binding binding;
    uint64_t output_bytes;
    double kernel_seconds; /* negative: not known */
    bool streams;          /* the files are too large to be in the device's memory */
} run;

static int open_output(run *state, cli_error *error) {
    if (state->job->options->cut.given)
        return cli_misuse(error, "--cut is an option of tally-mpi");
    return output_open(&state->output, state->job->output_path, error);
}

static int open_device(run *state, cli_error *error) {
    const common_options *options = state->job->options;
    const device_request request = options_request(options, options->time);
    int status = device_choose(&request, &state->device, error);
    state->streams = status == CLI_DONE && job_stream_is_needed(state->job, &state->device);
    return status;
}

static int create_operator(run *state, cli_error *error) {
    tally_error refusal;
    progress_phase(&state->line, "compiling", 0);
    if (tally_op_create(state->device.runtime, &state->job->whole, &state->op, &refusal) !=
            TALLY_OK ||
        tally_tensor_bytes(&state->job->output, &state->output_bytes, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    return CLI_DONE;
}

static int explain(run *state, cli_error *error) {
    if (!state->job->options->explain)
        return CLI_DONE;
    int status = CLI_DONE;
    progress_stop(&state->line); /* the plan is not to be drawn over */
    if (state->streams) {
        status = job_stream_explain(state->job, &state->device, error);
    } else {
        const char *plan = tally_op_describe(state->op);
        size_t length = strlen(plan);
        fprintf(stderr, "%s%s", plan, length > 0 && plan[length - 1] == '\n' ? "" : "\n");
    }
    progress_start(&state->line, state->job->options->quiet);
    return status;
}

static int make_buffers(run *state, cli_error *error) {
    size_t scratch = tally_op_scratch_size(state->op);
    int status = transfer_allocate(&state->device, "output", state->output_bytes,
                                   &state->binding.output.buffer, error);
    if (status == CLI_DONE && scratch > 0)
        status = transfer_allocate(&state->device, "scratch memory", scratch,
                                   &state->binding.scratch.buffer, error);
    return status;
}

static int upload(run *state, cli_error *error) {
    const input_file *input = state->job->input;
    if (input == NULL)
        return CLI_DONE;
    int status = transfer_upload(&state->device, input, &state->line, &state->binding.input, error);
    return status == CLI_DONE ? CLI_DONE : cli_error_prefix(error, input->path, status);
}

/* ---- The launch ---------------------------------------------------------------------------- */

/* When the event ended on the device's clock, in ns; 0 if it does not say. */
static cl_ulong end_of(cl_event event) {
    cl_ulong end = 0;
    if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) !=
        CL_SUCCESS)
        return 0;
    return end;
}

/* Wait for the operator's event. */
static int wait_for(cl_event done, cli_error *error) {
    cl_int code = clWaitForEvents(1, &done);
    cl_int result = CL_COMPLETE;
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof result, &result, NULL);
    if (code == CL_SUCCESS && result == CL_COMPLETE)
        return CLI_DONE;
    return cli_fail_cl(error, "the operator's run", result < 0 ? result : code);
}

/* Enqueue the operator behind the event start, if there is one, and set *done. */
static int enqueue(run *state, const cl_event *start, cl_event *done, cli_error *error) {
    tally_error refusal;
    if (tally_op_enqueue(state->op, state->device.queue, &state->binding, start != NULL ? 1 : 0,
                         start, done, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    return CLI_DONE;
}

/*
 * Time all launches: an operator's event speaks of its last one only. A marker before the first is
 * held back by a gate until everything is enqueued, so that the host's part does not count.
 */
static int launch_timed(run *state, cli_error *error) {
    cl_event gate = NULL, start = NULL, done = NULL;
    cl_int code;
    int status = CLI_DONE;
    gate = clCreateUserEvent(state->device.context, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueMarkerWithWaitList(state->device.queue, 1, &gate, &start);
    if (code == CL_SUCCESS)
        status = enqueue(state, &start, &done, error);
    else
        status = cli_fail_cl(error, "clEnqueueMarkerWithWaitList", code);
    if (gate != NULL)
        clSetUserEventStatus(gate, CL_COMPLETE); /* in any case, or the queue never ends */
    if (status == CLI_DONE)
        status = wait_for(done, error);
    if (status == CLI_DONE && end_of(done) >= end_of(start) && end_of(start) > 0)
        state->kernel_seconds = (double)(end_of(done) - end_of(start)) * 1e-9;
    for (size_t i = 0; i < 3; i++) {
        cl_event event = (cl_event[]){gate, start, done}[i];
        if (event != NULL)
            clReleaseEvent(event);
    }
    return status;
}

static int launch(run *state, cli_error *error) {
    cl_event done = NULL;
    progress_phase(&state->line, "computing", 0);
    if (state->job->options->time)
        return launch_timed(state, error);
    int status = enqueue(state, NULL, &done, error);
    if (status == CLI_DONE)
        status = wait_for(done, error);
    if (done != NULL)
        clReleaseEvent(done);
    return status;
}

static int write_output(run *state, cli_error *error) {
    const tally_tensor *tensor = &state->job->output;
    char header[NPY_HEADER_MAX];
    size_t length = npy_format(tensor->dtype, tensor->rank, tensor->size, header);
    int status = output_write(&state->output, header, length, error);
    if (status == CLI_DONE)
        status = transfer_download(&state->device, state->binding.output.buffer,
                                   state->output_bytes, &state->output, &state->line, error);
    return status == CLI_DONE ? output_commit(&state->output, error) : status;
}

/* ---- The steps ----------------------------------------------------------------------------- */

static int stream(run *state, cli_error *error) {
    int status = job_stream_run(state->job, &state->device, &state->output, &state->line, error);
    return status == CLI_DONE ? output_commit(&state->output, error) : status;
}

/* Which runs have a step: all, those of files in the device's memory, or those in pieces. */
typedef enum step_kind { ALWAYS, WHOLE, PIECES } step_kind;

static const struct {
    const char *name; /* in the times; NULL: not told */
    int (*run)(run *state, cli_error *error);
    step_kind kind;
} steps[] = {
    {NULL, open_output, ALWAYS},
    {"device", open_device, ALWAYS},
    {"compile", create_operator, WHOLE},
    {NULL, explain, ALWAYS},
    {NULL, make_buffers, WHOLE},
    {"read", upload, WHOLE},
    {"run", launch, WHOLE},
    {"write", write_output, WHOLE},
    {"stream", stream, PIECES},
};
#define STEPS (sizeof steps / sizeof steps[0])

static bool has_step(const run *state, size_t i) {
    return steps[i].kind == ALWAYS || state->streams == (steps[i].kind == PIECES);
}

static void print_times(const run *state, const double seconds[STEPS], double wall) {
    if (state->kernel_seconds >= 0)
        fprintf(stderr, "kernels %.3f ms, ", state->kernel_seconds * 1e3);
    else
        fprintf(stderr, "kernels unknown (%s), ",
                state->streams ? "they ran beside the transfers" : "the device gives no times");
    fprintf(stderr, "wall %.3f ms (", wall * 1e3);
    const char *separator = "";
    for (size_t i = 0; i < STEPS; i++) {
        if (steps[i].name == NULL || !has_step(state, i))
            continue;
        fprintf(stderr, "%s%s %.3f", separator, steps[i].name, seconds[i] * 1e3);
        separator = ", ";
    }
    fprintf(stderr, ")\n");
}

static void release(run *state) {
    const cl_mem buffers[] = {state->binding.input.buffer, state->binding.output.buffer,
                              state->binding.scratch.buffer};
    progress_stop(&state->line);
    output_discard(&state->output);
    tally_op_release(state->op);
    if (state->device.queue != NULL)
        clFinish(state->device.queue); /* nothing may still read the mapped file */
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    device_close(&state->device);
}

int job_run(const job *description, cli_error *error) {
    run state = {.job = description, .kernel_seconds = -1};
    double seconds[STEPS] = {0};
    double began = progress_clock();
    int status = CLI_DONE;
    if (job_is_for_several(description))
        return job_run_several(description, error);
    progress_start(&state.line, description->options->quiet);
    for (size_t i = 0; i < STEPS && status == CLI_DONE; i++) {
        double start = progress_clock();
        if (!has_step(&state, i))
            continue;
        status = steps[i].run(&state, error);
        seconds[i] = progress_clock() - start;
    }
    release(&state);
    if (status == CLI_DONE && description->options->time)
        print_times(&state, seconds, progress_clock() - began);
    return status;
}

int job_with_input(const char *path, job_work *work, const void *options, cli_error *error) {
    input_file input = {0};
    int status = path != NULL ? input_open(&input, path, error) : CLI_DONE;
    if (status == CLI_DONE)
        status = work(options, path != NULL ? &input : NULL, error);
    input_close(&input);
    return status;
}
