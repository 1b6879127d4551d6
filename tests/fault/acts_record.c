/*
 * acts_record.c: recording an operator. A command buffer whose recording failed is thrown away, and
 * the next try has another one.
 */
#include <check.h>
#include <string.h>

#include "acts.h"
#include "support/fixtures/replay.h"

static void open_record(stage *at) {
    stage_make_op(at);
    stage_fit_scratch(at);
    stage_spoil(at);
}

/*
 * It goes well if a function that the platform does not have is what the refusal says; nothing is
 * recorded then.
 */
static bool says_what_is_missing(tally_status status, const tally_error *error) {
    return status == TALLY_UNSUPPORTED &&
           layer_failed_call() == LAYER_clGetExtensionFunctionAddressForPlatform &&
           strstr(error->message, "its platform has no cl") != NULL && error->cl_code == 0;
}

static tally_status run_record(stage *at, tally_error *error) {
    const tally_binding binding = {image_view(&at->input), image_view(&at->output),
                                   image_view(&at->scratch)};
    cl_sync_point_khr done = 77;
    at->commands = replay_create(at->queue);
    const tally_status status =
        tally_op_record(at->op, at->commands, at->queue, &binding, 0, NULL, &done, error);
    if (status == TALLY_OK)
        return status;
    ck_assert_uint_eq(done, 77);
    replay_release(at->commands);
    at->commands = NULL;
    if (!says_what_is_missing(status, error))
        return status;
    *error = (tally_error){.status = TALLY_OK};
    return TALLY_OK;
}

static bool forgives_missing(layer_call call, cl_int code) {
    (void)code;
    return call == LAYER_clGetExtensionFunctionAddressForPlatform;
}

static void check_record(stage *at) {
    if (at->commands == NULL)
        return;
    replay_finalize(at->commands);
    replay_run(at->commands);
    stage_compare(at);
    replay_release(at->commands);
    at->commands = NULL;
}

const act act_record = {"recording",  open_record,      run_record,
                        check_record, stage_release_op, forgives_missing};
