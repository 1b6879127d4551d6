/*
 * test_update_failures.c: every call that an updatable recording and an update make, made to fail:
 * a recording says what failed, and a failed update leaves the memory that was recorded.
 */
#include <check.h>
#include <string.h>

#include "fault/sweep.h"
#include "recording.h"
#include "support/fixtures/replay.h"

Suite *suite_update_failures(void);

/* With a runtime that has not asked for the extensions yet. */
static void open_op(stage *at) {
    stage_make_op(at);
}

/* Whether the last try to record was refused for what had failed when the runtime asked. */
static bool refused;

/*
 * The refusal says which function the platform does not have, or that the question about updates
 * failed.
 */
static bool says_what_failed(tally_status status, const tally_error *error) {
    const layer_call call = layer_failed_call();
    const char *words = call == LAYER_clGetExtensionFunctionAddressForPlatform
                            ? "its platform has no cl"
                        : call == LAYER_clGetDeviceInfo
                            ? "clGetDeviceInfo(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR) failed"
                            : NULL;
    return status == TALLY_UNSUPPORTED && words != NULL && strstr(error->message, words) != NULL &&
           error->cl_code == 0;
}

/*
 * Record, or throw away a command buffer that may have a part of it. It goes well if the refusal
 * says what failed.
 */
static tally_status run_recording(stage *at, tally_error *error) {
    const tally_binding binding = memories_binding(&on.sets[1]);
    at->commands = replay_create(at->queue);
    at->recorded = on.recorded;
    const tally_status status = tally_op_record_updatable(at->op, at->commands, at->queue, &binding,
                                                          0, NULL, NULL, &at->recorded, error);
    ck_assert((status == TALLY_OK) == (at->recorded != NULL));
    refused = says_what_failed(status, error);
    if (status == TALLY_OK) {
        replay_finalize(at->commands);
        return status;
    }
    replay_release(at->commands);
    if (!refused)
        return status;
    *error = (tally_error){.status = TALLY_OK};
    return TALLY_OK;
}

static void check_recording(stage *at) {
    if (at->recorded == NULL)
        return;
    memories_spoil(&on.sets[1]);
    replay_run(at->commands);
    memories_check(&on.sets[1]);
    replay_release(at->commands);
}

static void close_op(stage *at) {
    tally_recorded_release(at->recorded);
    stage_release_op(at);
}

static bool forgives_refused(layer_call call, cl_int code) {
    (void)call;
    (void)code;
    return refused;
}

static void open_nothing(stage *at) {
    (void)at;
}

/* A failed update leaves the memory that was recorded. */
static tally_status run_update(stage *at, tally_error *error) {
    const tally_status status = tally_recorded_update(&on.recorded, &on.binding, 1, error);
    memories_spoil(&on.sets[0]);
    memories_spoil(&on.sets[1]);
    replay_run(on.commands);
    memories_check(&on.sets[status == TALLY_OK]);
    memories_check_unused(&on.sets[status != TALLY_OK]);
    (void)at;
    return status;
}

static void take_back_update(stage *at) {
    const tally_binding first = memories_binding(&on.sets[0]);
    tally_error error;
    fixture_ok(tally_recorded_update(&on.recorded, &first, 1, &error), &error, "back");
    (void)at;
}

START_TEST(failures) {
    static const act acts[] = {
        {"an updatable recording", open_op, run_recording, check_recording, close_op,
         forgives_refused},
        {"an update", open_nothing, run_update, take_back_update, open_nothing, NULL}};
    const uint64_t before = layer_failures(LAYER_clUpdateMutableCommandsKHR);
    stage at = on.at;
    sweep_all(&acts[_i], &at, _i > 0); /* act_record has recordings with every code */
    if (_i > 0)
        ck_assert_uint_gt(layer_failures(LAYER_clUpdateMutableCommandsKHR), before);
}
END_TEST

Suite *suite_update_failures(void) {
    Suite *suite = suite_create("update_failures");
    tcase_add_loop_test(recording_add_case(suite, "failures"), failures, 0, 2);
    return suite;
}
