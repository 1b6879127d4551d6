/*
 * tests/abi/main.c: a program of the first release's time. It is built with the headers of that
 * release (tests/abi/v0.1) and runs with the library of today: descriptions, answers and bindings
 * have the layout of that time, and mean what they meant.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>
#include <tally/tally.h>

enum { ROWS = 3, COLUMNS = 4, COUNT = ROWS * COLUMNS };

typedef struct session {
    tally_runtime *runtime;
    cl_command_queue queue;
    cl_mem input, output;
    tally_error error;
} session;

static int fail(const char *what) {
    fprintf(stderr, "first release: %s\n", what);
    return 1;
}

static int open_session(session *it) {
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return fail("no OpenCL device");
    tally_config config = TALLY_CONFIG_INIT;
    config.context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    config.device = device;
    it->queue = clCreateCommandQueue(config.context, device, 0, NULL);
    it->input = clCreateBuffer(config.context, CL_MEM_READ_WRITE, COUNT * 4, NULL, NULL);
    it->output = clCreateBuffer(config.context, CL_MEM_READ_WRITE, COUNT * 4, NULL, NULL);
    int32_t values[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        values[i] = i;
    clEnqueueWriteBuffer(it->queue, it->input, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
    if (tally_runtime_create(&config, &it->runtime, &it->error) != TALLY_OK)
        return fail(it->error.message);
    clReleaseContext(config.context);
    return 0;
}

/* Enqueue an operator, and compare the first results. */
static int run(session *it, tally_op *op, const char *name, const int32_t *wanted, size_t count) {
    int32_t results[COUNT];
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = it->input;
    binding.output.buffer = it->output;
    tally_status status = tally_op_enqueue(op, it->queue, &binding, 0, NULL, NULL, &it->error);
    tally_op_release(op);
    if (status != TALLY_OK)
        return fail(it->error.message);
    clEnqueueReadBuffer(it->queue, it->output, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL);
    return memcmp(results, wanted, count * sizeof *wanted) == 0 ? 0 : fail(name);
}

static int run_reduce(session *it) {
    tally_op *op = NULL;
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_I32, 2, (const uint64_t[]){ROWS, COLUMNS});
    desc.axes = 1u << 1;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_I32);
    if (tally_reduce_create(it->runtime, &desc, &op, &it->error) != TALLY_OK)
        return fail(it->error.message);
    return run(it, op, "the sums are wrong", (const int32_t[]){6, 22, 38}, 3);
}

static int run_scan(session *it) {
    tally_op *op = NULL;
    tally_cumulative desc = TALLY_CUMULATIVE_INIT;
    desc.function = TALLY_SUM;
    desc.input = desc.output = tally_tensor_packed(TALLY_I32, 1, (const uint64_t[]){4});
    desc.descending = true;
    desc.exclusive = true;
    if (tally_cumulative_create(it->runtime, &desc, &op, &it->error) != TALLY_OK)
        return fail(it->error.message);
    return run(it, op, "the running sums are wrong", (const int32_t[]){6, 5, 3, 0}, 4);
}

static int run_fill(session *it) {
    tally_op *op = NULL;
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = tally_tensor_packed(TALLY_I32, 2, (const uint64_t[]){2, 2});
    desc.value.i32 = 7;
    desc.end = 1;
    if (tally_diagonal_create(it->runtime, &desc, &op, &it->error) != TALLY_OK)
        return fail(it->error.message);
    return run(it, op, "the fill is wrong", (const int32_t[]){7, 0, 0, 7}, 4);
}

/* Answers are filled as far as the structs of that time go. */
static int ask(session *it) {
    struct {
        tally_stats stats;
        uint64_t behind;
    } asked = {TALLY_STATS_INIT, 77};
    tally_scans scans = TALLY_SCANS_INIT;
    if (tally_runtime_stats(it->runtime, &asked.stats, &it->error) != TALLY_OK ||
        tally_runtime_scans(it->runtime, &scans, &it->error) != TALLY_OK)
        return fail(it->error.message);
    if (asked.stats.program_requests == 0 || asked.behind != 77 || scans.reason == NULL)
        return fail("the answers are wrong");
    return 0;
}

static int warm_up(session *it) {
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_desc descs[2] = {TALLY_DESC_INIT, TALLY_DESC_INIT};
    scan.function = TALLY_SUM;
    scan.input = scan.output = tally_tensor_packed(TALLY_I32, 1, (const uint64_t[]){4});
    descs[0].cumulative = descs[1].cumulative = &scan;
    if (tally_warm_up(it->runtime, descs, 2, NULL, NULL, &it->error) != TALLY_OK)
        return fail(it->error.message);
    scan.axis = 1;
    if (tally_warm_up(it->runtime, descs, 2, NULL, NULL, &it->error) != TALLY_INVALID ||
        strstr(it->error.message, "axis 1") == NULL)
        return fail("an axis beyond the rank is not refused with a sentence");
    return 0;
}

int main(void) {
    session it = {.error = TALLY_ERROR_INIT};
    int failed = open_session(&it);
    if (failed == 0)
        failed = run_reduce(&it) + run_scan(&it) + run_fill(&it) + ask(&it) + warm_up(&it);
    tally_runtime_release(it.runtime);
    clReleaseMemObject(it.input);
    clReleaseMemObject(it.output);
    clReleaseCommandQueue(it.queue);
    if (failed == 0)
        puts("first release: ok");
    return failed;
}
