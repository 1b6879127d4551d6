/*
 * acts_asked.c: what a caller may have besides an enqueue: a scratch that grows, and an event for
 * each launch.
 */
#include <check.h>

#include "acts.h"

/* ---- Scratch --------------------------------------------------------------------------------- */

static tally_status run_scratch(stage *at, tally_error *error) {
    static int position;
    tally_scratch *scratch = (tally_scratch *)(void *)&position; /* anything that is not NULL */
    tally_view view = TALLY_VIEW_INIT;
    tally_status status = tally_scratch_create(at->runtime, &scratch, error);
    ck_assert_int_eq(status == TALLY_OK, scratch != NULL);
    if (status != TALLY_OK)
        return status;
    status = tally_scratch_view(scratch, at->op, &view, error);
    const size_t bytes = tally_op_scratch_size(at->op);
    ck_assert_int_eq(status == TALLY_OK && bytes > 0, view.buffer != NULL);
    ck_assert_uint_eq(tally_scratch_bytes(scratch), status == TALLY_OK ? bytes : 0);
    tally_scratch_release(scratch);
    return status;
}

static void check_nothing(stage *at) {
    (void)at;
}

const act act_scratch = {"making a scratch", stage_make_op,    run_scratch,
                         check_nothing,      stage_release_op, NULL};

/* ---- Launches -------------------------------------------------------------------------------- */

#define LAUNCHES 32

static void open_launches(stage *at) {
    stage_make_op(at);
    stage_fit_scratch(at);
    stage_spoil(at);
}

/* Those that were enqueued before the failure end before the next try. */
static tally_status run_launches(stage *at, tally_error *error) {
    const tally_binding binding = {image_view(&at->input), image_view(&at->output),
                                   image_view(&at->scratch)};
    cl_event events[LAUNCHES];
    uint32_t count = 77;
    ck_assert_uint_le(tally_op_launches(at->op), LAUNCHES);
    const tally_status status =
        tally_op_enqueue_launches(at->op, at->queue, &binding, 0, NULL, events, &count, error);
    ck_assert_int_eq(status == TALLY_OK, count > 0);
    for (uint32_t i = 0; i + 1 < count; i++)
        layer_release_event(events[i]);
    at->done = count > 0 ? events[count - 1] : NULL;
    fixture_check(clFinish(at->queue));
    return status;
}

const act act_launches = {"enqueueing with an event for each launch",
                          open_launches,
                          run_launches,
                          stage_check,
                          stage_release_op,
                          NULL};
