/*
 * tests/install/main.c: the program of a project outside the tree. It knows Tally only as
 * installed: is the library that of the header, and does a fill run on the first OpenCL device?
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <tally/tally.h>

static int fail(const char *what) {
    fprintf(stderr, "consumer: %s\n", what);
    return 1;
}

int main(void) {
    if (tally_version() != TALLY_VERSION) {
        return fail("the library is of another version than its header");
    }
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        return fail("no OpenCL device");
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 9 * sizeof(int32_t), NULL, NULL);

    tally_error error = TALLY_ERROR_INIT;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = context;
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = tally_tensor_packed(TALLY_I32, 2, (const uint64_t[]){3, 3});
    desc.value.i32 = 7;
    desc.end = 1;
    tally_binding binding = TALLY_BINDING_INIT;
    binding.output.buffer = buffer;
    tally_runtime *runtime = NULL;
    tally_op *op = NULL;
    if (tally_runtime_create(&config, &runtime, &error) ||
        tally_diagonal_create(runtime, &desc, &op, &error) ||
        tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error)) {
        return fail(error.message);
    }
    int32_t matrix[9] = {0};
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof matrix, matrix, 0, NULL, NULL);
    for (int i = 0; i < 9; i++) {
        if (matrix[i] != (i % 4 == 0 ? 7 : 0)) {
            return fail("the fill is wrong");
        }
    }
    tally_op_release(op);
    tally_runtime_release(runtime);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    puts("consumer: ok");
    return 0;
}
