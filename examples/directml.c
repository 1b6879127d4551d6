/*
 * examples/directml.c: three of DirectML's operators, ported. The descriptions are DirectML's own
 * and stay as they are; tally/directml.h has their names. The calls around them change:
 *
 *   DirectML                                          Tally
 *   ------------------------------------------------  ----------------------------------------
 *   DMLCreateDevice(d3d12, flags, ...)                tally_runtime_create
 *   device->CheckFeatureSupport(...)                  tally_dml_minimum_level
 *   DMLCalcBufferTensorSize(...)                      tally_dml_buffer_tensor_size
 *   device->CreateOperator(&desc, ...)                tally_dml_operator_create(..., &desc, ...)
 *   device->CompileOperator(op, ...)                    the same call
 *   device->CreateOperatorInitializer, its dispatch     nothing: no operator is initialized
 *   compiled->GetBindingProperties()                  tally_op_scratch_size, or tally_scratch
 *     .TemporaryResourceSize
 *     .PersistentResourceSize, .RequiredDescriptorCount   nothing: there are none
 *   table->BindInputs(1, {buffer, offset, size})      binding.input = {buffer, offset}
 *   table->BindOutputs(1, ...)                        binding.output
 *   table->BindTemporaryResource(...)                 binding.scratch
 *   recorder->RecordDispatch(list, compiled, table)   tally_op_enqueue(op, queue, &binding, ...)
 *   queue->ExecuteCommandLists(1, &list)                the same call
 *   a UAV barrier between two dispatches              nothing on an in-order queue, else an event
 *   a fence                                           the event of tally_op_enqueue
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include <tally/directml.h>

enum { ROWS = 3, COLUMNS = 4, ELEMENTS = ROWS * COLUMNS };

static float values[ELEMENTS] = {2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4};

/* What belongs to the caller, and the library's runtime. */
typedef struct host {
    cl_context context;
    cl_command_queue queue;
    cl_mem input;
    cl_mem output;
    tally_runtime *runtime;
    tally_scratch *scratch;
} host;

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
    tally_error error;
    tally_config config = TALLY_CONFIG_INIT;
    config.context = h.context;
    check(tally_runtime_create(&config, &h.runtime, &error), &error);
    check(tally_scratch_create(h.runtime, &h.scratch, &error), &error);
    return h;
}

static void close_host(const host *h) {
    tally_scratch_release(h->scratch);
    tally_runtime_release(h->runtime);
    clReleaseMemObject(h->output);
    clReleaseMemObject(h->input);
    clReleaseCommandQueue(h->queue);
    clReleaseContext(h->context);
}

/* CreateOperator, CompileOperator, the binding table, RecordDispatch and the wait for a fence. */
static void run(const host *h, DML_OPERATOR_TYPE type, const void *of_type) {
    const DML_OPERATOR_DESC desc = {type, of_type};
    tally_op *op;
    tally_error error;
    cl_event done;
    check(tally_dml_operator_create(h->runtime, &desc, DML_FEATURE_LEVEL_5_1, &op, &error), &error);
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = h->input;
    binding.output.buffer = h->output;
    check(tally_scratch_view(h->scratch, op, &binding.scratch, &error), &error);
    check(tally_op_enqueue(op, h->queue, &binding, 0, NULL, &done, &error), &error);
    require(clWaitForEvents(1, &done), "clWaitForEvents");
    clReleaseEvent(done);
    tally_op_release(op);
}

static void print(const host *h, const char *title, int rows, int columns) {
    float result[ELEMENTS];
    require(clEnqueueReadBuffer(h->queue, h->output, CL_TRUE, 0,
                                sizeof(float) * (size_t)(rows * columns), result, 0, NULL, NULL),
            "clEnqueueReadBuffer");
    printf("%s\n", title);
    for (int i = 0; i < rows * columns; i++)
        printf("%5g%s", (double)result[i], (i + 1) % columns == 0 ? "\n" : "");
}

/* A packed tensor of float32. The two structs are DirectML's. */
static DML_BUFFER_TENSOR_DESC buffer_tensor(const UINT *sizes) {
    DML_BUFFER_TENSOR_DESC tensor = {0};
    tally_error error;
    tensor.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    tensor.Flags = DML_TENSOR_FLAG_NONE;
    tensor.DimensionCount = 4;
    tensor.Sizes = sizes;
    check(tally_dml_buffer_tensor_size(tensor.DataType, tensor.DimensionCount, sizes, NULL,
                                       &tensor.TotalTensorSizeInBytes, &error),
          &error);
    return tensor;
}

/* The sum of each row: DirectML's description, line by line. */
static void reduce(const host *h, const DML_TENSOR_DESC *matrix) {
    const UINT sizes[] = {1, 1, ROWS, 1};
    const UINT axes[] = {3};
    const DML_BUFFER_TENSOR_DESC column = buffer_tensor(sizes);
    const DML_TENSOR_DESC output = {DML_TENSOR_TYPE_BUFFER, &column};

    DML_REDUCE_OPERATOR_DESC desc = {0};
    desc.Function = DML_REDUCE_FUNCTION_SUM;
    desc.InputTensor = matrix;
    desc.OutputTensor = &output;
    desc.AxisCount = 1;
    desc.Axes = axes;
    run(h, DML_OPERATOR_REDUCE, &desc);
    print(h, "DML_OPERATOR_REDUCE, SUM over axis 3", ROWS, 1);
}

/* The running sum along each row, from its end. */
static void cumulative(const host *h, const DML_TENSOR_DESC *matrix) {
    DML_CUMULATIVE_SUMMATION_OPERATOR_DESC desc = {0};
    desc.InputTensor = matrix;
    desc.OutputTensor = matrix;
    desc.Axis = 3;
    desc.AxisDirection = DML_AXIS_DIRECTION_DECREASING;
    desc.HasExclusiveSum = FALSE;
    run(h, DML_OPERATOR_CUMULATIVE_SUMMATION, &desc);
    print(h, "DML_OPERATOR_CUMULATIVE_SUMMATION, DECREASING along axis 3", ROWS, COLUMNS);
}

/* The upper triangle: zeros below the diagonal, where column - row is less than 0. */
static void triangle(const host *h, const DML_TENSOR_DESC *matrix) {
    DML_DIAGONAL_MATRIX1_OPERATOR_DESC desc = {0};
    desc.InputTensor = matrix;
    desc.OutputTensor = matrix;
    desc.ValueDataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    desc.Value.Float32 = 0;
    desc.DiagonalFillBegin = INT32_MIN;
    desc.DiagonalFillEnd = 0;
    run(h, DML_OPERATOR_DIAGONAL_MATRIX1, &desc);
    print(h, "DML_OPERATOR_DIAGONAL_MATRIX1, 0 where column - row < 0", ROWS, COLUMNS);
}

int main(void) {
    const UINT sizes[] = {1, 1, ROWS, COLUMNS};
    const DML_BUFFER_TENSOR_DESC packed = buffer_tensor(sizes);
    const DML_TENSOR_DESC matrix = {DML_TENSOR_TYPE_BUFFER, &packed};
    const host h = open_host();
    reduce(&h, &matrix);
    cumulative(&h, &matrix);
    triangle(&h, &matrix);
    close_host(&h);
    return EXIT_SUCCESS;
}
