/* examples/minimal.c: the smallest whole program: the sum of each row of a 2 x 3 matrix. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

#include <tally/tally.h>

int main(void) {
    float in[] = {1, 2, 3, 4, 5, 6}, out[2];
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return puts("no OpenCL device"), 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem input = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, NULL);
    cl_mem output = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof out, NULL, NULL);
    if (!context || !queue || !input || !output)
        return puts("no OpenCL context, queue or buffer"), 1;

    tally_runtime *runtime; /* one for the program */
    tally_scratch *scratch; /* one for each in-order queue */
    tally_op *op;           /* one for each function and shape */
    tally_error error;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = context;
    tally_reduce sum = TALLY_REDUCE_INIT;
    sum.function = TALLY_SUM;
    sum.input = tally_tensor_packed(TALLY_F32, 2, (const uint64_t[]){2, 3});
    sum.axes = 1u << 1; /* sweep axis 1: one sum for each row */
    sum.output = tally_tensor_reduced(&sum.input, sum.axes, TALLY_F32);
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = input;
    binding.output.buffer = output;
    if (tally_runtime_create(&config, &runtime, &error) ||
        tally_scratch_create(runtime, &scratch, &error) ||
        tally_reduce_create(runtime, &sum, &op, &error) ||
        tally_scratch_view(scratch, op, &binding.scratch, &error) ||
        tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error))
        return puts(error.message), 1;
    if (clEnqueueReadBuffer(queue, output, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL))
        return puts("the result cannot be read"), 1;
    printf("%g %g\n", (double)out[0], (double)out[1]);

    tally_op_release(op);
    tally_scratch_release(scratch);
    tally_runtime_release(runtime);
    clReleaseMemObject(output);
    clReleaseMemObject(input);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
