/*
 * families.c: the devices, and what they make of one input.
 */
#include "families.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/operator.h"
#include "support/fixtures/fixture.h"

/* Each family on the device as it is, then the invented ones. */
static const struct device {
    tally_family family;
    uint64_t group_max; /* 0: the device's own */
} devices[] = {{TALLY_FAMILY_CPU, 0},
               {TALLY_FAMILY_GENERIC, 0},
               {TALLY_FAMILY_GPU, 0},
               {TALLY_FAMILY_GPU, 7},
               {TALLY_FAMILY_GPU, 1}};
#define DEVICES (sizeof devices / sizeof devices[0])

static tally_runtime *runtimes[DEVICES];

void families_open(void) {
    fixture_get();
    for (size_t i = 0; i < DEVICES; i++) {
        runtimes[i] = fixture_make_runtime_of(devices[i].family);
        if (devices[i].group_max != 0)
            runtimes[i]->device.limits.group_max = devices[i].group_max;
    }
}

void families_close(void) {
    for (size_t i = 0; i < DEVICES; i++)
        tally_runtime_release(runtimes[i]);
}

#define BYTES (FAMILIES_ELEMENTS * sizeof(float))

/* Terms of all magnitudes, so that no two orders of them sum to the same bits. */
static cl_mem make_input(void) {
    float *values = malloc(BYTES);
    uint32_t state = 12345;
    for (size_t i = 0; i < FAMILIES_ELEMENTS; i++) {
        state = state * 1664525u + 1013904223u;
        float value = (float)(state >> 8) / 16777216.0f - 0.5f;
        values[i] = value * (float)(1u << (state % 17));
    }
    cl_mem buffer = fixture_make_buffer(values, BYTES);
    free(values);
    return buffer;
}

/* Run the operator, release it, and give its output's bytes, which the caller frees. */
static unsigned char *run(tally_op *op, cl_mem input, size_t offset, size_t bytes) {
    size_t scratch = tally_op_scratch_size(op);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    binding.input.buffer = input;
    binding.input.offset = offset;
    binding.output.buffer = fixture_make_buffer(NULL, bytes);
    binding.scratch.buffer = scratch > 0 ? fixture_make_buffer(NULL, scratch) : NULL;
    cl_command_queue queue = fixture_get()->queue;
    unsigned char *output = calloc(1, bytes); /* gaps of the output stay as they are */
    fixture_check(clEnqueueWriteBuffer(queue, binding.output.buffer, CL_TRUE, 0, bytes, output, 0,
                                       NULL, NULL));
    fixture_ok(tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error), &error,
               tally_op_describe(op));
    fixture_check(clEnqueueReadBuffer(queue, binding.output.buffer, CL_TRUE, 0, bytes, output, 0,
                                      NULL, NULL));
    clReleaseMemObject(binding.output.buffer);
    if (scratch > 0)
        clReleaseMemObject(binding.scratch.buffer);
    tally_op_release(op);
    return output;
}

static tally_op *make_reduce(tally_runtime *runtime, const void *desc) {
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_reduce_create(runtime, desc, &op, &error), &error, "tally_reduce_create");
    return op;
}

static tally_op *make_scan(tally_runtime *runtime, const void *desc) {
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    return op;
}

static int compare(tally_op *(*make)(tally_runtime *, const void *), const void *desc,
                   size_t offset, size_t bytes) {
    cl_mem input = make_input();
    unsigned char *expected = NULL;
    int teams = 0;
    for (size_t i = 0; i < DEVICES; i++) {
        tally_op *op = make(runtimes[i], desc);
        char plan[4096];
        strncpy(plan, tally_op_describe(op), sizeof plan - 1);
        plan[sizeof plan - 1] = '\0';
        teams += strstr(plan, "_g") != NULL; /* a group compiled in */
        unsigned char *output = run(op, input, offset, bytes);
        if (expected != NULL)
            ck_assert_msg(memcmp(output, expected, bytes) == 0, "other bits by the plan\n%s", plan);
        if (i == 0)
            expected = output;
        else
            free(output);
    }
    free(expected);
    clReleaseMemObject(input);
    return teams;
}

int families_reduce(const tally_reduce *desc, size_t offset, size_t bytes) {
    return compare(make_reduce, desc, offset, bytes);
}

int families_scan(const tally_cumulative *desc, size_t offset, size_t bytes) {
    return compare(make_scan, desc, offset, bytes);
}

const uint64_t families_lengths[FAMILIES_LENGTHS] = {1,   2,    63,   64,   127,  128,
                                                     129, 4095, 4096, 4097, 8191, 599999};
