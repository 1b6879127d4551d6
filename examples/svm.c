/*
 * examples/svm.c: sums of the rows of a matrix in shared virtual memory. The program and the device
 * use one address: nothing is copied, and there is no buffer. Where the device has fine-grain
 * memory the host just writes and reads; coarse-grain memory is mapped for the host meanwhile. The
 * program adds the rows itself as well, and says whether both found the same.
 *
 * On its own: cc examples/svm.c -ltally -lOpenCL
 */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <tally/tally.h>

enum { ROWS = 4, COLUMNS = 100000, ELEMENTS = ROWS * COLUMNS };

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

/* A context with its device and an in-order queue, and whether its shared memory is fine-grain. */
typedef struct setup {
    cl_context context;
    cl_command_queue queue;
    bool fine;
} setup;

static bool has(cl_device_id device, cl_device_svm_capabilities wanted) {
    cl_device_svm_capabilities svm = 0;
    return clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL) ==
               CL_SUCCESS &&
           (svm & wanted) != 0;
}

static setup open_device(void) {
    cl_int code;
    cl_platform_id platform;
    cl_device_id device;
    setup made;
    require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    if (!has(device, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
        fprintf(stderr, "the device has no shared virtual memory\n");
        exit(EXIT_FAILURE);
    }
    made.fine = has(device, CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    made.context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    require(code, "clCreateContext");
    made.queue = clCreateCommandQueueWithProperties(made.context, device, NULL, &code);
    require(code, "clCreateCommandQueueWithProperties");
    return made;
}

static void *allocate(const setup *on, size_t bytes) {
    const cl_svm_mem_flags flags =
        CL_MEM_READ_WRITE | (on->fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
    void *memory = clSVMAlloc(on->context, flags, bytes, 0);
    if (memory == NULL) {
        fprintf(stderr, "clSVMAlloc found no %zu bytes\n", bytes);
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* The host has the memory from here on, until it gives it back. */
static void take(const setup *on, void *memory, size_t bytes, cl_map_flags how) {
    if (on->fine)
        require(clFinish(on->queue), "clFinish");
    else
        require(clEnqueueSVMMap(on->queue, CL_TRUE, how, memory, bytes, 0, NULL, NULL),
                "clEnqueueSVMMap");
}

static void give_back(const setup *on, void *memory) {
    if (!on->fine)
        require(clEnqueueSVMUnmap(on->queue, memory, 0, NULL, NULL), "clEnqueueSVMUnmap");
}

/* The sum of each row: [ROWS, COLUMNS] becomes [ROWS, 1]. */
static tally_op *make_sums(tally_runtime *runtime) {
    tally_op *op;
    tally_error error;
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_F32, 2, (const uint64_t[]){ROWS, COLUMNS});
    desc.axes = 1u << 1;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    check(tally_reduce_create(runtime, &desc, &op, &error), &error);
    return op;
}

/* Whole numbers, whose sums no rounding touches. */
static float element(int row, int column) {
    return (float)((row + 1) * (column % 7));
}

static bool print_sums(const float *sums) {
    bool same = true;
    for (int row = 0; row < ROWS; row++) {
        double expected = 0;
        for (int column = 0; column < COLUMNS; column++)
            expected += (double)element(row, column);
        printf("row %d: %.0f\n", row, (double)sums[row]);
        same = same && (double)sums[row] == expected;
    }
    puts(same ? "as added by the host" : "NOT as added by the host");
    return same;
}

int main(void) {
    const setup on = open_device();
    tally_error error;
    tally_runtime *runtime;
    tally_scratch *scratch;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = on.context;
    check(tally_runtime_create(&config, &runtime, &error), &error);
    check(tally_scratch_create(runtime, &scratch, &error), &error);
    tally_op *sums = make_sums(runtime);

    const size_t in_bytes = ELEMENTS * sizeof(float), out_bytes = ROWS * sizeof(float);
    float *x = allocate(&on, in_bytes), *y = allocate(&on, out_bytes);
    take(&on, x, in_bytes, CL_MAP_WRITE);
    for (int i = 0; i < ELEMENTS; i++)
        x[i] = element(i / COLUMNS, i % COLUMNS);
    give_back(&on, x);

    /* Scratch is a buffer here: views of all kinds may be in one binding. */
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.pointer = x;
    binding.output.pointer = y;
    check(tally_scratch_view(scratch, sums, &binding.scratch, &error), &error);
    check(tally_op_enqueue(sums, on.queue, &binding, 0, NULL, NULL, &error), &error);

    take(&on, y, out_bytes, CL_MAP_READ);
    const bool same = print_sums(y);
    give_back(&on, y);

    /* Nothing holds the memory for the operator: it is freed when all has ended. */
    require(clFinish(on.queue), "clFinish");
    clSVMFree(on.context, x);
    clSVMFree(on.context, y);
    tally_op_release(sums);
    tally_scratch_release(scratch);
    tally_runtime_release(runtime);
    clReleaseCommandQueue(on.queue);
    clReleaseContext(on.context);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
