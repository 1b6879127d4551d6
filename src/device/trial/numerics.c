/*
 * Running the numerics probe: a work-item for each check, in groups of the driver's choice, so that
 * no limit of the device is in the way.
 */
#include "device/trial/numerics.h"

#include <string.h>

#include "base/hash.h"
#include "device/clerror.h"
#include "device/program.h"
#include "model/dtype.h"

enum { IN_CHECKS, IN_ELEMENTS, IN_RESULTS, BUFFERS };

/* What goes to the device and what comes back from it. */
typedef struct probe_run {
    uint32_t count;
    size_t bytes[BUFFERS];
    void *data[BUFFERS];
    uint64_t checks[TALLY_PROBE_CHECKS_MAX * TALLY_PROBE_NUMBERS];
    unsigned char elements[TALLY_PROBE_CHECKS_MAX * TALLY_PROBE_POSITIONS * sizeof(uint64_t)];
    cl_mem buffer[BUFFERS];
    cl_program program;
    cl_kernel kernel;
} probe_run;

/* Elements lie in memory low end first, as this device's do; so are the host's bytes put. */
static void put_element(unsigned char *at, uint64_t bits, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        at[i] = (unsigned char)(bits >> 8 * i);
}

static uint64_t get_element(const unsigned char *at, size_t bytes) {
    uint64_t bits = 0;
    for (size_t i = 0; i < bytes; i++)
        bits |= (uint64_t)at[i] << 8 * i;
    return bits;
}

static void prepare(probe_run *run, tally_dtype dtype, uint64_t *results) {
    const tally_probe_check *checks = tally_probe_checks(dtype, &run->count);
    size_t element = tally_dtype_find(dtype)->bytes;
    for (uint32_t i = 0; i < run->count; i++) {
        uint64_t *words = run->checks + (size_t)i * TALLY_PROBE_NUMBERS;
        words[0] = checks[i].operation;
        memcpy(words + 1, checks[i].operand, sizeof checks[i].operand);
        for (size_t k = 0; k < TALLY_PROBE_POSITIONS; k++)
            put_element(run->elements + (i * TALLY_PROBE_POSITIONS + k) * element,
                        checks[i].operand[0], element);
    }
    memset(results, 0, run->count * sizeof *results);
    run->bytes[IN_CHECKS] = run->count * TALLY_PROBE_NUMBERS * sizeof *run->checks;
    run->bytes[IN_ELEMENTS] = run->count * TALLY_PROBE_POSITIONS * element;
    run->bytes[IN_RESULTS] = run->count * sizeof *results;
    run->data[IN_CHECKS] = run->checks;
    run->data[IN_ELEMENTS] = run->elements;
    run->data[IN_RESULTS] = results;
}

static tally_status build(probe_run *run, tally_device *device, const char *source,
                          tally_error *error) {
    tally_status status =
        tally_program_build(device, "the numerics probe", source, &run->program, error);
    if (status != TALLY_OK)
        return status;
    cl_int code = CL_SUCCESS;
    run->kernel = clCreateKernel(run->program, "tally_probe", &code);
    return tally_cl_check(code, "clCreateKernel", error);
}

static tally_status bind(probe_run *run, const tally_device *device, tally_error *error) {
    for (cl_uint i = 0; i < BUFFERS; i++) {
        cl_int code = CL_SUCCESS;
        run->buffer[i] = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                        run->bytes[i], run->data[i], &code);
        if (code != CL_SUCCESS)
            return tally_cl_check(code, "clCreateBuffer", error);
        code = clSetKernelArg(run->kernel, i, sizeof run->buffer[i], &run->buffer[i]);
        if (code != CL_SUCCESS)
            return tally_cl_check(code, "clSetKernelArg", error);
    }
    return TALLY_OK;
}

static tally_status compute(probe_run *run, const tally_device *device, tally_error *error) {
    size_t global = run->count;
    cl_int code =
        clEnqueueNDRangeKernel(device->queue, run->kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clEnqueueNDRangeKernel", error);
    for (int i = IN_ELEMENTS; i <= IN_RESULTS && code == CL_SUCCESS; i++)
        code = clEnqueueReadBuffer(device->queue, run->buffer[i], CL_TRUE, 0, run->bytes[i],
                                   run->data[i], 0, NULL, NULL);
    return tally_cl_check(code, "clEnqueueReadBuffer", error);
}

static void release(probe_run *run) {
    for (int i = 0; i < BUFFERS; i++)
        if (run->buffer[i] != NULL)
            clReleaseMemObject(run->buffer[i]);
    if (run->kernel != NULL)
        clReleaseKernel(run->kernel);
    if (run->program != NULL)
        clReleaseProgram(run->program);
}

/* ---- Remembering --------------------------------------------------------------------------- */

/* All that the results depend on: the checks that go in, the source, what it is built with. */
static bool write_topic(const probe_run *run, const tally_device *device, tally_dtype dtype,
                        const char *source, tally_text *topic) {
    char checks[TALLY_HASH_DIGITS + 1], text[TALLY_HASH_DIGITS + 1];
    tally_hash_print(tally_hash_of(run->checks, run->bytes[IN_CHECKS]), checks);
    tally_hash_print(tally_hash_of(source, strlen(source)), text);
    tally_text_format(topic, "numerics: %s\noptions: %s\nsource: %s\nitems: %s\n",
                      tally_dtype_find(dtype)->name, device->build_options, text, checks);
    return !topic->failed;
}

static bool recall(tally_device *device, const char *topic, uint64_t *results, uint32_t count) {
    tally_blob blob;
    bool found =
        tally_recall_get(&device->recall, topic, &blob) && blob.size == count * sizeof *results;
    for (uint32_t i = 0; i < count && found; i++)
        results[i] = get_element(blob.bytes + i * sizeof *results, sizeof *results);
    tally_blob_free(&blob);
    return found;
}

static void remember(tally_device *device, const char *topic, const uint64_t *results,
                     uint32_t count) {
    unsigned char bytes[TALLY_PROBE_CHECKS_MAX * sizeof *results];
    for (uint32_t i = 0; i < count; i++)
        put_element(bytes + i * sizeof *results, results[i], sizeof *results);
    tally_recall_put(&device->recall, topic, bytes, count * sizeof *results);
}

/* ---- The run ------------------------------------------------------------------------------- */

static tally_status run_probe(probe_run *run, tally_device *device, const char *source,
                              tally_error *error) {
    tally_status status = build(run, device, source, error);
    if (status == TALLY_OK)
        status = bind(run, device, error);
    if (status == TALLY_OK)
        status = compute(run, device, error);
    release(run);
    return status;
}

/* The element that was stored by itself, or one that a vector stored and that differs. */
static uint64_t get_stored(const unsigned char *positions, size_t element) {
    const uint64_t stored = get_element(positions, element);
    for (size_t k = 0; k < TALLY_PROBE_LANES; k++) {
        uint64_t lane = get_element(positions + (TALLY_PROBE_STORED + k) * element, element);
        if (lane != stored)
            return lane;
    }
    return stored;
}

/* What was stored is read as an element, and only the bits that count are kept. */
static void read_results(const probe_run *run, tally_dtype dtype, uint64_t *results) {
    uint32_t count = 0;
    const tally_probe_check *checks = tally_probe_checks(dtype, &count);
    size_t element = tally_dtype_find(dtype)->bytes;
    for (uint32_t i = 0; i < count; i++) {
        if (checks[i].operation == TALLY_PROBE_STORE)
            results[i] = get_stored(run->elements + i * TALLY_PROBE_POSITIONS * element, element);
        results[i] &= tally_probe_mask(&checks[i]);
    }
}

tally_status tally_numerics_run(tally_device *device, tally_dtype dtype, const char *source,
                                uint64_t results[TALLY_PROBE_CHECKS_MAX], tally_error *error) {
    probe_run run = {0};
    tally_text topic = tally_text_from(&device->allocator);
    tally_status status = TALLY_OK;
    prepare(&run, dtype, results);
    bool named =
        tally_recall_works(&device->recall) && write_topic(&run, device, dtype, source, &topic);
    if (!named || !recall(device, topic.data, results, run.count)) {
        status = run_probe(&run, device, source, error);
        read_results(&run, dtype, results);
        if (named && status == TALLY_OK)
            remember(device, topic.data, results, run.count);
    }
    tally_text_free(&topic);
    return status;
}
