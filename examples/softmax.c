/*
 * examples/softmax.c: softmax along the rows of a matrix, of two of Tally's operators and two
 * kernels of the program's own. Everything is enqueued at once on an out-of-order queue: events
 * alone say what waits for what. Both operators share one scratch, as they never run together.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include <tally/tally.h>

enum { ROWS = 3, COLUMNS = 4, ELEMENTS = ROWS * COLUMNS };

static float values[ELEMENTS] = {1, 2, 3, 4, 0, 0, 0, 0, 1000, 1000, 0, -1000};

static const char source[] =
    "kernel void shift(global const float *x, global const float *most, global float *y) {\n"
    "    size_t row = get_global_id(0), i = row * get_global_size(1) + get_global_id(1);\n"
    "    y[i] = exp(x[i] - most[row]);\n"
    "}\n"
    "kernel void divide(global const float *sum, global float *y) {\n"
    "    size_t row = get_global_id(0);\n"
    "    y[row * get_global_size(1) + get_global_id(1)] /= sum[row];\n"
    "}\n";

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

static cl_mem make_buffer(cl_context context, float *data) {
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (data != NULL ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem buffer = clCreateBuffer(context, flags, ELEMENTS * sizeof *data, data, &code);
    require(code, "clCreateBuffer");
    return buffer;
}

/* The function of each row: [ROWS, COLUMNS] becomes [ROWS, 1]. */
static tally_op *make_op(tally_runtime *runtime, tally_function function) {
    tally_op *op;
    tally_error error;
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = function;
    desc.input = tally_tensor_packed(TALLY_F32, 2, (const uint64_t[]){ROWS, COLUMNS});
    desc.axes = 1u << 1;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F32);
    check(tally_reduce_create(runtime, &desc, &op, &error), &error);
    return op;
}

/* Enqueue an operator behind an event, or behind none. */
static cl_event fold(tally_op *op, tally_scratch *scratch, cl_command_queue queue, cl_mem input,
                     cl_mem output, const cl_event *after) {
    cl_event done;
    tally_error error;
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = input;
    binding.output.buffer = output;
    check(tally_scratch_view(scratch, op, &binding.scratch, &error), &error);
    check(tally_op_enqueue(op, queue, &binding, after != NULL ? 1 : 0, after, &done, &error),
          &error);
    return done;
}

/* Enqueue a kernel of one work-item for each element behind an event. */
static cl_event run(cl_kernel kernel, cl_command_queue queue, const cl_mem *buffers, cl_uint count,
                    const cl_event *after) {
    const size_t size[] = {ROWS, COLUMNS};
    cl_event done;
    for (cl_uint i = 0; i < count; i++)
        require(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    require(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 1, after, &done),
            "clEnqueueNDRangeKernel");
    return done;
}

int main(void) {
    cl_int code;
    cl_platform_id platform;
    cl_device_id device;
    require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    require(code, "clCreateContext");
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    require(code, "clCreateCommandQueue");
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    require(code, "clCreateProgramWithSource");
    require(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel shift = clCreateKernel(program, "shift", &code);
    require(code, "clCreateKernel");
    cl_kernel divide = clCreateKernel(program, "divide", &code);
    require(code, "clCreateKernel");

    tally_error error;
    tally_runtime *runtime;
    tally_scratch *scratch;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = context;
    check(tally_runtime_create(&config, &runtime, &error), &error);
    check(tally_scratch_create(runtime, &scratch, &error), &error);
    tally_op *maximum = make_op(runtime, TALLY_MAX), *sum = make_op(runtime, TALLY_SUM);

    cl_mem x = make_buffer(context, values), y = make_buffer(context, NULL);
    cl_mem most = make_buffer(context, NULL), total = make_buffer(context, NULL);
    const cl_mem of_shift[] = {x, most, y}, of_divide[] = {total, y};
    cl_event done[4];
    done[0] = fold(maximum, scratch, queue, x, most, NULL);
    done[1] = run(shift, queue, of_shift, 3, &done[0]);
    done[2] = fold(sum, scratch, queue, y, total, &done[1]);
    done[3] = run(divide, queue, of_divide, 2, &done[2]);
    float result[ELEMENTS];
    require(clEnqueueReadBuffer(queue, y, CL_TRUE, 0, sizeof result, result, 1, &done[3], NULL),
            "clEnqueueReadBuffer");
    for (int i = 0; i < ELEMENTS; i++)
        printf("%.4f%c", (double)result[i], i % COLUMNS == COLUMNS - 1 ? '\n' : ' ');

    for (int i = 0; i < 4; i++)
        clReleaseEvent(done[i]);
    tally_op_release(maximum);
    tally_op_release(sum);
    tally_scratch_release(scratch);
    tally_runtime_release(runtime);
    clReleaseMemObject(x);
    clReleaseMemObject(y);
    clReleaseMemObject(most);
    clReleaseMemObject(total);
    clReleaseKernel(shift);
    clReleaseKernel(divide);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return EXIT_SUCCESS;
}
