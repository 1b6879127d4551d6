/*
 * The fixed set on a device: inputs shared by all problems of a type and class, one output and one
 * scratch buffer. Knows the public API and OpenCL, and of the problems what they are made of.
 */
#include "cli/verify/run.h"
#include "cli/tables/types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Elements of an input that few problems go beyond. */
#define INPUT_ELEMENTS ((uint64_t)1 << 17)

int verify_session_open(verify_session *session, const device_request *request, cli_error *error) {
    memset(session, 0, sizeof *session);
    session->error = error;
    return device_choose(request, &session->device, error);
}

static void release_inputs(verify_session *session) {
    for (size_t i = 0; i < VERIFY_CLASSES; i++)
        transfer_release(&session->input[i]);
}

void verify_session_close(verify_session *session) {
    release_inputs(session);
    transfer_release(&session->output);
    transfer_release(&session->scratch);
    device_close(&session->device);
}

/* ---- Memory -------------------------------------------------------------------------------- */

static int grow(verify_session *session, transfer_buffer *memory, const char *what,
                uint64_t bytes) {
    return transfer_grow(&session->device, what, bytes, memory, session->error);
}

static int upload(verify_session *session, const transfer_buffer *input, tally_dtype dtype,
                  verify_class values) {
    unsigned char *bytes = malloc((size_t)input->bytes);
    if (bytes == NULL)
        return cli_fail_memory(session->error, "the values of a class");
    verify_fill(dtype, values, input->bytes / cli_type_bytes(dtype), bytes);
    cl_int code = clEnqueueWriteBuffer(session->device.queue, input->buffer, CL_TRUE, 0,
                                       (size_t)input->bytes, bytes, 0, NULL, NULL);
    free(bytes);
    return code == CL_SUCCESS ? CLI_DONE
                              : cli_fail_cl(session->error, "clEnqueueWriteBuffer", code);
}

/* The input's class, from its first element to the last that the problem needs, at least. */
static int bind_input(verify_session *session, const verify_problem *problem, tally_view *view) {
    const tally_dtype dtype = problem->input.dtype;
    const size_t element = cli_type_bytes(dtype);
    transfer_buffer *input = &session->input[problem->values];
    if (session->dtype != dtype)
        release_inputs(session);
    session->dtype = dtype;
    const uint64_t least =
        problem->input_elements > INPUT_ELEMENTS ? problem->input_elements : INPUT_ELEMENTS;
    if (input->buffer == NULL || input->bytes < least * element) {
        int status = grow(session, input, "input", least * element);
        if (status == CLI_DONE)
            status = upload(session, input, dtype, problem->values);
        if (status != CLI_DONE)
            return status;
    }
    view->buffer = input->buffer;
    view->offset = (size_t)problem->skip * element;
    return CLI_DONE;
}

static int bind_output(verify_session *session, size_t bytes, tally_view *view) {
    const size_t least = (size_t)1 << 16;
    int status = grow(session, &session->output, "output", bytes > least ? bytes : least);
    view->buffer = session->output.buffer;
    return status;
}

static int bind(verify_session *session, const verify_problem *problem, const tally_op *op,
                size_t bytes, tally_binding *binding) {
    const size_t scratch = tally_op_scratch_size(op);
    int status = bind_output(session, bytes, &binding->output);
    if (problem->in_place)
        binding->input = binding->output;
    else if (status == CLI_DONE && problem->has_input)
        status = bind_input(session, problem, &binding->input);
    if (status == CLI_DONE && scratch > 0)
        status = grow(session, &session->scratch, "scratch memory", scratch);
    binding->scratch.buffer = session->scratch.buffer;
    return status;
}

/* ---- A problem ----------------------------------------------------------------------------- */

typedef tally_status creator(tally_runtime *runtime, const verify_problem *problem, tally_op **op,
                             tally_error *error);

static tally_status create_reduce(tally_runtime *runtime, const verify_problem *problem,
                                  tally_op **op, tally_error *error) {
    return tally_reduce_create(runtime, &problem->reduce, op, error);
}

static tally_status create_scan(tally_runtime *runtime, const verify_problem *problem,
                                tally_op **op, tally_error *error) {
    return tally_cumulative_create(runtime, &problem->scan, op, error);
}

static tally_status create_fill(tally_runtime *runtime, const verify_problem *problem,
                                tally_op **op, tally_error *error) {
    tally_diagonal desc = problem->fill;
    desc.input = problem->has_input ? &problem->input : NULL;
    return tally_diagonal_create(runtime, &desc, op, error);
}

static creator *const creators[VERIFY_KINDS] = {
    [VERIFY_REDUCE] = create_reduce, [VERIFY_SCAN] = create_scan, [VERIFY_FILL] = create_fill};

static int create(const verify_session *session, const verify_problem *problem, tally_op **op) {
    tally_error refusal;
    if (creators[problem->kind](session->device.runtime, problem, op, &refusal) == TALLY_OK)
        return CLI_DONE;
    return cli_fail(session->error, "%s", refusal.message);
}

/* The output is at first as the host's bytes are: full of what tells what is not written. */
static int run(const verify_session *session, tally_op *op, const tally_binding *binding,
               const unsigned char *before, unsigned char *output, size_t bytes) {
    tally_error refusal;
    cl_int written = clEnqueueWriteBuffer(session->device.queue, binding->output.buffer, CL_TRUE, 0,
                                          bytes, before, 0, NULL, NULL);
    if (written != CL_SUCCESS)
        return cli_fail_cl(session->error, "clEnqueueWriteBuffer", written);
    if (tally_op_enqueue(op, session->device.queue, binding, 0, NULL, NULL, &refusal) != TALLY_OK)
        return cli_fail(session->error, "%s", refusal.message);
    cl_int code = clEnqueueReadBuffer(session->device.queue, binding->output.buffer, CL_TRUE, 0,
                                      bytes, output, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(session->error, "clEnqueueReadBuffer", code);
}

/* Compare the runs' bytes with the first's; behind before is room for one. */
static int repeat(const verify_session *session, tally_op *op, const tally_binding *binding,
                  unsigned char *before, const unsigned char *first, size_t bytes) {
    unsigned char *found = before + bytes;
    for (uint32_t k = 1; k < session->runs; k++) {
        int status = run(session, op, binding, before, found, bytes);
        if (status != CLI_DONE)
            return status;
        size_t at = 0;
        while (at < bytes && found[at] == first[at])
            at++;
        if (at < bytes)
            return cli_fail(session->error,
                            "run %" PRIu32 " of %" PRIu32
                            " gave byte %zu the value 0x%02X, but the first 0x%02X",
                            k + 1, session->runs, at, found[at], first[at]);
    }
    return CLI_DONE;
}

static int run_all(const verify_session *session, tally_op *op, const tally_binding *binding,
                   unsigned char *output, size_t bytes) {
    if (session->runs <= 1)
        return run(session, op, binding, output, output, bytes);
    unsigned char *before = malloc(2 * bytes + 1);
    if (before == NULL)
        return cli_fail_memory(session->error, "another run's output");
    memcpy(before, output, bytes);
    int status = run(session, op, binding, before, output, bytes);
    if (status == CLI_DONE)
        status = repeat(session, op, binding, before, output, bytes);
    free(before);
    return status;
}

int verify_session_solve(void *user, const verify_problem *problem, unsigned char *output,
                         size_t bytes) {
    verify_session *session = user;
    tally_binding binding = TALLY_BINDING_INIT;
    tally_op *op = NULL;
    int status = create(session, problem, &op);
    if (status == CLI_DONE)
        status = bind(session, problem, op, bytes, &binding);
    if (status == CLI_DONE)
        status = run_all(session, op, &binding, output, bytes);
    tally_op_release(op);
    return status;
}
