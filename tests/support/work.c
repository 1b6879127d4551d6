/*
 * work.c: operators in queues. The buffers come from image.h, and only the fixture's own queue
 * reads them back.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "work.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <check.h>

tally_op *work_reduce(const tally_reduce *desc) {
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_reduce_create(fixture_get()->runtime, desc, &op, &error), &error, "reduce");
    return op;
}

tally_op *work_scan(const tally_cumulative *desc) {
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_cumulative_create(fixture_get()->runtime, desc, &op, &error), &error, "scan");
    return op;
}

image work_line(uint64_t count, uint32_t x) {
    image memory = image_make(0, count * sizeof x, 0);
    for (uint64_t k = 0; k < count; k++) {
        memcpy(memory.bytes + k * sizeof x, &x, sizeof x);
    }
    image_upload(&memory);
    return memory;
}

image work_scratch(const tally_op *op) {
    image memory = image_make(0, tally_op_scratch_size(op), 0xFF);
    image_upload(&memory);
    return memory;
}

uint32_t work_element(const image *memory, uint64_t index) {
    uint32_t x = 0;
    unsigned char *now = image_download(memory);
    memcpy(&x, now + index * sizeof x, sizeof x);
    free(now);
    return x;
}

cl_event work_enqueue(tally_op *op, cl_command_queue queue, const image *in, const image *out,
                      const image *scratch, cl_uint count, const cl_event *list) {
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    cl_event event = NULL;
    binding.input = image_view(in);
    binding.output = image_view(out);
    if (scratch != NULL) {
        binding.scratch = image_view(scratch);
    }
    fixture_ok(tally_op_enqueue(op, queue, &binding, count, list, &event, &error), &error,
               "tally_op_enqueue");
    ck_assert_ptr_nonnull(event);
    return event;
}

cl_event work_gate(void) {
    cl_int code = CL_SUCCESS;
    cl_event gate = clCreateUserEvent(fixture_get()->context, &code);
    fixture_check(code);
    return gate;
}

cl_int work_state(cl_event event) {
    cl_int state = 0;
    fixture_check(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    return state;
}

void work_linger(void) {
    const struct timespec pause = {0, 50 * 1000 * 1000};
    nanosleep(&pause, NULL);
}
