/*
 * examples/tensors.c: the same 3 x 4 tensor reduced, scanned and filled through the library. Shows
 * the whole way of use with every call checked: runtime, operator, scratch, enqueue, event. It
 * knows only the public headers.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include <tally/tally.h>

enum { ROWS = 3, COLUMNS = 4, ELEMENTS = ROWS * COLUMNS };

static float values[ELEMENTS] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};

/* What belongs to the caller: Tally borrows it. */
typedef struct host {
    cl_context context;
    cl_command_queue queue;
    cl_mem input;
    cl_mem output;
    tally_runtime *runtime;
} host;

static void stop(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void require(cl_int code, const char *call) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s failed with %d\n", call, code);
        exit(EXIT_FAILURE);
    }
}

static host open_host(void) {
    host h;
    cl_int code;
    cl_platform_id platform;
    cl_device_id device;
    require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    h.context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    require(code, "clCreateContext");
    h.queue = clCreateCommandQueue(h.context, device, 0, &code);
    require(code, "clCreateCommandQueue");
    h.input = clCreateBuffer(h.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof values,
                             values, &code);
    require(code, "clCreateBuffer");
    h.output = clCreateBuffer(h.context, CL_MEM_READ_WRITE, sizeof values, NULL, &code);
    require(code, "clCreateBuffer");

    tally_config config = TALLY_CONFIG_INIT;
    tally_error error;
    config.context = h.context;
    if (tally_runtime_create(&config, &h.runtime, &error)) {
        stop("tally_runtime_create", error.message);
    }
    return h;
}

static void close_host(const host *h) {
    tally_runtime_release(h->runtime);
    clReleaseMemObject(h->output);
    clReleaseMemObject(h->input);
    clReleaseCommandQueue(h->queue);
    clReleaseContext(h->context);
}

/* Enqueue op on the two buffers and wait for it. The operator is done with afterwards. */
static void run(const host *h, tally_op *op) {
    tally_error error;
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = h->input;
    binding.output.buffer = h->output;
    size_t scratch_size = tally_op_scratch_size(op);
    if (scratch_size > 0) {
        cl_int code;
        binding.scratch.buffer =
            clCreateBuffer(h->context, CL_MEM_READ_WRITE, scratch_size, NULL, &code);
        require(code, "clCreateBuffer");
    }
    cl_event done;
    if (tally_op_enqueue(op, h->queue, &binding, 0, NULL, &done, &error)) {
        stop("tally_op_enqueue", error.message);
    }
    require(clWaitForEvents(1, &done), "clWaitForEvents");
    clReleaseEvent(done);
    if (binding.scratch.buffer) {
        clReleaseMemObject(binding.scratch.buffer);
    }
    tally_op_release(op);
}

static void print_floats(const host *h, const char *title, int rows, int columns) {
    float result[ELEMENTS];
    require(clEnqueueReadBuffer(h->queue, h->output, CL_TRUE, 0,
                                sizeof(float) * (size_t)(rows * columns), result, 0, NULL, NULL),
            "clEnqueueReadBuffer");
    printf("%s\n", title);
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            printf("%5g", (double)result[y * columns + x]);
        }
        printf("\n");
    }
}

static void print_indices(const host *h, const char *title, int count) {
    int32_t result[ELEMENTS];
    require(clEnqueueReadBuffer(h->queue, h->output, CL_TRUE, 0, sizeof(int32_t) * (size_t)count,
                                result, 0, NULL, NULL),
            "clEnqueueReadBuffer");
    printf("%s\n", title);
    for (int i = 0; i < count; i++) {
        printf("%5d\n", (int)result[i]);
    }
}

static tally_tensor matrix(void) {
    const uint64_t size[2] = {ROWS, COLUMNS};
    return tally_tensor_packed(TALLY_F32, 2, size);
}

static void reduce(const host *h, tally_function function, uint32_t axes, tally_dtype type) {
    tally_error error;
    tally_op *op;
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = function;
    desc.input = matrix();
    desc.output = tally_tensor_reduced(&desc.input, axes, type);
    desc.axes = axes;
    if (tally_reduce_create(h->runtime, &desc, &op, &error)) {
        stop("tally_reduce_create", error.message);
    }
    run(h, op);
}

static void scan(const host *h, uint32_t axis) {
    tally_error error;
    tally_op *op;
    tally_cumulative desc = TALLY_CUMULATIVE_INIT;
    desc.function = TALLY_SUM;
    desc.input = matrix();
    desc.output = desc.input;
    desc.axis = axis;
    if (tally_cumulative_create(h->runtime, &desc, &op, &error)) {
        stop("tally_cumulative_create", error.message);
    }
    run(h, op);
}

/* Zero what lies above the diagonal and keep the rest: t = x - y from 1 on gets 0. */
static void lower_triangle(const host *h) {
    tally_error error;
    tally_op *op;
    tally_tensor input = matrix();
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.input = &input;
    desc.output = input;
    desc.value.f32 = 0;
    desc.begin = 1;
    desc.end = INT64_MAX;
    if (tally_diagonal_create(h->runtime, &desc, &op, &error)) {
        stop("tally_diagonal_create", error.message);
    }
    run(h, op);
}

int main(void) {
    host h = open_host();
    const uint32_t rows = 1u << 0;
    const uint32_t columns = 1u << 1;

    reduce(&h, TALLY_SUM, columns, TALLY_F32);
    print_floats(&h, "sum of each row", ROWS, 1);
    reduce(&h, TALLY_MAX, rows, TALLY_F32);
    print_floats(&h, "maximum of each column", 1, COLUMNS);
    reduce(&h, TALLY_ARGMAX, columns, TALLY_I32);
    print_indices(&h, "place of each row's maximum", ROWS);
    scan(&h, 1);
    print_floats(&h, "running total along each row", ROWS, COLUMNS);
    lower_triangle(&h);
    print_floats(&h, "lower triangle", ROWS, COLUMNS);

    close_host(&h);
    return EXIT_SUCCESS;
}
