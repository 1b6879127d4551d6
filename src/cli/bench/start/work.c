/*
 * First results: operators made, run on a small matrix and read back. Prints nothing.
 */
#include "cli/bench/start/work.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cli/tables/functions.h"
#include "cli/transfer.h"
#include "platform/system.h"

/* A matrix of 1 MiB: next to nothing to compute. */
#define HEIGHT 256
#define WIDTH 1024
#define BYTES ((size_t)HEIGHT * WIDTH * sizeof(float))

typedef enum start_kind { START_REDUCE, START_SCAN, START_FILL } start_kind;

/* An operator on the matrix. */
typedef struct start_op {
    start_kind kind;
    tally_function function;
    uint32_t axes; /* of a fill: whether it reads */
} start_op;

/* All that there are for float32, along rows. */
enum {
#define CLI_FUNCTION(enumerator, ...) REDUCE_##enumerator,
#define CLI_SCAN(enumerator, ...) SCAN_##enumerator,
#include "cli/tables/functions.def"
    FILL,
    FILL_ZEROS,
    OPS
};
static const start_op ops[OPS] = {
#define CLI_FUNCTION(enumerator, ...) [REDUCE_##enumerator] = {START_REDUCE, TALLY_##enumerator, 2},
#define CLI_SCAN(enumerator, ...) [SCAN_##enumerator] = {START_SCAN, TALLY_##enumerator, 1},
#include "cli/tables/functions.def"
    [FILL] = {START_FILL, TALLY_FUNCTION_NONE, 1},
    [FILL_ZEROS] = {START_FILL, TALLY_FUNCTION_NONE, 0},
};

static const start_op columns[] = {{START_REDUCE, TALLY_SUM, 1}};
static const start_op whole[] = {{START_REDUCE, TALLY_SUM, 3}};

static const struct {
    const char *name;
    const start_op *ops; /* NULL: kernels that do nothing, which is the least that a driver takes */
    size_t count;
} rows[] = {
    {"reduce sum", &ops[REDUCE_SUM], 1},
    {"reduce sum, columns", columns, 1},
    {"reduce sum, both axes", whole, 1},
    {"reduce argmax", &ops[REDUCE_ARGMAX], 1},
    {"reduce log_sum_exp", &ops[REDUCE_LOG_SUM_EXP], 1},
    {"scan sum", &ops[SCAN_SUM], 1},
    {"diagonal", &ops[FILL], 1},
    {"all operators of f32", ops, OPS},
    {"empty kernel", NULL, 1},
    {"as many empty kernels", NULL, OPS},
};
#define ROWS (sizeof rows / sizeof rows[0])

const char *start_work_name(size_t index) {
    return index < ROWS ? rows[index].name : NULL;
}

bool start_work_is_whole(size_t index) {
    return rows[index].count > 1;
}

/* ---- One operator -------------------------------------------------------------------------- */

/* Make it; *bytes are its output's. */
static tally_status create(tally_runtime *runtime, const start_op *what, tally_op **op,
                           uint64_t *bytes, tally_error *error) {
    const tally_tensor matrix =
        tally_tensor_packed(TALLY_F32, 2, (const uint64_t[]){HEIGHT, WIDTH});
    tally_reduce reduce = TALLY_REDUCE_INIT;
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    const bool indexed = cli_function_is_index(what->function);
    reduce.function = scan.function = what->function;
    reduce.input = scan.input = scan.output = fill.output = matrix;
    reduce.axes = what->axes;
    reduce.output = tally_tensor_reduced(&matrix, what->axes, indexed ? TALLY_U32 : TALLY_F32);
    scan.axis = 1;
    fill.input = what->axes != 0 ? &matrix : NULL;
    fill.value.f32 = 1;
    fill.end = 1;
    tally_tensor_bytes(what->kind == START_REDUCE ? &reduce.output : &matrix, bytes, NULL);
    return what->kind == START_REDUCE ? tally_reduce_create(runtime, &reduce, op, error)
           : what->kind == START_SCAN ? tally_cumulative_create(runtime, &scan, op, error)
                                      : tally_diagonal_create(runtime, &fill, op, error);
}

static void release(const tally_binding *binding) {
    const cl_mem buffers[] = {binding->input.buffer, binding->output.buffer,
                              binding->scratch.buffer};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
}

static int make_buffers(const device *on, const tally_op *op, float *matrix, tally_binding *binding,
                        cli_error *error) {
    cl_int code = CL_SUCCESS;
    const size_t scratch = tally_op_scratch_size(op);
    binding->input.buffer =
        clCreateBuffer(on->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, BYTES, matrix, &code);
    if (code != CL_SUCCESS)
        return cli_fail_cl(error, "clCreateBuffer", code);
    int status = transfer_allocate(on, "output", BYTES, &binding->output.buffer, error);
    if (status == CLI_DONE && scratch > 0)
        status = transfer_allocate(on, "scratch memory", scratch, &binding->scratch.buffer, error);
    return status;
}

/* Run it, and hash what it leaves in matrix, which is its input before. */
static int run_op(const device *on, const start_op *what, float *matrix, start_result *result,
                  cli_error *error) {
    tally_binding binding = TALLY_BINDING_INIT;
    tally_op *op = NULL;
    tally_error refusal;
    uint64_t bytes = 0;
    if (create(on->runtime, what, &op, &bytes, &refusal) != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    int status = make_buffers(on, op, matrix, &binding, error);
    if (status == CLI_DONE &&
        tally_op_enqueue(op, on->queue, &binding, 0, NULL, NULL, &refusal) != TALLY_OK)
        status = cli_fail(error, "%s", refusal.message);
    if (status == CLI_DONE) {
        cl_int code = clEnqueueReadBuffer(on->queue, binding.output.buffer, CL_TRUE, 0,
                                          (size_t)bytes, matrix, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            status = cli_fail_cl(error, "clEnqueueReadBuffer", code);
    }
    result->result = tally_clock();
    result->checksum = XXH3_64bits_withSeed(matrix, (size_t)bytes, result->checksum);
    release(&binding);
    tally_op_release(op);
    return status;
}

/* ---- No operator --------------------------------------------------------------------------- */

static cl_int run_kernel(const device *on, cl_program program, cl_mem output, float *matrix) {
    const size_t one = 1;
    cl_int code = clBuildProgram(program, 1, &on->id, "-cl-std=CL1.2", NULL, NULL);
    cl_kernel kernel = code == CL_SUCCESS ? clCreateKernel(program, "empty", &code) : NULL;
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 0, sizeof output, &output);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(on->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(on->queue, output, CL_TRUE, 0, sizeof *matrix, matrix, 0, NULL,
                                   NULL);
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return code;
}

/* The number-th program of them: its text is no other's. */
static int run_empty(const device *on, size_t number, float *matrix, start_result *result,
                     cli_error *error) {
    char text[96];
    const char *source = text;
    cl_mem output = NULL;
    cl_int code = CL_SUCCESS;
    snprintf(text, sizeof text, "__kernel void empty(__global float *out) { out[0] = %u; }\n",
             (unsigned)number);
    int status = transfer_allocate(on, "output", sizeof *matrix, &output, error);
    if (status != CLI_DONE)
        return status;
    cl_program program = clCreateProgramWithSource(on->context, 1, &source, NULL, &code);
    if (code == CL_SUCCESS) {
        code = run_kernel(on, program, output, matrix);
        clReleaseProgram(program);
    }
    clReleaseMemObject(output);
    result->result = tally_clock();
    result->programs++;
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "an empty kernel", code);
}

/* ---- A row --------------------------------------------------------------------------------- */

static int run_row(const device *on, size_t index, float *matrix, start_result *result,
                   cli_error *error) {
    int status = CLI_DONE;
    for (size_t i = 0; i < rows[index].count && status == CLI_DONE; i++) {
        for (size_t k = 0; k < HEIGHT * WIDTH; k++)
            matrix[k] = (float)(k % 1000) * 0.001f;
        status = rows[index].ops != NULL ? run_op(on, &rows[index].ops[i], matrix, result, error)
                                         : run_empty(on, i, matrix, result, error);
    }
    return status;
}

int start_work_run(size_t index, const device_request *request, start_result *result,
                   cli_error *error) {
    static float matrix[HEIGHT * WIDTH];
    tally_stats stats = TALLY_STATS_INIT;
    device on;
    *result = (start_result){.checksum = 0};
    int status = device_choose(request, &on, error);
    if (status != CLI_DONE)
        return status;
    result->driver = on.opened;
    result->runtime = tally_clock();
    status = run_row(&on, index, matrix, result, error);
    if (rows[index].ops != NULL && tally_runtime_stats(on.runtime, &stats, NULL) == TALLY_OK) {
        result->programs = stats.programs;
        result->built = (unsigned)stats.programs_built;
        result->loaded = (unsigned)stats.programs_loaded;
    }
    device_close(&on);
    return status;
}
