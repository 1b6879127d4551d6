/*
 * The calls that tally bench calls times, one function each, and the operator and the kernel that
 * they are made with.
 */
#include "cli/bench/calls/work.h"

#include "cli/bench/time.h"
#include "cli/transfer.h"
#include "platform/system.h"

/* A matrix of so many rows and columns; shapes that are new have more rows. */
#define ROWS 64
#define COLUMNS 1000
#define NEW_SHAPES 4096

/* Make the call once, and say how many seconds it took. */
typedef int timed_call(calls_session *at, double *seconds, cli_error *error);

/* Create an operator on a matrix of so many rows. */
typedef tally_status creator(tally_runtime *runtime, uint64_t rows, tally_op **op,
                             tally_error *error);

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
    const double began = tally_clock();
    tally_status status = tally_reduce_check(&desc, NULL, &refusal);
    *seconds = tally_clock() - began;
    return judge(status, &refusal, error);
}

static int call_estimate(calls_session *at, double *seconds, cli_error *error) {
    const tally_reduce reduce = sum_of(new_rows(at));
    tally_desc desc = TALLY_DESC_INIT;
    tally_estimate estimate = TALLY_ESTIMATE_INIT;
    tally_error refusal;
    desc.reduce = &reduce;
    const double began = tally_clock();
    tally_status status = tally_runtime_estimate(at->device.runtime, &desc, &estimate, &refusal);
    *seconds = tally_clock() - began;
    return judge(status, &refusal, error);
}

static tally_status create_sum(tally_runtime *runtime, uint64_t rows, tally_op **op,
                               tally_error *error) {
    const tally_reduce desc = sum_of(rows);
    return tally_reduce_create(runtime, &desc, op, error);
}

static tally_status create_scan(tally_runtime *runtime, uint64_t rows, tally_op **op,
                                tally_error *error) {
    const tally_cumulative desc = scan_of(rows);
    return tally_cumulative_create(runtime, &desc, op, error);
}

static tally_status create_fill(tally_runtime *runtime, uint64_t rows, tally_op **op,
                                tally_error *error) {
    const tally_diagonal desc = fill_of(rows);
    return tally_diagonal_create(runtime, &desc, op, error);
}

/* The description, which the time includes, takes some nanoseconds. */
static int time_create(const calls_session *at, creator *create, double *seconds,
                       cli_error *error) {
    tally_op *op = NULL;
    tally_error refusal;
    const double began = tally_clock();
    tally_status status = create(at->device.runtime, new_rows(at), &op, &refusal);
    *seconds = tally_clock() - began;
    tally_op_release(op);
    return judge(status, &refusal, error);
}

static int time_enqueue(calls_session *at, cl_command_queue queue, double *seconds,
                        cli_error *error) {
    const double began = tally_clock();
    int status = bench_op_enqueue(&at->sum, queue, NULL, error);
    *seconds = tally_clock() - began;
    return status;
}

static int call_enqueue(calls_session *at, double *seconds, cli_error *error) {
    return time_enqueue(at, at->device.queue, seconds, error);
}

static int call_enqueue_any_order(calls_session *at, double *seconds, cli_error *error) {
    return time_enqueue(at, at->any_order, seconds, error);
}

/* What any enqueue costs with this driver: three arguments and a launch. */
static int call_bare(calls_session *at, double *seconds, cli_error *error) {
    const size_t global = 64, local = 64;
    const cl_uint number = ROWS;
    const double began = tally_clock();
    const tally_binding *memory = &at->sum.binding;
    cl_int code = clSetKernelArg(at->nothing, 0, sizeof(cl_mem), &memory->input.buffer);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(at->nothing, 1, sizeof(cl_mem), &memory->output.buffer);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(at->nothing, 2, sizeof number, &number);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(at->device.queue, at->nothing, 1, NULL, &global, &local, 0,
                                      NULL, NULL);
    *seconds = tally_clock() - began;
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueNDRangeKernel", code);
}

/* Each has one of the two. */
static const struct {
    const char *name;
    timed_call *call;
    creator *create;
} rows[CALLS_ROWS] = {
    {"check", call_check, NULL},
    {"estimate", call_estimate, NULL},
    {"create sum", NULL, create_sum},
    {"create scan", NULL, create_scan},
    {"create fill", NULL, create_fill},
    {"enqueue", call_enqueue, NULL},
    {"enqueue out of order", call_enqueue_any_order, NULL},
    {"bare enqueue", call_bare, NULL},
};

const char *calls_name(size_t row) {
    return rows[row].name;
}

int calls_make(calls_session *at, size_t row, double *seconds, cli_error *error) {
    return rows[row].create != NULL ? time_create(at, rows[row].create, seconds, error)
                                    : rows[row].call(at, seconds, error);
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
    tally_error refusal;
    tally_binding *memory = &at->sum.binding;
    const device_request request = options_request(common, false);
    int status = device_choose(&request, &at->device, error);
    if (status == CLI_DONE)
        status = open_queue(at, error);
    if (status == CLI_DONE)
        status = open_nothing(at, error);
    if (status == CLI_DONE)
        status = transfer_allocate(&at->device, "input", sizeof(float) * ROWS * COLUMNS,
                                   &memory->input.buffer, error);
    if (status == CLI_DONE)
        status = transfer_allocate(&at->device, "output", sizeof(float) * ROWS,
                                   &memory->output.buffer, error);
    if (status == CLI_DONE)
        status =
            judge(create_sum(at->device.runtime, ROWS, &at->sum.op, &refusal), &refusal, error);
    return status;
}

void calls_session_close(calls_session *at) {
    const cl_mem buffers[] = {at->sum.binding.input.buffer, at->sum.binding.output.buffer};
    tally_op_release(at->sum.op);
    if (at->nothing != NULL)
        clReleaseKernel(at->nothing);
    if (at->program != NULL)
        clReleaseProgram(at->program);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    if (at->any_order != NULL)
        clReleaseCommandQueue(at->any_order);
    device_close(&at->device);
}
