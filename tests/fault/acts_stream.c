/*
 * acts_stream.c: a scan in three pieces by several threads: copied to the device, mapped, and in
 * memory that is lent. What fails, the device has ended all work on the host's memory when the call
 * is back.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <tally/stream.h>

#include "acts.h"

/* The scan's ends, which only its act looks at. */
static uint32_t *output;
static tally_host_tensor in, out;

static void open_stream(stage *at) {
    const tally_tensor tensor = tally_tensor_packed(TALLY_U32, SUBJECT_RANK, at->what->size);
    tally_error error;
    fixture_ok(stage_make_runtime(at, &at->runtime, &error), &error, "tally_runtime_create");
    output = fixture_make_pages(subject_outputs(at->what) * sizeof *output, 0); /* so it is lent */
    in = (tally_host_tensor){tensor, at->input.bytes + at->input.first};
    out = (tally_host_tensor){tensor, output};
}

static tally_status run_stream(stage *at, uint32_t copies, const tally_source *source,
                               const tally_sink *sink, tally_error *error) {
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_desc whole = TALLY_DESC_INIT;
    tally_stream stream = TALLY_STREAM_INIT;
    scan.function = at->what->function;
    scan.input = scan.output = in.tensor;
    scan.axis = SUBJECT_RANK - 1;
    whole.cumulative = &scan;
    stream.source = source;
    stream.sink = sink;
    stream.copies = copies;
    stream.threads = 2;
    stream.piece = 2 * 4 * subject_inputs(at->what) / 3 + 4096;
    return tally_stream_run(at->runtime, &whole, &stream, error);
}

static tally_status run_with_copies(stage *at, tally_error *error) {
    const tally_source source = tally_source_memory(&in);
    const tally_sink sink = tally_sink_memory(&out);
    return run_stream(at, TALLY_STREAM_COPY_ON, &source, &sink, error);
}

static tally_status run_lent(stage *at, tally_error *error) {
    const tally_source source = tally_source_memory(&in);
    const tally_sink sink = tally_sink_memory(&out);
    return run_stream(at, TALLY_STREAM_COPY_OFF, &source, &sink, error);
}

/* Functions that the library does not know, so that nothing is lent. */
static tally_status read_box(void *user, const uint64_t *begin, const uint64_t *size,
                             void *elements, tally_error *error) {
    const tally_source source = tally_source_memory(user);
    return source.read(source.user, begin, size, elements, error);
}

static tally_status write_box(void *user, const uint64_t *begin, const uint64_t *size,
                              const void *elements, tally_error *error) {
    const tally_sink sink = tally_sink_memory(user);
    return sink.write(sink.user, begin, size, elements, error);
}

static tally_status run_mapped(stage *at, tally_error *error) {
    tally_source source = tally_source_memory(&in);
    tally_sink sink = tally_sink_memory(&out);
    source.read = read_box;
    sink.write = write_box;
    return run_stream(at, TALLY_STREAM_COPY_OFF, &source, &sink, error);
}

static void check_stream(stage *at) {
    ck_assert_mem_eq(output, at->expected, subject_outputs(at->what) * sizeof *output);
}

static void close_stream(stage *at) {
    free(output);
    tally_runtime_release(at->runtime);
    at->runtime = NULL;
}

/* Threads are done without, and groups that a dry launch refuses. */
static bool forgives_threads(layer_call call, cl_int code) {
    return call == LAYER_pthread_create ||
           (call == LAYER_clEnqueueNDRangeKernel && code == CL_INVALID_WORK_GROUP_SIZE) ||
           call == LAYER_clFinish || call == LAYER_clEnqueueUnmapMemObject;
}

/* So is pinned memory; how it is unmapped and given back concerns nobody. */
static bool forgives_pinned(layer_call call, cl_int code) {
    return call == LAYER_clCreateBuffer || call == LAYER_clEnqueueMapBuffer ||
           forgives_threads(call, code);
}

/* And what cannot be lent goes through memory of the stream's. */
static bool forgives_lending(layer_call call, cl_int code) {
    return call == LAYER_clCreateBuffer || forgives_threads(call, code);
}

const act acts_of_streams[ACTS_OF_STREAMS] = {
    {"a stream with copies", open_stream, run_with_copies, check_stream, close_stream,
     forgives_pinned},
    {"a stream that is mapped", open_stream, run_mapped, check_stream, close_stream,
     forgives_threads},
    {"a stream in memory that is lent", open_stream, run_lent, check_stream, close_stream,
     forgives_lending},
};
