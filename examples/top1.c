/*
 * examples/top1.c: the largest element of each row and its index: two reductions of one matrix.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <tally/tally.h>

static _Noreturn void die(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

enum { ROWS = 3, COLS = 1000 };

static float scores[ROWS][COLS];

/* Print what was found, and return how many rows are wrong. */
static int compare(const float *value, const uint32_t *index) {
    int wrong = 0;
    for (int r = 0; r < ROWS; r++) {
        uint32_t want = 0;
        for (uint32_t c = 1; c < COLS; c++)
            if (scores[r][c] > scores[r][want])
                want = c;
        wrong += want != index[r] || scores[r][want] != value[r];
        printf("row %d: %g at %u\n", r, value[r], index[r]);
    }
    return wrong;
}

int main(void) {
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            scores[r][c] = (float)((c * 37 + r * 11) % 1009);
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        die("there is no OpenCL device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof scores,
                               scores, NULL);
    cl_mem best = clCreateBuffer(context, CL_MEM_WRITE_ONLY, ROWS * sizeof(float), NULL, NULL);
    cl_mem where = clCreateBuffer(context, CL_MEM_WRITE_ONLY, ROWS * sizeof(uint32_t), NULL, NULL);

    tally_error error;
    tally_runtime *runtime;
    tally_scratch *scratch;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = context;
    if (tally_runtime_create(&config, &runtime, &error) ||
        tally_scratch_create(runtime, &scratch, &error))
        die(error.message);

    tally_op *ops[2];
    cl_mem out[2] = {best, where};
    for (int i = 0; i < 2; i++) {
        tally_reduce d = TALLY_REDUCE_INIT;
        d.function = i == 0 ? TALLY_MAX : TALLY_ARGMAX;
        d.input = tally_tensor_packed(TALLY_F32, 2, (const uint64_t[]){ROWS, COLS});
        d.axes = 1u << 1;
        d.output = tally_tensor_reduced(&d.input, d.axes, i == 0 ? TALLY_F32 : TALLY_U32);
        d.nan = TALLY_NAN_IGNORE;
        if (tally_reduce_create(runtime, &d, &ops[i], &error))
            die(error.message);
        tally_binding b = TALLY_BINDING_INIT;
        b.input.buffer = in;
        b.output.buffer = out[i];
        if (tally_scratch_view(scratch, ops[i], &b.scratch, &error) ||
            tally_op_enqueue(ops[i], queue, &b, 0, NULL, NULL, &error))
            die(error.message);
    }
    float value[ROWS];
    uint32_t index[ROWS];
    if (clEnqueueReadBuffer(queue, best, CL_FALSE, 0, sizeof value, value, 0, NULL, NULL) ||
        clEnqueueReadBuffer(queue, where, CL_TRUE, 0, sizeof index, index, 0, NULL, NULL))
        die("read");
    int wrong = compare(value, index);
    for (int i = 0; i < 2; i++) {
        tally_op_release(ops[i]);
        clReleaseMemObject(out[i]);
    }
    tally_scratch_release(scratch);
    tally_runtime_release(runtime);
    clReleaseMemObject(in);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong;
}
