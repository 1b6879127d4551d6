/*
 * One operator run once on files, on several devices: a device's part of the input goes from the
 * mapped file to the device, and its part of the output to its place among the others.
 */
#include "cli/several/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/several/several.h"
#include "cli/transfer.h"
#include "platform/system.h"

/* Bytes of an input from which it pays to find out how fast the devices are. */
#define MEASURE_MIN ((uint64_t)64 << 20)

typedef struct run {
    const job *job;
    session *with;
    several *on;
    tally_devices_op *op;
    tally_binding bindings[TALLY_DEVICES_MAX];
    unsigned char *result; /* the whole output */
    uint64_t result_bytes;
    double seconds; /* of the run */
} run;

static int open_devices(run *state, cli_error *error) {
    double even[TALLY_DEVICES_MAX];
    int status = session_open(state->with, error);
    if (status != CLI_DONE || state->with->devices != NULL)
        return status;
    for (uint32_t i = 0; i < state->on->count; i++)
        even[i] = 1;
    const input_file *input = state->job->input;
    const bool measured =
        state->on->count > 1 && input != NULL && input->array.data_bytes >= MEASURE_MIN;
    progress_phase(&state->with->line, "measuring the devices", 0);
    return several_list(state->on, state->on->count, measured ? NULL : even, &state->with->devices,
                        error);
}

static int create_operator(run *state, cli_error *error) {
    tally_error refusal;
    progress_phase(&state->with->line, "compiling", 0);
    if (tally_devices_op_create(state->with->devices, job_desc(state->job), TALLY_ANY_AXIS,
                                &state->op, &refusal) != TALLY_OK ||
        tally_tensor_bytes(job_output(state->job), &state->result_bytes, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    state->result = malloc((size_t)state->result_bytes + 1);
    return state->result != NULL ? CLI_DONE : cli_fail_memory(error, "the output");
}

/* A device's part; of an operator that was made there is one for each device. */
static tally_devices_part part_of(const run *state, uint32_t i) {
    tally_devices_part part = TALLY_DEVICES_PART_INIT;
    (void)tally_devices_op_part(state->op, i, &part, NULL);
    return part;
}

static int explain(run *state, cli_error *error) {
    (void)error;
    if (!state->job->options->explain)
        return CLI_DONE;
    session_pause(state->with); /* what is printed is not to be drawn over */
    for (uint32_t i = 0; i < state->on->count; i++) {
        const tally_devices_part part = part_of(state, i);
        char *name = device_text(state->on->device[i].id, CL_DEVICE_NAME);
        fprintf(stderr, "axis %" PRIu32 " [%" PRIu64 ", %" PRIu64 "): %s\n", part.axis, part.begin,
                part.end, name != NULL ? name : "");
        free(name);
    }
    session_resume(state->with);
    return CLI_DONE;
}

/* ---- Transfers ------------------------------------------------------------------------------ */

/* A range of a packed tensor in memory of the host: rows of so many bytes, a pitch apart. */
typedef struct rows {
    size_t offset, bytes, count, pitch;
} rows;

static rows rows_of(const tally_tensor *whole, const tally_devices_part *part) {
    size_t inner = tally_dtype_size(whole->dtype), outer = 1;
    for (uint32_t k = 0; k < whole->rank; k++)
        if (k < part->axis)
            outer *= (size_t)whole->size[k];
        else if (k > part->axis)
            inner *= (size_t)whole->size[k];
    return (rows){(size_t)part->begin * inner, (size_t)(part->end - part->begin) * inner, outer,
                  (size_t)whole->size[part->axis] * inner};
}

/* Where a part begins in an input with strides, whose parts are stretches of its memory. */
static size_t stretch_of(const tally_tensor *whole, const tally_devices_part *part) {
    return (size_t)(part->begin * whole->stride[part->axis]) * tally_dtype_size(whole->dtype);
}

static int upload_part(run *state, uint32_t i, const tally_devices_part *part, cli_error *error) {
    const input_file *input = state->job->input;
    const char *data = (const char *)input->map + input->array.data_offset;
    const tally_tensor *whole = tally_desc_input(job_desc(state->job));
    const size_t zero[3] = {0, 0, 0};
    cl_mem buffer = state->bindings[i].input.buffer;
    cl_command_queue queue = state->on->device[i].queue;
    if ((whole->flags & TALLY_STRIDED) != 0) {
        const cl_int code =
            clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, (size_t)part->input_bytes,
                                 data + stretch_of(whole, part), 0, NULL, NULL);
        return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueWriteBuffer", code);
    }
    const rows of = rows_of(whole, part);
    const size_t from[3] = {of.offset, 0, 0}, region[3] = {of.bytes, of.count, 1};
    const cl_int code = clEnqueueWriteBufferRect(queue, buffer, CL_FALSE, zero, from, region,
                                                 of.bytes, 0, of.pitch, 0, data, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueWriteBufferRect", code);
}

static int download_part(run *state, uint32_t i, const tally_devices_part *part, bool whole_output,
                         cli_error *error) {
    const size_t zero[3] = {0, 0, 0};
    rows of = {0, (size_t)part->output_bytes, 1, (size_t)part->output_bytes};
    if (!whole_output)
        of = rows_of(tally_desc_output(job_desc(state->job)), part);
    const size_t to[3] = {of.offset, 0, 0}, region[3] = {of.bytes, of.count, 1};
    const cl_int code = clEnqueueReadBufferRect(
        state->on->device[i].queue, state->bindings[i].output.buffer, CL_FALSE, zero, to, region,
        of.bytes, 0, of.pitch, 0, state->result, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueReadBufferRect", code);
}

/* Wait for the transfers of all devices. */
static int finish(run *state, cli_error *error) {
    int status = CLI_DONE;
    for (uint32_t i = 0; i < state->on->count; i++) {
        const cl_int code = clFinish(state->on->device[i].queue);
        if (code != CL_SUCCESS && status == CLI_DONE)
            status = cli_fail_cl(error, "clFinish", code);
    }
    return status;
}

static int upload(run *state, cli_error *error) {
    int status = CLI_DONE;
    progress_phase(&state->with->line, "reading", 0);
    for (uint32_t i = 0; i < state->on->count && status == CLI_DONE; i++) {
        const tally_devices_part part = part_of(state, i);
        const device *on = &state->on->device[i];
        tally_binding *binding = &state->bindings[i];
        if (part.output_bytes > 0)
            status = transfer_allocate(on, "output's part", part.output_bytes,
                                       &binding->output.buffer, error);
        if (part.input_bytes == 0 || status != CLI_DONE)
            continue;
        status =
            transfer_allocate(on, "input's part", part.input_bytes, &binding->input.buffer, error);
        if (status == CLI_DONE)
            status = upload_part(state, i, &part, error);
    }
    const int finished = status == CLI_DONE ? finish(state, error) : status;
    return finished == CLI_DONE || state->job->input == NULL
               ? finished
               : cli_error_prefix(error, state->job->input->path, finished);
}

static int compute(run *state, cli_error *error) {
    tally_error refusal;
    progress_phase(&state->with->line, "computing", 0);
    const double began = tally_clock();
    if (tally_devices_op_run(state->op, state->bindings, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    state->seconds = tally_clock() - began;
    return CLI_DONE;
}

static int write_output(run *state, cli_error *error) {
    const tally_tensor *tensor = job_output(state->job);
    char header[NPY_HEADER_MAX];
    tally_cut cut = TALLY_CUT_INIT;
    const size_t length = npy_format(tensor->dtype, tensor->rank, tensor->size, header);
    int status = CLI_DONE;
    (void)tally_devices_op_cut(state->op, &cut, NULL);
    progress_phase(&state->with->line, "writing", 0);
    for (uint32_t i = 0; i < state->on->count && status == CLI_DONE; i++) {
        const tally_devices_part part = part_of(state, i);
        if (part.output_bytes > 0)
            status = download_part(state, i, &part, cut.kind == TALLY_CUT_STATES, error);
    }
    if (status == CLI_DONE)
        status = finish(state, error);
    if (status == CLI_DONE)
        status = output_write(state->job->file, header, length, error);
    if (status == CLI_DONE)
        status = output_write(state->job->file, state->result, (size_t)state->result_bytes, error);
    return status == CLI_DONE ? output_commit(state->job->file, error) : status;
}

/* ---- The steps ------------------------------------------------------------------------------ */

static void release(run *state) {
    tally_devices_op_release(state->op);
    for (uint32_t i = 0; i < state->on->count; i++) {
        clFinish(state->on->device[i].queue); /* nothing may still read the mapped file */
        if (state->bindings[i].input.buffer != NULL)
            clReleaseMemObject(state->bindings[i].input.buffer);
        if (state->bindings[i].output.buffer != NULL)
            clReleaseMemObject(state->bindings[i].output.buffer);
    }
    free(state->result);
}

int job_several(const job *description, session *with, job_result *result, cli_error *error) {
    static int (*const steps[])(run * state, cli_error * error) = {
        open_devices, create_operator, explain, upload, compute, write_output};
    run state = {.job = description, .with = with, .on = &with->on};
    int status = CLI_DONE;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == CLI_DONE; i++)
        status = steps[i](&state, error);
    result->devices = state.on->count;
    result->kernel_seconds = state.seconds;
    release(&state);
    return status;
}
