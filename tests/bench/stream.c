/*
 * stream.c: how fast a stream is, on the first GPU, else the first device: the sum and the running
 * sum of M MiB of float32 in pinned memory of the host, with a budget of a quarter of that. Beside
 * it, in the same run and by turns: the source alone, which fills pieces; the link alone, which
 * moves pieces of pinned memory, of scans both ways at once; and the kernels alone. Prints the best
 * times and what share of the slower of transfer and kernels the stream reaches. A device that
 * shares the host's memory computes where the tensor lies, so it has no transfer. Both are measured
 * once more with functions of the caller's as the source and the sink; where nothing is copied to a
 * device, these are the transfer. Run by hand: bench_stream [M] [COPIES: 0 1 2] [THREADS] [SAMPLES]
 * [PIECE MiB]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tally/stream.h>

#include "bench/common.h"

typedef struct bench {
    bench_device on;
    cl_command_queue other;
    tally_host_tensor in, out;
    tally_source source;
    tally_sink sink;
    tally_stream stream;
    tally_stream_plan plan;
    bool copies, scans;
    uint64_t bytes;
    void *results;
    cl_mem pinned[2]; /* what both tensors lie in */
} bench;

/* ---- The stream and its parts --------------------------------------------------------------- */

static double time_stream(const bench *it, const tally_desc *whole) {
    tally_error error;
    const double began = bench_now();
    bench_check(tally_stream_run(it->on.runtime, whole, &it->stream, &error), &error);
    return bench_now() - began;
}

/* The source and the sink, by one thread: pieces go through as many slots as those of the stream.
 */
static double time_source(const bench *it) {
    const uint64_t piece = it->plan.input_bytes / sizeof(float), all = it->bytes / sizeof(float);
    float *memory = bench_memory(it->plan.input_bytes * it->plan.slots * 2);
    memset(memory, 1, (size_t)(it->plan.input_bytes * it->plan.slots * 2));
    const double began = bench_now();
    for (uint64_t at = 0, i = 0; at < all; at += piece, i++) {
        const uint64_t size = all - at < piece ? all - at : piece, slot = i % it->plan.slots;
        it->source.read(it->source.user, &at, &size, memory + slot * piece, NULL);
        if (it->scans)
            it->sink.write(it->sink.user, &at, &size, memory + (it->plan.slots + slot) * piece,
                           NULL);
    }
    const double seconds = bench_now() - began;
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
        pinned[i] = bench_buffer(&it->on, CL_MEM_ALLOC_HOST_PTR, bytes);
        device[i] = bench_buffer(&it->on, 0, bytes);
        host[i] = clEnqueueMapBuffer(it->on.queue, pinned[i], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                     0, bytes, 0, NULL, NULL, &code);
        bench_require(code, "clEnqueueMapBuffer");
        memset(host[i], 1, bytes);
        bench_require(clEnqueueWriteBuffer(it->on.queue, device[i], CL_TRUE, 0, bytes, host[i], 0,
                                           NULL, NULL),
                      "clEnqueueWriteBuffer");
    }
    const double began = bench_now();
    for (uint64_t at = 0; at < it->bytes; at += bytes) {
        bench_require(clEnqueueWriteBuffer(it->on.queue, device[0], CL_FALSE, 0, bytes, host[0], 0,
                                           NULL, NULL),
                      "clEnqueueWriteBuffer");
        if (it->scans)
            bench_require(clEnqueueReadBuffer(it->other, device[1], CL_FALSE, 0, bytes, host[1], 0,
                                              NULL, NULL),
                          "clEnqueueReadBuffer");
        clFlush(it->on.queue);
        clFlush(it->other);
    }
    clFinish(it->on.queue);
    clFinish(it->other);
    const double seconds = bench_now() - began;
    for (int i = 0; i < 2; i++) {
        clEnqueueUnmapMemObject(it->on.queue, pinned[i], host[i], 0, NULL, NULL);
        clFinish(it->on.queue);
        clReleaseMemObject(pinned[i]);
        clReleaseMemObject(device[i]);
    }
    return seconds;
}

/* A quarter of a tensor: where it lies, if the device shares that memory. */
static cl_mem quarter_of(const bench *it, void *elements, int i) {
    const uint64_t bytes = it->bytes / 4;
    cl_int code;
    if (it->copies)
        return bench_buffer(&it->on, 0, bytes);
    cl_mem buffer = clCreateBuffer(it->on.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                   (size_t)bytes, (char *)elements + (uint64_t)i * bytes, &code);
    bench_require(code, "clCreateBuffer");
    return buffer;
}

/* The operator of a quarter of the tensor, four times; in the device's memory on the same one. */
static double time_kernels(const bench *it, const tally_desc *whole) {
    const uint64_t bytes = it->bytes / 4, size = bytes / sizeof(float);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    tally_op *op = NULL;
    if (it->scans) {
        tally_cumulative part = *whole->cumulative;
        part.input = part.output = tally_tensor_packed(TALLY_F32, 1, &size);
        bench_check(tally_cumulative_create(it->on.runtime, &part, &op, &error), &error);
    } else {
        tally_reduce part = *whole->reduce;
        part.input = tally_tensor_packed(TALLY_F32, 1, &size);
        bench_check(tally_reduce_create(it->on.runtime, &part, &op, &error), &error);
    }
    cl_mem in[4] = {NULL}, out[4] = {NULL};
    for (int i = 0; i < 4; i++) {
        in[i] = i > 0 && it->copies ? in[0] : quarter_of(it, it->in.elements, i);
        out[i] = i > 0 && it->copies ? out[0] : quarter_of(it, it->results, i);
    }
    binding.scratch.buffer = bench_buffer(&it->on, 0, tally_op_scratch_size(op) + 1);
    double began = 0;
    for (int i = -1; i < 4; i++) { /* the first time is not measured */
        if (i == 0) {
            clFinish(it->on.queue);
            began = bench_now();
        }
        binding.input.buffer = in[i > 0 ? i : 0];
        binding.output.buffer = out[i > 0 ? i : 0];
        bench_check(tally_op_enqueue(op, it->on.queue, &binding, 0, NULL, NULL, &error), &error);
    }
    clFinish(it->on.queue);
    const double seconds = bench_now() - began;
    for (int i = 0; i < (it->copies ? 1 : 4); i++) {
        clReleaseMemObject(in[i]);
        clReleaseMemObject(out[i]);
    }
    clReleaseMemObject(binding.scratch.buffer);
    tally_op_release(op);
    return seconds;
}

/* The same by functions that the library does not know. */
static tally_status read_given(void *user, const uint64_t *begin, const uint64_t *size,
                               void *elements, tally_error *error) {
    const bench *it = user;
    const tally_source memory = tally_source_memory(&it->in);
    return memory.read(memory.user, begin, size, elements, error);
}

static tally_status write_given(void *user, const uint64_t *begin, const uint64_t *size,
                                const void *elements, tally_error *error) {
    bench *it = user;
    const tally_sink memory = tally_sink_memory(&it->out);
    return memory.write(memory.user, begin, size, elements, error);
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
    bench_check(tally_stream_query(it->on.runtime, whole, &it->stream, &it->plan, &error), &error);
    (void)time_stream(it, whole);
    for (int i = 0; i < samples; i++) {
        keep_best(&stream, time_stream(it, whole));
        keep_best(&source, time_source(it));
        if (it->copies)
            keep_best(&link, time_link(it));
        keep_best(&kernels, time_kernels(it, whole));
    }
    const bool lent = !it->copies && it->source.read != read_given;
    const double transfer = it->copies ? link : lent ? 0 : source;
    const double slower = transfer > kernels ? transfer : kernels;
    const double mb = (double)it->bytes * 1e-6;
    printf(
        "%-12s %6.0f MB in %llu pieces of %.1f MB, %u at a time, %.0f MB of %.0f used: stream "
        "%.3f s (%.1f GB/s); source by one thread %.3f s, link %.3f s, kernels %.3f s; %s %.2f\n",
        name, mb, (unsigned long long)it->plan.pieces, (double)it->plan.input_bytes * 1e-6,
        it->plan.slots, (double)it->plan.memory * 1e-6, (double)it->stream.memory * 1e-6, stream,
        mb * 1e-3 / stream, source, link, kernels,
        it->copies ? "share of the slower of link and kernels"
        : lent     ? "share of the kernels"
                   : "share of the slower of source and kernels",
        slower / stream);
}

static void measure_both(bench *it, const char *name, const tally_desc *whole, int samples) {
    it->source = tally_source_memory(&it->in);
    it->sink = tally_sink_memory(&it->out);
    it->source.flags |= TALLY_STREAM_PINNED;
    it->sink.flags |= TALLY_STREAM_PINNED;
    measure(it, name, whole, samples);
    it->source.read = read_given;
    it->sink.write = write_given;
    it->source.user = it->sink.user = it;
    measure(it, name, whole, samples);
}

static void open_device(bench *it) {
    cl_int code;
    bench_open(&it->on, NULL);
    it->other = clCreateCommandQueue(it->on.context, it->on.id, 0, &code);
    bench_require(code, "clCreateCommandQueue");
}

/* Memory for a tensor. */
static void *map_pinned(const bench *it, cl_mem *buffer) {
    cl_int code;
    *buffer = bench_buffer(&it->on, CL_MEM_ALLOC_HOST_PTR, it->bytes);
    void *memory = clEnqueueMapBuffer(it->on.queue, *buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      (size_t)it->bytes, 0, NULL, NULL, &code);
    bench_require(code, "clEnqueueMapBuffer");
    return memory;
}

static void unmap_pinned(const bench *it, cl_mem buffer, void *memory) {
    clEnqueueUnmapMemObject(it->on.queue, buffer, memory, 0, NULL, NULL);
    clFinish(it->on.queue);
    clReleaseMemObject(buffer);
}

static void open_tensors(bench *it, uint64_t elements) {
    it->bytes = elements * sizeof(float);
    it->in.tensor = it->out.tensor = tally_tensor_packed(TALLY_F32, 1, &elements);
    it->in.elements = map_pinned(it, &it->pinned[0]);
    it->out.elements = map_pinned(it, &it->pinned[1]);
    for (uint64_t i = 0; i < elements; i++)
        ((float *)it->in.elements)[i] = (float)(i % 17) - 8;
    memset(it->out.elements, 0, (size_t)it->bytes);
    it->results = it->out.elements;
}

int main(int argc, char **argv) {
    bench it = {.stream = TALLY_STREAM_INIT};
    const long mib = argc > 1 ? atol(argv[1]) : 1024; /* 16 or more: a scan needs its stretches */
    const int samples = argc > 4 ? atoi(argv[4]) : 5;
    cl_bool unified = CL_FALSE;
    open_device(&it);
    open_tensors(&it, (uint64_t)mib << 18);
    clGetDeviceInfo(it.on.id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL);
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
    measure_both(&it, "sum", &desc, samples);
    it.out = all;
    desc.reduce = NULL;
    desc.cumulative = &scan;
    measure_both(&it, "running sum", &desc, samples);
    unmap_pinned(&it, it.pinned[0], it.in.elements);
    unmap_pinned(&it, it.pinned[1], it.results);
    clReleaseCommandQueue(it.other);
    bench_close(&it.on);
    return EXIT_SUCCESS;
}
