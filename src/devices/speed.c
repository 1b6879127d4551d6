/*
 * How fast a device reads: sums of memory of its own, timed by the host's clock, which all devices
 * have; the memory is so much that what a launch costs hardly counts.
 */
#include "devices/devices.h"

#include "platform/system.h"

/* Bytes that are summed, at most: more than caches of GPUs have. */
#define MOST_BYTES (UINT64_C(256) << 20)

/* Runs, the first of which is ignored: the device may wake up for it. */
#define RUNS 4

/* All that a measurement makes. */
typedef struct measurement {
    cl_command_queue queue;
    cl_mem input, output;
    tally_op *clear, *sum;
    tally_scratch *scratch;
    tally_binding binding; /* of the sum */
} measurement;

/* As much memory as is enough, and no more than an eighth of what the device allocates at once. */
static uint64_t bytes_for(const tally_devices_entry *entry) {
    cl_ulong most = 0;
    if (clGetDeviceInfo(entry->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL) !=
        CL_SUCCESS)
        most = 0;
    const uint64_t bytes = most / 8 < MOST_BYTES ? most / 8 : MOST_BYTES;
    return bytes > 4096 ? bytes - bytes % 4096 : 4096;
}

static tally_status make_memory(const tally_devices_entry *entry, uint64_t bytes, measurement *of,
                                tally_error *error) {
    cl_int code = CL_SUCCESS;
    of->queue = clCreateCommandQueue(entry->context, entry->id, 0, &code);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clCreateCommandQueue", error);
    of->input = clCreateBuffer(entry->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &code);
    if (code == CL_SUCCESS)
        of->output = clCreateBuffer(entry->context, CL_MEM_READ_WRITE, sizeof(float), NULL, &code);
    return tally_cl_check(code, "clCreateBuffer", error);
}

/* The operators: one writes zeros, so that memory is there at all, the other one sums them. */
static tally_status make_operators(const tally_devices_entry *entry, uint64_t bytes,
                                   measurement *of, tally_error *error) {
    const uint64_t sizes[2] = {bytes / 4096, 4096 / sizeof(float)};
    tally_diagonal zeros = TALLY_DIAGONAL_INIT;
    tally_reduce sum = TALLY_REDUCE_INIT;
    zeros.output = tally_tensor_packed(TALLY_F32, 2, sizes);
    sum.function = TALLY_SUM;
    sum.axes = 3;
    sum.input = zeros.output;
    sum.output = tally_tensor_reduced(&sum.input, sum.axes, TALLY_F32);
    tally_status status = tally_diagonal_create(entry->runtime, &zeros, &of->clear, error);
    if (status == TALLY_OK)
        status = tally_reduce_create(entry->runtime, &sum, &of->sum, error);
    if (status == TALLY_OK)
        status = tally_scratch_create(entry->runtime, &of->scratch, error);
    if (status == TALLY_OK)
        status = tally_scratch_view(of->scratch, of->sum, &of->binding.scratch, error);
    return status;
}

static tally_status clear_memory(measurement *of, tally_error *error) {
    tally_binding binding = TALLY_BINDING_INIT;
    of->binding.input.buffer = of->input;
    of->binding.output.buffer = of->output;
    binding.output.buffer = of->input;
    return tally_op_enqueue(of->clear, of->queue, &binding, 0, NULL, NULL, error);
}

static tally_status time_sum(measurement *of, double *seconds, tally_error *error) {
    const double begin = tally_clock();
    tally_status status = tally_op_enqueue(of->sum, of->queue, &of->binding, 0, NULL, NULL, error);
    if (status == TALLY_OK)
        status = tally_cl_check(clFinish(of->queue), "clFinish", error);
    *seconds = tally_clock() - begin;
    return status;
}

static tally_status find_best(measurement *of, double *best, tally_error *error) {
    tally_status status = TALLY_OK;
    *best = 0;
    for (int run = 0; run < RUNS && status == TALLY_OK; run++) {
        double seconds = 0;
        status = time_sum(of, &seconds, error);
        if (run > 0 && seconds > 0 && (*best <= 0 || seconds < *best))
            *best = seconds;
    }
    if (status == TALLY_OK && *best <= 0)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the host's clock stands still, so the device's speed cannot be "
                          "measured");
    return status;
}

static void drop(measurement *of) {
    tally_op_release(of->clear);
    tally_op_release(of->sum);
    tally_scratch_release(of->scratch);
    if (of->input != NULL)
        clReleaseMemObject(of->input);
    if (of->output != NULL)
        clReleaseMemObject(of->output);
    if (of->queue != NULL)
        clReleaseCommandQueue(of->queue);
}

tally_status tally_devices_measure(const tally_devices_entry *entry, double *speed,
                                   tally_error *error) {
    measurement of = {.queue = NULL, .binding = TALLY_BINDING_INIT};
    double seconds = 0;
    const uint64_t bytes = bytes_for(entry);
    tally_status status = make_memory(entry, bytes, &of, error);
    if (status == TALLY_OK)
        status = make_operators(entry, bytes, &of, error);
    if (status == TALLY_OK)
        status = clear_memory(&of, error);
    if (status == TALLY_OK)
        status = find_best(&of, &seconds, error);
    drop(&of);
    if (status == TALLY_OK)
        *speed = (double)bytes / seconds;
    return status;
}
