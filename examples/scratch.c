/*
 * examples/scratch.c: scratch memory that grows. An in-order queue runs one operator after the
 * other, so one tally_scratch serves them all. Two queues run side by side, so each has its own.
 * Everything is enqueued before anything is waited for.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include <tally/tally.h>

enum { SUMS = 3, QUEUES = 2, MOST = 1000000 };

static const uint64_t counts[SUMS] = {10, 100000, MOST};

/* A queue with its scratch, and a buffer for the sums. */
typedef struct worker {
    cl_command_queue queue;
    tally_scratch *scratch;
    cl_mem sums;
} worker;

static void require(cl_int code, const char *call) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s failed with %d\n", call, code);
        exit(EXIT_FAILURE);
    }
}

static void check(tally_status status, const tally_error *error) {
    if (status != TALLY_OK) {
        fprintf(stderr, "%s: %s\n", tally_status_name(status), error->message);
        exit(EXIT_FAILURE);
    }
}

static worker open_worker(tally_runtime *runtime, cl_context context, cl_device_id device) {
    worker made;
    cl_int code;
    tally_error error;
    made.queue = clCreateCommandQueue(context, device, 0, &code);
    require(code, "clCreateCommandQueue");
    made.sums = clCreateBuffer(context, CL_MEM_READ_WRITE, SUMS * sizeof(float), NULL, &code);
    require(code, "clCreateBuffer");
    check(tally_scratch_create(runtime, &made.scratch, &error), &error);
    return made;
}

static void close_worker(const worker *used) {
    tally_scratch_release(used->scratch);
    clReleaseMemObject(used->sums);
    clReleaseCommandQueue(used->queue);
}

/* The sum of the first count elements. */
static tally_op *make_sum(tally_runtime *runtime, uint64_t count) {
    tally_op *op;
    tally_error error;
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_F32, 1, &count);
    desc.axes = 1u << 0;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    check(tally_reduce_create(runtime, &desc, &op, &error), &error);
    return op;
}

/* Each operator's view comes just before its enqueue: the next view may be of a larger buffer. */
static void enqueue_sums(const worker *on, tally_op *const *sums, cl_mem ones) {
    tally_error error;
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = ones;
    binding.output.buffer = on->sums;
    for (size_t i = 0; i < SUMS; i++) {
        binding.output.offset = i * sizeof(float);
        check(tally_scratch_view(on->scratch, sums[i], &binding.scratch, &error), &error);
        check(tally_op_enqueue(sums[i], on->queue, &binding, 0, NULL, NULL, &error), &error);
    }
    require(clFlush(on->queue), "clFlush");
}

static void print_sums(const worker *on, tally_op *const *sums) {
    float result[SUMS];
    require(
        clEnqueueReadBuffer(on->queue, on->sums, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    for (size_t i = 0; i < SUMS; i++)
        printf("%g %s\n", (double)result[i],
               tally_scratch_bytes(on->scratch) >= tally_op_scratch_size(sums[i])
                   ? "in scratch that is large enough"
                   : "in scratch that is too small");
}

int main(void) {
    cl_int code;
    cl_platform_id platform;
    cl_device_id device;
    require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    require(code, "clCreateContext");
    tally_error error;
    tally_runtime *runtime;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = context;
    check(tally_runtime_create(&config, &runtime, &error), &error);

    worker workers[QUEUES];
    for (int i = 0; i < QUEUES; i++)
        workers[i] = open_worker(runtime, context, device);
    tally_op *sums[SUMS];
    for (int i = 0; i < SUMS; i++)
        sums[i] = make_sum(runtime, counts[i]);

    const float one = 1;
    cl_mem ones = clCreateBuffer(context, CL_MEM_READ_WRITE, MOST * sizeof one, NULL, &code);
    require(code, "clCreateBuffer");
    require(clEnqueueFillBuffer(workers[0].queue, ones, &one, sizeof one, 0, MOST * sizeof one, 0,
                                NULL, NULL),
            "clEnqueueFillBuffer");
    require(clFinish(workers[0].queue), "clFinish");

    for (int i = 0; i < QUEUES; i++)
        enqueue_sums(&workers[i], sums, ones);
    for (int i = 0; i < QUEUES; i++)
        print_sums(&workers[i], sums);

    clReleaseMemObject(ones);
    for (int i = 0; i < SUMS; i++)
        tally_op_release(sums[i]);
    for (int i = 0; i < QUEUES; i++)
        close_worker(&workers[i]);
    tally_runtime_release(runtime);
    clReleaseContext(context);
    return EXIT_SUCCESS;
}
