/*
 * stream.c: how fast a stream is, on the first GPU, else the first device: the sum and the running
 * sum of M MiB of float32 in the host's memory, with a budget of a quarter of that. Beside it, in
 * the same run and by turns: the source alone, which fills pieces; the link alone, which moves
 * pieces of pinned memory, of scans both ways at once; and the kernels alone. Prints the best times
 * and what share of the slowest of the three the stream reaches.
 * Run by hand: bench_stream [M] [COPIES: 0 1 2] [THREADS] [SAMPLES] [PIECE MiB]
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tally/stream.h>

typedef struct bench {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, other;
    tally_runtime *runtime;
    tally_host_tensor in, out;
    tally_source source;
    tally_sink sink;
    tally_stream stream;
    tally_stream_plan plan;
    bool copies, scans;
    uint64_t bytes;
} bench;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void require(cl_int code, const char *call) {
    if (code != CL_SUCCESS)
        fail(call, "it failed");
}

static void check(tally_status status, const tally_error *error) {
    if (status != TALLY_OK)
        fail(tally_status_name(status), error->message);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static cl_mem buffer_of(const bench *it, cl_mem_flags flags, uint64_t bytes) {
    cl_int code;
    cl_mem buffer =
        clCreateBuffer(it->context, CL_MEM_READ_WRITE | flags, (size_t)bytes, NULL, &code);
    require(code, "clCreateBuffer");
    return buffer;
}

/* ---- The stream and its parts --------------------------------------------------------------- */

static double time_stream(const bench *it, const tally_desc *whole) {
    tally_error error;
    const double began = now();
    check(tally_stream_run(it->runtime, whole, &it->stream, &error), &error);
    return now() - began;
}

/* The source and the sink, by one thread: pieces go through as many slots as those of the stream.
 */
static double time_source(const bench *it) {
    const uint64_t piece = it->plan.input_bytes / sizeof(float), all = it->bytes / sizeof(float);
    float *memory = malloc((size_t)(it->plan.input_bytes * it->plan.slots * 2));
    if (memory == NULL)
        fail("malloc", "no memory");
    memset(memory, 1, (size_t)(it->plan.input_bytes * it->plan.slots * 2));
    const double began = now();
    for (uint64_t at = 0, i = 0; at < all; at += piece, i++) {
        const uint64_t size = all - at < piece ? all - at : piece, slot = i % it->plan.slots;
        it->source.read(it->source.user, &at, &size, memory + slot * piece, NULL);
        if (it->scans)
            it->sink.write(it->sink.user, &at, &size, memory + (it->plan.slots + slot) * piece,
                           NULL);
    }
    const double seconds = now() - began;
    free(memory);
    return seconds;
}

/* Pieces of pinned memory to the device; of scans others back, by another queue. */
static double time_link(const bench *it) {
    const size_t bytes = (size_t)it->plan.input_bytes;
    cl_int code;
    cl_mem pinned[2], device[2];
    void *host[2];
    for (int i = 0; i < 2; i++) {
        pinned[i] = buffer_of(it, CL_MEM_ALLOC_HOST_PTR, bytes);
        device[i] = buffer_of(it, 0, bytes);
        host[i] = clEnqueueMapBuffer(it->queue, pinned[i], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                     bytes, 0, NULL, NULL, &code);
        require(code, "clEnqueueMapBuffer");
        memset(host[i], 1, bytes);
        require(
            clEnqueueWriteBuffer(it->queue, device[i], CL_TRUE, 0, bytes, host[i], 0, NULL, NULL),
            "clEnqueueWriteBuffer");
    }
    const double began = now();
    for (uint64_t at = 0; at < it->bytes; at += bytes) {
        require(
            clEnqueueWriteBuffer(it->queue, device[0], CL_FALSE, 0, bytes, host[0], 0, NULL, NULL),
            "clEnqueueWriteBuffer");
        if (it->scans)
            require(clEnqueueReadBuffer(it->other, device[1], CL_FALSE, 0, bytes, host[1], 0, NULL,
                                        NULL),
                    "clEnqueueReadBuffer");
        clFlush(it->queue);
        clFlush(it->other);
    }
    clFinish(it->queue);
    clFinish(it->other);
    const double seconds = now() - began;
    for (int i = 0; i < 2; i++) {
        clEnqueueUnmapMemObject(it->queue, pinned[i], host[i], 0, NULL, NULL);
        clFinish(it->queue);
        clReleaseMemObject(pinned[i]);
        clReleaseMemObject(device[i]);
    }
    return seconds;
}

/* The operator of a quarter of the tensor, which is in the device's memory, four times. */
static double time_kernels(const bench *it, const tally_desc *whole) {
    const uint64_t bytes = it->bytes / 4, size = bytes / sizeof(float);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    tally_op *op = NULL;
    if (it->scans) {
        tally_cumulative part = *whole->cumulative;
        part.input = part.output = tally_tensor_packed(TALLY_F32, 1, &size);
        check(tally_cumulative_create(it->runtime, &part, &op, &error), &error);
    } else {
        tally_reduce part = *whole->reduce;
        part.input = tally_tensor_packed(TALLY_F32, 1, &size);
        check(tally_reduce_create(it->runtime, &part, &op, &error), &error);
    }
    binding.input.buffer = buffer_of(it, 0, bytes);
    binding.output.buffer = buffer_of(it, 0, bytes);
    binding.scratch.buffer = buffer_of(it, 0, tally_op_scratch_size(op) + 1);
    const float one = 1;
    require(clEnqueueFillBuffer(it->queue, binding.input.buffer, &one, sizeof one, 0, (size_t)bytes,
                                0, NULL, NULL),
            "clEnqueueFillBuffer");
    check(tally_op_enqueue(op, it->queue, &binding, 0, NULL, NULL, &error), &error);
    clFinish(it->queue);
    const double began = now();
    for (int i = 0; i < 4; i++)
        check(tally_op_enqueue(op, it->queue, &binding, 0, NULL, NULL, &error), &error);
    clFinish(it->queue);
    const double seconds = now() - began;
    clReleaseMemObject(binding.input.buffer);
    clReleaseMemObject(binding.output.buffer);
    clReleaseMemObject(binding.scratch.buffer);
    tally_op_release(op);
    return seconds;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static void keep_best(double *best, double seconds) {
    if (*best == 0 || seconds < *best)
        *best = seconds;
}

static void measure(bench *it, const char *name, const tally_desc *whole, int samples) {
    double stream = 0, source = 0, link = 0, kernels = 0;
    tally_error error;
    it->scans = whole->cumulative != NULL;
    it->plan = (tally_stream_plan)TALLY_STREAM_PLAN_INIT;
    check(tally_stream_query(it->runtime, whole, &it->stream, &it->plan, &error), &error);
    (void)time_stream(it, whole);
    for (int i = 0; i < samples; i++) {
        keep_best(&stream, time_stream(it, whole));
        keep_best(&source, time_source(it));
        if (it->copies)
            keep_best(&link, time_link(it));
        keep_best(&kernels, time_kernels(it, whole));
    }
    const double transfer = it->copies ? link : source;
    const double slower = transfer > kernels ? transfer : kernels;
    const double mb = (double)it->bytes * 1e-6;
    printf("%-12s %6.0f MB in %llu pieces of %.1f MB, %u at a time, %.0f MB of %.0f used: stream "
           "%.3f s (%.1f GB/s); source by one thread %.3f s, link %.3f s, kernels %.3f s; share of "
           "the slower of %s and kernels %.2f\n",
           name, mb, (unsigned long long)it->plan.pieces, (double)it->plan.input_bytes * 1e-6,
           it->plan.slots, (double)it->plan.memory * 1e-6, (double)it->stream.memory * 1e-6, stream,
           mb * 1e-3 / stream, source, link, kernels, it->copies ? "link" : "source",
           slower / stream);
}

static void open_device(bench *it) {
    cl_platform_id platforms[16];
    cl_uint count = 0, found = 0;
    cl_int code;
    require(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (int all = 0; all < 2 && found == 0; all++)
        for (cl_uint i = 0; i < count && i < 16 && found == 0; i++)
            if (clGetDeviceIDs(platforms[i], all ? CL_DEVICE_TYPE_ALL : CL_DEVICE_TYPE_GPU, 1,
                               &it->device, &found) != CL_SUCCESS)
                found = 0;
    if (found == 0)
        fail("OpenCL", "no device");
    it->context = clCreateContext(NULL, 1, &it->device, NULL, NULL, &code);
    require(code, "clCreateContext");
    it->queue = clCreateCommandQueue(it->context, it->device, 0, &code);
    require(code, "clCreateCommandQueue");
    it->other = clCreateCommandQueue(it->context, it->device, 0, &code);
    require(code, "clCreateCommandQueue");
    tally_config config = TALLY_CONFIG_INIT;
    tally_error error;
    config.context = it->context;
    check(tally_runtime_create(&config, &it->runtime, &error), &error);
}

static void open_tensors(bench *it, uint64_t elements) {
    it->bytes = elements * sizeof(float);
    it->in.tensor = it->out.tensor = tally_tensor_packed(TALLY_F32, 1, &elements);
    it->in.elements = malloc((size_t)it->bytes);
    it->out.elements = malloc((size_t)it->bytes);
    if (it->in.elements == NULL || it->out.elements == NULL)
        fail("malloc", "no memory");
    for (uint64_t i = 0; i < elements; i++)
        ((float *)it->in.elements)[i] = (float)(i % 17) - 8;
    memset(it->out.elements, 0, (size_t)it->bytes);
}

int main(int argc, char **argv) {
    bench it = {.stream = TALLY_STREAM_INIT};
    const long mib = argc > 1 ? atol(argv[1]) : 1024; /* 16 or more: a scan needs its stretches */
    const int samples = argc > 4 ? atoi(argv[4]) : 5;
    cl_bool unified = CL_FALSE;
    open_device(&it);
    open_tensors(&it, (uint64_t)mib << 18);
    clGetDeviceInfo(it.device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL);
    it.source = tally_source_memory(&it.in);
    it.sink = tally_sink_memory(&it.out);
    it.stream.source = &it.source;
    it.stream.sink = &it.sink;
    it.stream.memory = it.bytes / 4;
    it.stream.copies = argc > 2 ? (uint32_t)atol(argv[2]) : 0;
    it.stream.threads = argc > 3 ? (uint32_t)atol(argv[3]) : 0;
    it.stream.piece = argc > 5 ? (uint64_t)atol(argv[5]) << 20 : 0;
    it.copies = it.stream.copies == 1 || (it.stream.copies == 0 && unified == CL_FALSE);
    tally_reduce sum = TALLY_REDUCE_INIT;
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_desc desc = TALLY_DESC_INIT;
    sum.function = scan.function = TALLY_SUM;
    sum.input = scan.input = scan.output = it.in.tensor;
    sum.axes = 1;
    sum.output = tally_tensor_reduced(&sum.input, 1, TALLY_F32);
    desc.reduce = &sum;
    tally_host_tensor all = it.out;
    it.out.tensor = sum.output;
    measure(&it, "sum", &desc, samples);
    it.out = all;
    desc.reduce = NULL;
    desc.cumulative = &scan;
    measure(&it, "running sum", &desc, samples);
    tally_runtime_release(it.runtime);
    clReleaseCommandQueue(it.queue);
    clReleaseCommandQueue(it.other);
    clReleaseContext(it.context);
    free(it.in.elements);
    free(it.out.elements);
    return EXIT_SUCCESS;
}
