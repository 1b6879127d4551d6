/*
 * The job of one file, as a table of steps that share one struct: the first that fails ends the
 * run, and one position releases what the others made. Knows no operator by name.
 */
#include "cli/job/one.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job/stream.h"
#include "cli/several/job.h"
#include "cli/transfer.h"
#include "platform/system.h"

/* ---- What the phases share ----------------------------------------------------------------- */

/* An operator of the job and what it is bound to. */
typedef struct link {
    tally_op *op;
    tally_binding binding;
    uint64_t output_bytes;
} link;

typedef struct run {
    const job *job;
    session *with;
    device *device;
    link *links;       /* of the steps; NULL: the job is a stream */
    cl_mem input;      /* of the first; NULL: it reads nothing */
    cl_mem outputs[2]; /* of the steps in turns */
    cl_mem scratch;    /* of all */
    job_result *result;
} run;

static link *last_link(const run *state) {
    return &state->links[state->job->step_count - 1];
}

static int open_device(run *state, cli_error *error) {
    int status = session_open(state->with, error);
    state->result->streams = status == CLI_DONE && state->job->step_count == 1 &&
                             job_stream_is_needed(state->job, state->device);
    return status;
}

static int create_operator(run *state, uint32_t i, cli_error *error) {
    const step *described = &state->job->steps[i];
    link *made = &state->links[i];
    tally_error refusal;
    if (tally_op_create(state->device->runtime, &described->desc, &made->op, &refusal) ==
            TALLY_OK &&
        tally_tensor_bytes(&described->output, &made->output_bytes, &refusal) == TALLY_OK)
        return CLI_DONE;
    cli_fail(error, "%s", refusal.message);
    return described->label != NULL ? cli_error_prefix(error, described->label, CLI_FAILED)
                                    : CLI_FAILED;
}

static int create_operators(run *state, cli_error *error) {
    int status = CLI_DONE;
    progress_phase(&state->with->line, "compiling", 0);
    state->links = calloc(state->job->step_count, sizeof *state->links);
    if (state->links == NULL)
        return cli_fail_memory(error, "the operators");
    for (uint32_t i = 0; i < state->job->step_count && status == CLI_DONE; i++)
        status = create_operator(state, i, error);
    return status;
}

static void print_plan(const tally_op *op) {
    const char *plan = tally_op_describe(op);
    size_t length = strlen(plan);
    fprintf(stderr, "%s%s", plan, length > 0 && plan[length - 1] == '\n' ? "" : "\n");
}

static int explain(run *state, cli_error *error) {
    if (!state->job->options->explain)
        return CLI_DONE;
    int status = CLI_DONE;
    session_pause(state->with); /* the plan is not to be drawn over */
    if (state->result->streams)
        status = job_stream_explain(state->job, state->device, error);
    for (uint32_t i = 0; i < state->job->step_count && state->links != NULL; i++)
        print_plan(state->links[i].op);
    session_resume(state->with);
    return status;
}

/* ---- Memory -------------------------------------------------------------------------------- */

/* Of the steps in turns, since each needs what the one before wrote, and nothing older. */
static int make_outputs(run *state, cli_error *error) {
    const uint32_t count = state->job->step_count;
    uint64_t bytes[2] = {0, 0};
    int status = CLI_DONE;
    for (uint32_t i = 0; i < count; i++)
        if (state->links[i].output_bytes > bytes[i % 2])
            bytes[i % 2] = state->links[i].output_bytes;
    for (uint32_t i = 0; i < 2 && i < count && status == CLI_DONE; i++)
        status = transfer_allocate(state->device, count == 1 ? "output" : "output of a step",
                                   bytes[i], &state->outputs[i], error);
    return status;
}

static int make_buffers(run *state, cli_error *error) {
    size_t scratch = 0;
    int status = make_outputs(state, error);
    for (uint32_t i = 0; i < state->job->step_count; i++)
        if (tally_op_scratch_size(state->links[i].op) > scratch)
            scratch = tally_op_scratch_size(state->links[i].op);
    if (status == CLI_DONE && scratch > 0)
        status =
            transfer_allocate(state->device, "scratch memory", scratch, &state->scratch, error);
    for (uint32_t i = 0; i < state->job->step_count; i++) {
        tally_binding *binding = &state->links[i].binding;
        binding->output.buffer = state->outputs[i % 2];
        binding->scratch.buffer = state->scratch;
        if (i > 0)
            binding->input.buffer = state->outputs[(i - 1) % 2];
    }
    return status;
}

static int upload(run *state, cli_error *error) {
    const input_file *input = state->job->input;
    tally_view *view = &state->links[0].binding.input;
    if (input == NULL)
        return CLI_DONE;
    int status = transfer_upload(state->device, input, &state->with->line, view, error);
    state->input = view->buffer;
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

/* Enqueue the operators behind the event start, if there is one, and set *done. */
static int enqueue(run *state, const cl_event *start, cl_event *done, cli_error *error) {
    const uint32_t count = state->job->step_count;
    tally_error refusal;
    for (uint32_t i = 0; i < count; i++) {
        const link *bound = &state->links[i];
        const bool waits = i == 0 && start != NULL; /* the queue keeps the others in order */
        if (tally_op_enqueue(bound->op, state->device->queue, &bound->binding, waits ? 1 : 0,
                             waits ? start : NULL, i + 1 == count ? done : NULL,
                             &refusal) != TALLY_OK)
            return cli_fail(error, "%s", refusal.message);
    }
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
    gate = clCreateUserEvent(state->device->context, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueMarkerWithWaitList(state->device->queue, 1, &gate, &start);
    if (code == CL_SUCCESS)
        status = enqueue(state, &start, &done, error);
    else
        status = cli_fail_cl(error, "clEnqueueMarkerWithWaitList", code);
    if (gate != NULL)
        clSetUserEventStatus(gate, CL_COMPLETE); /* in any case, or the queue never ends */
    if (status == CLI_DONE)
        status = wait_for(done, error);
    if (status == CLI_DONE && end_of(done) >= end_of(start) && end_of(start) > 0)
        state->result->kernel_seconds = (double)(end_of(done) - end_of(start)) * 1e-9;
    for (size_t i = 0; i < 3; i++) {
        cl_event event = (cl_event[]){gate, start, done}[i];
        if (event != NULL)
            clReleaseEvent(event);
    }
    return status;
}

static int launch(run *state, cli_error *error) {
    cl_event done = NULL;
    progress_phase(&state->with->line, "computing", 0);
    if (session_is_timed(state->with))
        return launch_timed(state, error);
    int status = enqueue(state, NULL, &done, error);
    if (status == CLI_DONE)
        status = wait_for(done, error);
    if (done != NULL)
        clReleaseEvent(done);
    return status;
}

static int write_output(run *state, cli_error *error) {
    const tally_tensor *tensor = job_output(state->job);
    const link *last = last_link(state);
    char header[NPY_HEADER_MAX];
    size_t length = npy_format(tensor->dtype, tensor->rank, tensor->size, header);
    int status = output_write(state->job->file, header, length, error);
    if (status == CLI_DONE)
        status = transfer_download(state->device, last->binding.output.buffer, last->output_bytes,
                                   state->job->file, &state->with->line, error);
    return status == CLI_DONE ? output_commit(state->job->file, error) : status;
}

/* ---- The phases ---------------------------------------------------------------------------- */

static int stream(run *state, cli_error *error) {
    int status = job_stream_run(state->job, state->device, &state->with->line, error);
    return status == CLI_DONE ? output_commit(state->job->file, error) : status;
}

/* Which runs have a phase: all, those of files in the device's memory, or those in pieces. */
typedef enum phase_kind { ALWAYS, WHOLE, PIECES } phase_kind;

static const struct {
    const char *name; /* in the times; NULL: not told */
    int (*run)(run *state, cli_error *error);
    phase_kind kind;
} phases[] = {
    {"device", open_device, ALWAYS}, {"compile", create_operators, WHOLE},
    {NULL, explain, ALWAYS},         {NULL, make_buffers, WHOLE},
    {"read", upload, WHOLE},         {"run", launch, WHOLE},
    {"write", write_output, WHOLE},  {"stream", stream, PIECES},
};
#define PHASES (sizeof phases / sizeof phases[0])
_Static_assert(PHASES <= JOB_PHASES, "the result has room for the times of all");

static bool has_phase(const run *state, size_t i) {
    return phases[i].kind == ALWAYS || state->result->streams == (phases[i].kind == PIECES);
}

static void note_time(job_result *result, const char *name, double seconds) {
    if (name == NULL)
        return;
    result->phases[result->phase_count].name = name;
    result->phases[result->phase_count++].seconds = seconds;
}

static void release(run *state) {
    const cl_mem buffers[] = {state->input, state->outputs[0], state->outputs[1], state->scratch};
    for (uint32_t i = 0; state->links != NULL && i < state->job->step_count; i++)
        tally_op_release(state->links[i].op);
    if (state->device->queue != NULL)
        clFinish(state->device->queue); /* nothing may still read the mapped file */
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(state->links);
}

int job_one(const job *description, session *with, job_result *result, cli_error *error) {
    run state = {.job = description, .with = with, .device = &with->device, .result = result};
    double began = tally_clock();
    int status = CLI_DONE;
    *result = (job_result){.kernel_seconds = -1};
    if (several_named(description->options->device)) {
        status = job_several(description, with, result, error);
        result->seconds = tally_clock() - began;
        return status;
    }
    for (size_t i = 0; i < PHASES && status == CLI_DONE; i++) {
        double start = tally_clock();
        if (!has_phase(&state, i))
            continue;
        status = phases[i].run(&state, error);
        note_time(result, phases[i].name, tally_clock() - start);
    }
    release(&state);
    result->seconds = tally_clock() - began;
    return status;
}
