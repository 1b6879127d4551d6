/*
 * examples/replay.c: a running sum and its highest value, recorded once into a command buffer and
 * replayed for one frame of numbers after another. A replay is one call, however many operators the
 * command buffer has. Needs a device with OpenCL's extension cl_khr_command_buffer, such as PoCL.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tally/tally.h>

enum { FRAMES = 3, TERMS = 6 };

static const float frames[FRAMES][TERMS] = {
    {1, 2, 3, 4, 5, 6}, {3, -1, 4, -1, 5, -9}, {-2, 7, -1, -8, 2, 8}};

/* Functions of the extension, which are not in OpenCL's library. CL/cl_ext.h of 2022 or later has
 * these types. */
static cl_command_buffer_khr(CL_API_CALL *create)(cl_uint count, const cl_command_queue *queues,
                                                  const cl_ulong *properties, cl_int *code);
static cl_int(CL_API_CALL *finalize)(cl_command_buffer_khr commands);
static cl_int(CL_API_CALL *enqueue)(cl_uint count, cl_command_queue *queues,
                                    cl_command_buffer_khr commands, cl_uint wait_count,
                                    const cl_event *wait_list, cl_event *event);
static cl_int(CL_API_CALL *release)(cl_command_buffer_khr commands);

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

/* Ask whether operators can be recorded, and get the functions for it. */
static void open_extension(tally_runtime *runtime, cl_platform_id platform) {
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_error error;
    const struct {
        const char *name;
        void *function;
    } wanted[] = {{"clCreateCommandBufferKHR", &create},
                  {"clFinalizeCommandBufferKHR", &finalize},
                  {"clEnqueueCommandBufferKHR", &enqueue},
                  {"clReleaseCommandBufferKHR", &release}};
    check(tally_runtime_recording(runtime, &recording, &error), &error);
    if (!recording.supported) {
        fprintf(stderr, "nothing can be recorded: %s\n", recording.reason);
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *address = clGetExtensionFunctionAddressForPlatform(platform, wanted[i].name);
        require(address != NULL ? CL_SUCCESS : CL_INVALID_VALUE, wanted[i].name);
        memcpy(wanted[i].function, &address, sizeof address);
    }
}

static cl_mem make_buffer(cl_context context, size_t bytes) {
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    require(code, "clCreateBuffer");
    return buffer;
}

/* One for both operators, as the second waits for the first. An operator may need none. */
static cl_mem make_scratch(cl_context context, const tally_op *a, const tally_op *b) {
    size_t bytes = TALLY_SCRATCH_ALIGNMENT;
    bytes = tally_op_scratch_size(a) > bytes ? tally_op_scratch_size(a) : bytes;
    return make_buffer(context,
                       tally_op_scratch_size(b) > bytes ? tally_op_scratch_size(b) : bytes);
}

/* Record an operator behind a sync point, or behind none; returns the operator's own. */
static cl_sync_point_khr record(tally_op *op, cl_mem scratch, cl_command_buffer_khr commands,
                                cl_command_queue queue, cl_mem input, cl_mem output,
                                const cl_sync_point_khr *behind) {
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    cl_sync_point_khr done;
    binding.input.buffer = input;
    binding.output.buffer = output;
    binding.scratch.buffer = scratch;
    check(tally_op_record(op, commands, queue, &binding, behind != NULL, behind, &done, &error),
          &error);
    return done;
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    require(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    require(code, "clCreateCommandQueue");

    tally_error error;
    tally_runtime *runtime;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = context;
    check(tally_runtime_create(&config, &runtime, &error), &error);
    open_extension(runtime, platform);

    tally_op *running, *highest;
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    scan.function = TALLY_SUM;
    scan.input = scan.output = tally_tensor_packed(TALLY_F32, 1, (const uint64_t[]){TERMS});
    check(tally_cumulative_create(runtime, &scan, &running, &error), &error);
    tally_reduce fold = TALLY_REDUCE_INIT;
    fold.function = TALLY_MAX;
    fold.input = scan.output;
    fold.axes = 1u << 0;
    fold.output = tally_tensor_reduced(&fold.input, fold.axes, TALLY_F32);
    check(tally_reduce_create(runtime, &fold, &highest, &error), &error);

    /* Recorded once. The buffers stay the same, their elements do not. */
    cl_mem x = make_buffer(context, sizeof frames[0]),
           sums = make_buffer(context, sizeof frames[0]);
    cl_mem most = make_buffer(context, sizeof(float));
    cl_mem scratch = make_scratch(context, running, highest);
    cl_command_buffer_khr commands = create(1, &queue, NULL, &code);
    require(code, "clCreateCommandBufferKHR");
    cl_sync_point_khr scanned = record(running, scratch, commands, queue, x, sums, NULL);
    (void)record(highest, scratch, commands, queue, sums, most, &scanned);
    require(finalize(commands), "clFinalizeCommandBufferKHR");

    /* Replayed for each frame. A command buffer is enqueued again when its replay has ended. */
    for (int i = 0; i < FRAMES; i++) {
        float results[TERMS], top;
        cl_event done;
        require(
            clEnqueueWriteBuffer(queue, x, CL_TRUE, 0, sizeof frames[i], frames[i], 0, NULL, NULL),
            "clEnqueueWriteBuffer");
        require(enqueue(0, NULL, commands, 0, NULL, &done), "clEnqueueCommandBufferKHR");
        require(
            clEnqueueReadBuffer(queue, sums, CL_FALSE, 0, sizeof results, results, 0, NULL, NULL),
            "clEnqueueReadBuffer");
        require(clEnqueueReadBuffer(queue, most, CL_FALSE, 0, sizeof top, &top, 0, NULL, NULL),
                "clEnqueueReadBuffer");
        require(clFinish(queue), "clFinish");
        clReleaseEvent(done);
        for (int k = 0; k < TERMS; k++)
            printf("%g ", results[k]);
        printf("- highest %g\n", top);
    }

    /* The operators and buffers go after the command buffer. */
    require(release(commands), "clReleaseCommandBufferKHR");
    tally_op_release(running);
    tally_op_release(highest);
    tally_runtime_release(runtime);
    clReleaseMemObject(x);
    clReleaseMemObject(sums);
    clReleaseMemObject(most);
    clReleaseMemObject(scratch);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return EXIT_SUCCESS;
}
