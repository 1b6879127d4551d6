/*
 * acts_stream.c: a scan in three pieces by several threads, with copies and without. What fails,
 * the device has ended all work on the host's memory when the call is back.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <tally/stream.h>

#include "acts.h"

/* The scan's output, which only its act looks at. */
static uint32_t *output;

static void open_stream(stage *at) {
    tally_error error;
    fixture_ok(stage_make_runtime(at, &at->runtime, &error), &error, "tally_runtime_create");
    output = calloc(subject_outputs(at->what), sizeof *output);
    ck_assert_ptr_nonnull(output);
}

static tally_status run_stream(stage *at, uint32_t copies, tally_error *error) {
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_desc whole = TALLY_DESC_INIT;
    tally_stream stream = TALLY_STREAM_INIT;
    scan.function = at->what->function;
    scan.input = scan.output = tally_tensor_packed(TALLY_U32, SUBJECT_RANK, at->what->size);
    scan.axis = SUBJECT_RANK - 1;
    whole.cumulative = &scan;
    const tally_host_tensor in = {scan.input, at->input.bytes + at->input.first};
    tally_host_tensor out = {scan.output, output};
    const tally_source source = tally_source_memory(&in);
    const tally_sink sink = tally_sink_memory(&out);
    stream.source = &source;
    stream.sink = &sink;
    stream.copies = copies;
    stream.threads = 2;
    stream.piece = 2 * 4 * subject_inputs(at->what) / 3 + 4096;
    return tally_stream_run(at->runtime, &whole, &stream, error);
}

static tally_status run_with_copies(stage *at, tally_error *error) {
    return run_stream(at, TALLY_STREAM_COPY_ON, error);
}

static tally_status run_without(stage *at, tally_error *error) {
    return run_stream(at, TALLY_STREAM_COPY_OFF, error);
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

const act act_stream_copies = {"a stream with copies", open_stream,  run_with_copies,
                               check_stream,           close_stream, forgives_pinned};
const act act_stream = {
    "a stream without copies", open_stream, run_without, check_stream, close_stream,
    forgives_threads};
