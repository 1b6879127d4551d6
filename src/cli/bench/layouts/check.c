/*
 * Results next to those of the generic kernels: every byte of the output, its gaps and what is
 * around it included. Knows no times.
 */
#include "cli/bench/layouts/run.h"
#include "cli/tables/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are compared behind the output's last element, at most what the buffers have more. */
#define GUARD 64

/* Bytes that are read back at once. */
#define CHUNK ((size_t)16 << 20)

/* ---- Where a difference is ----------------------------------------------------------------- */

/* The coordinates of an element, or -1 in axis 0 if it is a gap. Strides of outputs nest. */
static void find_element(const layouts_problem *problem, uint64_t byte,
                         int64_t at[TALLY_MAX_RANK]) {
    const tally_tensor *output = &problem->output;
    const uint64_t element = byte / cli_type_bytes(output->dtype);
    const uint64_t offset = problem->output_placement.offset;
    uint64_t rest = element < offset ? UINT64_MAX : element - offset;
    for (uint32_t i = 0; i < output->rank; i++) {
        const uint32_t axis = problem->output_placement.order[i];
        const uint64_t index = rest / output->stride[axis], last = output->size[axis] - 1;
        at[axis] = (int64_t)(index < last ? index : last);
        rest -= (uint64_t)at[axis] * output->stride[axis];
    }
    if (rest > 0)
        at[0] = -1;
}

static int fail_at(const layouts_problem *problem, const layouts_result *result, uint64_t byte,
                   unsigned own, unsigned generic, cli_error *error) {
    char placement[200] = "in a gap";
    int64_t at[TALLY_MAX_RANK] = {0};
    size_t used = 0;
    find_element(problem, byte, at);
    for (uint32_t k = 0; at[0] >= 0 && k < problem->output.rank; k++)
        used += (size_t)snprintf(placement + used, sizeof placement - used, "%s%" PRId64,
                                 k > 0 ? "," : "of element [", at[k]);
    if (at[0] >= 0)
        snprintf(placement + used, sizeof placement - used, "]");
    return cli_fail(error,
                    "byte %" PRIu64 " of the output, %s, is 0x%02x by %s and 0x%02x by the generic "
                    "kernels",
                    byte, placement, own, result->schedules, generic);
}

/* ---- Two outputs --------------------------------------------------------------------------- */

/* Random bits: those of both outputs are the same where nothing was written. */
static int run(layouts_session *session, const layouts_problem *problem, tally_op *op,
               cl_mem output, tally_dtype values, uint64_t bytes, cli_error *error) {
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error refusal;
    int status = layouts_bind(session, problem, op, output, &binding, error);
    if (status == CLI_DONE)
        status = layouts_fill(session, problem->in_place ? values : TALLY_DTYPE_NONE, output, bytes,
                              error);
    if (status == CLI_DONE &&
        tally_op_enqueue(op, session->device.queue, &binding, 0, NULL, NULL, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    return status;
}

static int read_back(const layouts_session *session, cl_mem buffer, uint64_t from, size_t bytes,
                     unsigned char *into, cli_error *error) {
    const cl_int code = clEnqueueReadBuffer(session->device.queue, buffer, CL_TRUE, (size_t)from,
                                            bytes, into, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueReadBuffer", code);
}

static int compare(const layouts_session *session, const layouts_problem *problem,
                   const layouts_result *result, uint64_t bytes, cli_error *error) {
    const size_t chunk = bytes < CHUNK ? (size_t)bytes : CHUNK;
    unsigned char *own = malloc(2 * chunk);
    int status = CLI_DONE;
    if (own == NULL)
        return cli_fail_memory(error, "the outputs");
    unsigned char *generic = own + chunk;
    for (uint64_t from = 0; from < bytes && status == CLI_DONE; from += chunk) {
        const size_t count = bytes - from < chunk ? (size_t)(bytes - from) : chunk;
        size_t at = 0;
        status = read_back(session, session->output.buffer, from, count, own, error);
        if (status == CLI_DONE)
            status = read_back(session, session->second.buffer, from, count, generic, error);
        while (status == CLI_DONE && at < count && own[at] == generic[at])
            at++;
        if (status == CLI_DONE && at < count)
            status = fail_at(problem, result, from + at, own[at], generic[at], error);
    }
    free(own);
    return status;
}

static int check_op(layouts_session *session, const layouts_problem *problem, tally_op *op,
                    tally_op *generic, const layouts_result *result, cli_error *error) {
    /* Where NaN is to be ignored there have to be some. */
    const tally_dtype values =
        problem->nan == TALLY_NAN_IGNORE ? TALLY_DTYPE_NONE : problem->input.dtype;
    const uint64_t input = layouts_reach(&problem->input_placement, &problem->input);
    const uint64_t output = layouts_reach(&problem->output_placement, &problem->output) + GUARD;
    int status = layouts_fill_input(session, values, input, error);
    if (status == CLI_DONE)
        status = run(session, problem, op, session->output.buffer, values, output, error);
    if (status == CLI_DONE)
        status = run(session, problem, generic, session->second.buffer, values, output, error);
    return status == CLI_DONE ? compare(session, problem, result, output, error) : status;
}

int layouts_check(layouts_session *session, const layouts_problem *problem, layouts_result *result,
                  cli_error *error) {
    tally_op *op = NULL, *generic = NULL;
    int status = layouts_create(session->device.runtime, problem, &op, result->refusal, error);
    if (op != NULL && status == CLI_DONE)
        status = layouts_create(session->generic, problem, &generic, result->refusal, error);
    if (op != NULL && status == CLI_DONE)
        status = layouts_keep_plan(op, result, error);
    if (generic != NULL && status == CLI_DONE)
        status = check_op(session, problem, op, generic, result, error);
    tally_op_release(op);
    tally_op_release(generic);
    return status;
}
