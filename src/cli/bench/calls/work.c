/*
 * The calls that tally bench calls times, one function each, and the operator and the kernel that
 * they are made with.
 */
#include "cli/bench/calls/work.h"

#include "cli/bench/time.h"
#include "cli/progress.h"
#include "cli/transfer.h"

/* A matrix of so many rows and columns; shapes that are new have more rows. */
#define ROWS 64
#define COLUMNS 1000
#define NEW_SHAPES 4096

/* Make the call once, and say how many seconds it took. */
typedef int timed_call(calls_session *at, double *seconds, cli_error *error);

/* ---- Descriptions -------------------------------------------------------------------------- */

static tally_tensor matrix(uint64_t rows) {
    const uint64_t size[] = {rows, COLUMNS};
    return tally_tensor_packed(TALLY_F32, 2, size);
}

static tally_reduce sum_of(uint64_t rows) {
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = matrix(rows);
    desc.axes = 2;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    return desc;
}

static tally_cumulative scan_of(uint64_t rows) {
    tally_cumulative desc = TALLY_CUMULATIVE_INIT;
    desc.function = TALLY_SUM;
    desc.input = desc.output = matrix(rows);
    desc.axis = 1;
    return desc;
}

static tally_diagonal fill_of(uint64_t rows) {
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = matrix(rows);
    desc.value.f32 = 1;
    desc.end = 1;
    return desc;
}

static uint64_t new_rows(const calls_session *at) {
    return ROWS + 1 + at->sample % NEW_SHAPES;
}

/* ---- Calls --------------------------------------------------------------------------------- */

static int judge(tally_status status, const tally_error *refusal, cli_error *error) {
    return status == TALLY_OK ? CLI_DONE : cli_fail(error, "%s", refusal->message);
}

static int call_check(calls_session *at, double *seconds, cli_error *error) {
    const tally_reduce desc = sum_of(new_rows(at));
    tally_error refusal;
    const double began = progress_clock();
    tally_status status = tally_reduce_check(&desc, NULL, &refusal);
    *seconds = progress_clock() - began;
    return judge(status, &refusal, error);
}

static int call_estimate(calls_session *at, double *seconds, cli_error *error) {
    const tally_reduce reduce = sum_of(new_rows(at));
    tally_desc desc = TALLY_DESC_INIT;
    tally_estimate estimate = TALLY_ESTIMATE_INIT;
    tally_error refusal;
    desc.reduce = &reduce;
    const double began = progress_clock();
    tally_status status = tally_runtime_estimate(at->device.runtime, &desc, &estimate, &refusal);
    *seconds = progress_clock() - began;
    return judge(status, &refusal, error);
}

/* An operator's creation, as one of the create calls ended. */
static int end_create(tally_op *op, tally_status status, const tally_error *refusal,
                      cli_error *error) {
    tally_op_release(op);
    return judge(status, refusal, error);
}

static int call_create_sum(calls_session *at, double *seconds, cli_error *error) {
    const tally_reduce desc = sum_of(new_rows(at));
    tally_op *op = NULL;
    tally_error refusal;
    const double began = progress_clock();
    tally_status status = tally_reduce_create(at->device.runtime, &desc, &op, &refusal);
    *seconds = progress_clock() - began;
    return end_create(op, status, &refusal, error);
}

static int call_create_scan(calls_session *at, double *seconds, cli_error *error) {
    const tally_cumulative desc = scan_of(new_rows(at));
    tally_op *op = NULL;
    tally_error refusal;
    const double began = progress_clock();
    tally_status status = tally_cumulative_create(at->device.runtime, &desc, &op, &refusal);
    *seconds = progress_clock() - began;
    return end_create(op, status, &refusal, error);
}

static int call_create_fill(calls_session *at, double *seconds, cli_error *error) {
    const tally_diagonal desc = fill_of(new_rows(at));
    tally_op *op = NULL;
    tally_error refusal;
    const double began = progress_clock();
    tally_status status = tally_diagonal_create(at->device.runtime, &desc, &op, &refusal);
    *seconds = progress_clock() - began;
    return end_create(op, status, &refusal, error);
}

static int enqueue(calls_session *at, cl_command_queue queue, double *seconds, cli_error *error) {
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error refusal;
    binding.input.buffer = at->input;
    binding.output.buffer = at->output;
    const double began = progress_clock();
    tally_status status = tally_op_enqueue(at->op, queue, &binding, 0, NULL, NULL, &refusal);
    *seconds = progress_clock() - began;
    return judge(status, &refusal, error);
}

static int call_enqueue(calls_session *at, double *seconds, cli_error *error) {
    return enqueue(at, at->device.queue, seconds, error);
}

static int call_enqueue_any_order(calls_session *at, double *seconds, cli_error *error) {
    return enqueue(at, at->any_order, seconds, error);
}

/* What any enqueue costs with this driver: three arguments and a launch. */
static int call_bare(calls_session *at, double *seconds, cli_error *error) {
    const size_t global = 64, local = 64;
    const cl_uint number = ROWS;
    const double began = progress_clock();
    cl_int code = clSetKernelArg(at->nothing, 0, sizeof at->input, &at->input);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(at->nothing, 1, sizeof at->output, &at->output);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(at->nothing, 2, sizeof number, &number);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(at->device.queue, at->nothing, 1, NULL, &global, &local, 0,
                                      NULL, NULL);
    *seconds = progress_clock() - began;
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueNDRangeKernel", code);
}

static const struct {
    const char *name;
    timed_call *call;
} rows[CALLS_ROWS] = {
    {"check", call_check},
    {"estimate", call_estimate},
    {"create sum", call_create_sum},
    {"create scan", call_create_scan},
    {"create fill", call_create_fill},
    {"enqueue", call_enqueue},
    {"enqueue out of order", call_enqueue_any_order},
    {"bare enqueue", call_bare},
};
const char *calls_name(size_t row) {
    return rows[row].name;
}

int calls_make(calls_session *at, size_t row, double *seconds, cli_error *error) {
    return rows[row].call(at, seconds, error);
}

int calls_rest(const calls_session *at, cli_error *error) {
    int status = bench_finish(at->device.queue, error);
    return status == CLI_DONE ? bench_finish(at->any_order, error) : status;
}

/* ---- The session --------------------------------------------------------------------------- */

static int open_nothing(calls_session *at, cli_error *error) {
    static const char *const source =
        "__kernel void nothing(__global float *a, __global float *b, uint n) {}\n";
    cl_int code = CL_SUCCESS;
    at->program =
        clCreateProgramWithSource(at->device.context, 1, (const char **)&source, NULL, &code);
    if (code != CL_SUCCESS)
        return cli_fail_cl(error, "clCreateProgramWithSource", code);
    code = clBuildProgram(at->program, 1, &at->device.id, "", NULL, NULL);
    if (code != CL_SUCCESS)
        return cli_fail_cl(error, "clBuildProgram", code);
    at->nothing = clCreateKernel(at->program, "nothing", &code);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clCreateKernel", code);
}

static int open_queue(calls_session *at, cli_error *error) {
    cl_int code = CL_SUCCESS;
    at->any_order = clCreateCommandQueue(at->device.context, at->device.id,
                                         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clCreateCommandQueue", code);
}

int calls_session_open(calls_session *at, const common_options *common, cli_error *error) {
    const tally_reduce desc = sum_of(ROWS);
    tally_error refusal;
    const device_request request = options_request(common, false);
    int status = device_choose(&request, &at->device, error);
    if (status == CLI_DONE)
        status = open_queue(at, error);
    if (status == CLI_DONE)
        status = open_nothing(at, error);
    if (status == CLI_DONE)
        status = transfer_allocate(&at->device, "input", sizeof(float) * ROWS * COLUMNS, &at->input,
                                   error);
    if (status == CLI_DONE)
        status = transfer_allocate(&at->device, "output", sizeof(float) * ROWS, &at->output, error);
    if (status == CLI_DONE)
        status = judge(tally_reduce_create(at->device.runtime, &desc, &at->op, &refusal), &refusal,
                       error);
    return status;
}

void calls_session_close(calls_session *at) {
    tally_op_release(at->op);
    if (at->nothing != NULL)
        clReleaseKernel(at->nothing);
    if (at->program != NULL)
        clReleaseProgram(at->program);
    if (at->input != NULL)
        clReleaseMemObject(at->input);
    if (at->output != NULL)
        clReleaseMemObject(at->output);
    if (at->any_order != NULL)
        clReleaseCommandQueue(at->any_order);
    device_close(&at->device);
}
