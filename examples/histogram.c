/*
 * examples/histogram.c: a cumulative histogram. The counts of the bins become running sums in
 * place, and the host finds the first bin at which half of the samples are reached.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <tally/tally.h>

enum { BINS = 8 };

static _Noreturn void die(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

int main(void) {
    static const int samples[] = {3, 1, 4, 1, 5, 2, 6, 5, 3, 5, 7, 0, 7, 3, 2, 3};
    const int count = sizeof samples / sizeof samples[0];
    uint32_t bins[BINS] = {0}, sums[BINS];
    for (int i = 0; i < count; i++)
        bins[samples[i]]++;

    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        die("there is no OpenCL device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof bins, bins, NULL);

    tally_error error;
    tally_runtime *runtime;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = context;
    if (tally_runtime_create(&config, &runtime, &error) != TALLY_OK)
        die(error.message);
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    scan.function = TALLY_SUM;
    scan.input = tally_tensor_packed(TALLY_U32, 1, (const uint64_t[]){BINS});
    scan.output = scan.input;
    scan.axis = 0;
    tally_op *op;
    if (tally_cumulative_create(runtime, &scan, &op, &error) != TALLY_OK)
        die(error.message);
    tally_scratch *scratch;
    if (tally_scratch_create(runtime, &scratch, &error) != TALLY_OK)
        die(error.message);

    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = buffer; /* in place: one view as input and output */
    binding.output.buffer = buffer;
    cl_event done;
    if (tally_scratch_view(scratch, op, &binding.scratch, &error) != TALLY_OK ||
        tally_op_enqueue(op, queue, &binding, 0, NULL, &done, &error) != TALLY_OK)
        die(error.message);
    if (clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof sums, sums, 1, &done, NULL))
        die("clEnqueueReadBuffer failed");
    clReleaseEvent(done);

    int median = 0;
    while (sums[median] * 2 < (uint32_t)count)
        median++;
    for (int i = 0; i < BINS; i++)
        printf("%u %u\n", bins[i], sums[i]);
    printf("half is reached in bin %d\n", median);
    tally_op_release(op);
    tally_scratch_release(scratch);
    tally_runtime_release(runtime);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return sums[BINS - 1] == (uint32_t)count ? 0 : 1;
}
