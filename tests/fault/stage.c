/*
 * stage.c: setting up, enqueueing, comparing.
 */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "layer/layer.h"
#include "support/fixtures/work.h"

static void *allocate(uint64_t bytes) {
    void *memory = malloc((size_t)bytes + 1);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

tally_status stage_make_runtime(const stage *at, tally_runtime **runtime, tally_error *error) {
    const tally_overrides overrides = {sizeof overrides, at->what->family, at->what->single_pass};
    tally_config config = TALLY_CONFIG_INIT;
    config.context = fixture_get()->context;
    config.overrides = &overrides;
    config.cache_dir = at->cache_dir;
    config.cache_limit = at->cache_limit;
    config.allocator = at->allocator;
    return tally_runtime_create(&config, runtime, error);
}

void stage_make_op(stage *at) {
    tally_error error;
    fixture_ok(stage_make_runtime(at, &at->runtime, &error), &error, "tally_runtime_create");
    fixture_ok(subject_create(at->what, at->runtime, &at->op, &error), &error, at->what->name);
}

void stage_release_op(stage *at) {
    tally_op_release(at->op);
    tally_runtime_release(at->runtime);
    at->op = NULL;
    at->runtime = NULL;
}

void stage_fit_scratch(stage *at) {
    if (at->scratch.buffer != NULL && tally_op_scratch_size(at->op) <= at->scratch_bytes)
        return;
    image_free(&at->scratch);
    at->scratch = work_scratch(at->op);
    at->scratch_bytes = tally_op_scratch_size(at->op);
}

stage stage_open(const subject *what, cl_command_queue_properties order) {
    stage at = {.what = what, .queue = fixture_make_queue(order)};
    const uint64_t in = subject_inputs(what) * sizeof(uint32_t);
    const uint64_t out = subject_outputs(what) * sizeof(uint32_t);
    at.input = image_make(0, in, 0);
    at.output = image_make(0, out, 0xA5);
    at.expected = allocate(out);
    uint32_t *elements = allocate(in);
    subject_fill(what, elements);
    subject_solve(what, elements, at.expected);
    memcpy(at.input.bytes, elements, (size_t)in);
    free(elements);
    image_upload(&at.input);
    image_upload(&at.output);
    stage_make_op(&at);
    stage_fit_scratch(&at);
    stage_release_op(&at);
    return at;
}

void stage_close(stage *at) {
    image_free(&at->input);
    image_free(&at->output);
    image_free(&at->scratch);
    free(at->expected);
    clReleaseCommandQueue(at->queue);
}

void stage_spoil(stage *at) {
    image_restore(&at->output);
}

tally_status stage_enqueue(stage *at, tally_error *error) {
    const tally_binding binding = {image_view(&at->input), image_view(&at->output),
                                   image_view(&at->scratch)};
    static int position;
    at->done = (cl_event)(void *)&position; /* anything that is not NULL */
    const tally_status status =
        tally_op_enqueue(at->op, at->queue, &binding, at->gate != NULL ? 1 : 0,
                         at->gate != NULL ? &at->gate : NULL, &at->done, error);
    if (status != TALLY_OK)
        ck_assert_msg(at->done == NULL, "the enqueue failed, but its event is not NULL");
    return status;
}

void stage_shut(stage *at) {
    at->gate = work_gate();
}

void stage_let_go(stage *at) {
    if (at->gate == NULL)
        return;
    fixture_check(clSetUserEventStatus(at->gate, CL_COMPLETE));
    fixture_check(clFinish(at->queue));
    clReleaseEvent(at->gate);
    at->gate = NULL;
}

/* The first element that is another; their number if there is none. */
static uint64_t find_difference(const stage *at, const unsigned char *now) {
    const uint64_t count = subject_outputs(at->what);
    uint64_t i = 0;
    while (i < count && memcmp(now + i * sizeof(uint32_t), &at->expected[i], sizeof(uint32_t)) == 0)
        i++;
    return i;
}

void stage_check(stage *at) {
    fixture_check(clWaitForEvents(1, &at->done));
    layer_release_event(at->done);
    at->done = NULL;
    stage_compare(at);
}

void stage_compare(const stage *at) {
    unsigned char *now = image_download(&at->output);
    /* An assertion for each element would take longer than all else. */
    const uint64_t wrong = find_difference(at, now);
    if (wrong < subject_outputs(at->what))
        ck_abort_msg("%s: element %llu is not 0x%X", at->what->name, (unsigned long long)wrong,
                     (unsigned)at->expected[wrong]);
    free(now);
}
