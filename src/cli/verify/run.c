/*
 * The fixed set on a device: inputs shared by all problems of a type and class, one output and one
 * scratch buffer. Knows the public API and OpenCL, and of the problems what they are made of.
 */
#include "cli/verify/run.h"
#include "cli/tables/types.h"
#include "cli/verify/describe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Elements of an input that few problems go beyond. */
#define INPUT_ELEMENTS ((uint64_t)1 << 17)

int verify_session_open(verify_session *session, const device_request *request, uint32_t parts,
                        cli_error *error) {
    memset(session, 0, sizeof *session);
    session->error = error;
    int status = device_choose(request, &session->device, error);
    session->parts = parts;
    return status == CLI_DONE && parts > 0
               ? verify_cuts_open(&session->cuts, &session->device, parts, error)
               : status;
}

static void release_inputs(verify_session *session) {
    for (size_t i = 0; i < VERIFY_CLASSES; i++)
        transfer_release(&session->input[i]);
}

void verify_session_close(verify_session *session) {
    verify_cuts_close(&session->cuts);
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

static int bind(verify_session *session, const verify_problem *problem, size_t bytes,
                tally_binding *binding) {
    int status = bind_output(session, bytes, &binding->output);
    if (problem->in_place)
        binding->input = binding->output;
    else if (status == CLI_DONE && problem->has_input)
        status = bind_input(session, problem, &binding->input);
    return status;
}

static int bind_scratch(verify_session *session, const tally_op *op, tally_binding *binding) {
    const size_t scratch = tally_op_scratch_size(op);
    int status =
        scratch > 0 ? grow(session, &session->scratch, "scratch memory", scratch) : CLI_DONE;
    binding->scratch.buffer = session->scratch.buffer;
    return status;
}

/* ---- A problem ----------------------------------------------------------------------------- */

static int create(const verify_session *session, const verify_problem *problem, tally_op **op) {
    tally_error refusal;
    verify_problem copy = *problem;
    const tally_desc desc = verify_describe(&copy);
    if (tally_op_create(session->device.runtime, &desc, op, &refusal) == TALLY_OK)
        return CLI_DONE;
    return cli_fail(session->error, "%s", refusal.message);
}

/* What is run, and on what: an operator, or the parts of one. */
typedef struct work {
    verify_session *session;
    const verify_problem *problem;
    tally_op *op; /* NULL: parts */
    tally_devices_op *parts;
    tally_binding binding, bindings[VERIFY_PARTS_MOST];
    unsigned char *before; /* the output's bytes at first; of several runs as many behind them */
    size_t bytes;
    uint32_t done; /* runs */
} work;

static tally_status enqueue(const work *of, tally_error *refusal) {
    const cl_command_queue queue = of->session->device.queue;
    return of->op != NULL ? tally_op_enqueue(of->op, queue, &of->binding, 0, NULL, NULL, refusal)
                          : tally_devices_op_run(of->parts, of->bindings, refusal);
}

/* The output is at first full of what tells what is not written. */
static int run(const work *of, unsigned char *output) {
    tally_error refusal;
    cli_error *error = of->session->error;
    const cl_command_queue queue = of->session->device.queue;
    const cl_mem buffer = of->binding.output.buffer;
    cl_int code =
        clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, of->bytes, of->before, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cli_fail_cl(error, "clEnqueueWriteBuffer", code);
    if (enqueue(of, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    code = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, of->bytes, output, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueReadBuffer", code);
}

/* Run once more, and compare with the first run's bytes. */
static int repeat(const work *of, uint32_t number, const unsigned char *first) {
    unsigned char *found = of->before + of->bytes;
    int status = run(of, found);
    size_t at = 0;
    while (status == CLI_DONE && at < of->bytes && found[at] == first[at])
        at++;
    return status != CLI_DONE || at == of->bytes
               ? status
               : cli_fail(of->session->error,
                          "run %" PRIu32 " gave byte %zu the value 0x%02X, but the first 0x%02X",
                          number, at, found[at], first[at]);
}

/* As often as is asked for. The first run of all gives the output. */
static int run_often(work *of, unsigned char *output) {
    int status = CLI_DONE;
    const uint32_t runs = of->session->runs > 0 ? of->session->runs : 1;
    for (uint32_t k = 0; k < runs && status == CLI_DONE; k++, of->done++)
        status = of->done == 0 ? run(of, output) : repeat(of, of->done + 1, output);
    return status;
}

static int run_whole(work *of, unsigned char *output) {
    int status = create(of->session, of->problem, &of->op);
    if (status == CLI_DONE)
        status = bind_scratch(of->session, of->op, &of->binding);
    return status == CLI_DONE ? run_often(of, output) : status;
}

/* In parts along each axis in turn that can be cut; the whole if none can. */
static int run_in_parts(work *of, unsigned char *output) {
    const tally_tensor *whole = of->problem->has_input ? &of->problem->input : &of->problem->output;
    int status = CLI_DONE;
    for (uint32_t axis = 0; axis < whole->rank && status == CLI_DONE; axis++) {
        status = verify_cuts_create(&of->session->cuts, of->problem, axis, &of->binding, &of->parts,
                                    of->bindings, of->session->error);
        if (status == CLI_DONE && of->parts != NULL)
            status = run_often(of, output);
        tally_devices_op_release(of->parts);
        of->parts = NULL;
    }
    of->session->cut += of->done > 0;
    return status == CLI_DONE && of->done == 0 ? run_whole(of, output) : status;
}

int verify_session_solve(void *user, const verify_problem *problem, unsigned char *output,
                         size_t bytes) {
    verify_session *session = user;
    work of = {.session = session, .problem = problem, .binding = TALLY_BINDING_INIT};
    unsigned char *memory = NULL;
    of.bytes = bytes;
    of.before = output; /* of one run the output itself will do */
    if (session->runs > 1 || session->parts > 0) {
        of.before = memory = malloc(2 * bytes + 1);
        if (memory == NULL)
            return cli_fail_memory(session->error, "another run's output");
        memcpy(memory, output, bytes);
    }
    int status = bind(session, problem, bytes, &of.binding);
    if (status == CLI_DONE)
        status = session->parts > 0 ? run_in_parts(&of, output) : run_whole(&of, output);
    tally_op_release(of.op);
    free(memory);
    return status;
}
