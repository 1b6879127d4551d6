/*
 * test_commands.c: devices with other versions of cl_khr_command_buffer than this one's, older and
 * newer, known and unknown, or without any: what a runtime says of them, what a recording comes to,
 * and that calls are made in the form of the version.
 */
#include <check.h>
#include <string.h>

#include "acts.h"
#include "layer/layer_commands.h"
#include "support/fixtures/replay.h"
#include "support/refusal.h"

Suite *suite_commands(void);

/* What devices say, and what is said of them. */
static const struct offer_row {
    layer_offer offer;
    uint32_t version;  /* that the device says */
    const char *words; /* of the reason; "": it can be recorded */
    bool has_properties;
} rows[] = {
    {OFFER_AS_IT_IS, 0, "", false},
    {OFFER_VERSION, LAYER_VERSION(9, 0), "", false},
    {OFFER_VERSION, LAYER_VERSION(9, 4), "", false},
    {OFFER_VERSION, LAYER_VERSION(9, 5), "", true},
    {OFFER_VERSION, LAYER_VERSION(9, 8), "", true},
    {OFFER_VERSION, 1u << 22, "", true},
    {OFFER_VERSION, LAYER_VERSION(8, 9), "version 0.8.9 of cl_khr_command_buffer", false},
    {OFFER_VERSION, LAYER_VERSION(9, 9),
     "0.9.9 of cl_khr_command_buffer, but this version of Tally knows "
     "0.9.0 to 0.9.8, and 1.0.0",
     false},
    {OFFER_VERSION, 1u << 22 | 1u, "version 1.0.1", false},
    {OFFER_NONE, 0, "the device has no command buffers", false},
    {OFFER_NO_NAMES, 0, "the device has no command buffers", false},
    {OFFER_NO_LIST, 0, "does not say of which version", false},
};
#define ROWS ((int)(sizeof rows / sizeof rows[0]))

/* The subjects: several launches, a board, no launch. */
static const int of[] = {5, 15, 8};
#define SUBJECTS ((int)(sizeof of / sizeof of[0]))

static tally_status record(stage *at, cl_command_buffer_khr commands, tally_error *error) {
    const tally_binding binding = {image_view(&at->input), image_view(&at->output),
                                   image_view(&at->scratch)};
    return tally_op_record(at->op, commands, at->queue, &binding, 0, NULL, NULL, error);
}

static void check_answer(stage *at, const struct offer_row *row) {
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_error error;
    fixture_ok(tally_runtime_recording(at->runtime, &recording, &error), &error, "recording");
    ck_assert_int_eq(recording.supported, row->words[0] == '\0');
    ck_assert_msg(strstr(recording.reason, row->words) != NULL, "no '%s' in '%s'", row->words,
                  recording.reason);
    ck_assert_int_eq(recording.reason[0] == '\0', recording.supported);
    if (row->offer != OFFER_AS_IT_IS)
        ck_assert_uint_eq(recording.version, row->version);
}

START_TEST(versions) {
    const struct offer_row *row = &rows[_i / SUBJECTS];
    stage at = stage_open(&subjects[of[_i % SUBJECTS]], 0);
    tally_error error;
    cl_command_buffer_khr commands = replay_create(at.queue);
    layer_offer_commands(row->offer, row->version);
    stage_make_op(&at);
    const uint64_t before = layer_calls_with_properties();
    if (_i % 2 == 0) /* else the recording asks first */
        check_answer(&at, row);
    const tally_status status = record(&at, commands, &error);
    check_answer(&at, row);
    layer_offer_commands(OFFER_AS_IT_IS, 0);
    if (row->words[0] != '\0') {
        refusal_check(REFUSAL(TALLY_UNSUPPORTED, row->words), status, &error);
    } else {
        fixture_ok(status, &error, "tally_op_record");
        replay_finalize(commands);
        replay_run(commands);
        stage_compare(&at);
    }
    const bool has_others = of[_i % SUBJECTS] != 5; /* than kernels, which always have the list */
    ck_assert_int_eq(layer_calls_with_properties() > before, row->has_properties && has_others);
    replay_release(commands);
    stage_release_op(&at);
    stage_close(&at);
}
END_TEST

/* A command buffer of two queues: one that is neither is refused, and kernels are for the named
 * one. */
START_TEST(several_queues) {
    stage at = stage_open(&subjects[5], 0);
    cl_command_queue other = fixture_make_queue(0), third = fixture_make_queue(0), own = at.queue;
    tally_error error;
    cl_command_buffer_khr commands = replay_create(at.queue);
    layer_offer_queues(other, own);
    stage_make_op(&at);
    at.queue = third;
    refusal_check(INVALID("the queue is none of the 2"), record(&at, commands, &error), &error);
    at.queue = own;
    fixture_ok(record(&at, commands, &error), &error, "tally_op_record");
    layer_offer_queues(NULL, NULL);
    replay_finalize(commands);
    replay_run(commands);
    stage_compare(&at);
    replay_release(commands);
    stage_release_op(&at);
    stage_close(&at);
    clReleaseCommandQueue(other);
    clReleaseCommandQueue(third);
}
END_TEST

/* A platform that lists the extension and lacks one of its functions. */
START_TEST(missing_functions) {
    stage at = stage_open(&subjects[5], 0);
    tally_error error;
    cl_command_buffer_khr commands = replay_create(at.queue);
    stage_make_op(&at);
    layer_fail((layer_failure){LAYER_clGetExtensionFunctionAddressForPlatform, (uint64_t)_i + 1,
                               false, CL_SUCCESS});
    const tally_status status = record(&at, commands, &error);
    layer_heal();
    refusal_check(REFUSAL(TALLY_UNSUPPORTED, "its platform has no cl"), status, &error);
    ck_assert_int_eq(record(&at, commands, &error), TALLY_UNSUPPORTED);
    replay_release(commands);
    stage_release_op(&at);
    stage_close(&at);
}
END_TEST

/*
 * A launch that can't be recorded, the second one of two: the first is in the command buffer, which
 * is thrown away; the operator is as good as before.
 */
START_TEST(half_an_operator) {
    stage at = stage_open(&subjects[5], 0);
    tally_error error;
    cl_command_buffer_khr commands = replay_create(at.queue);
    stage_make_op(&at);
    ck_assert_uint_eq(tally_op_launches(at.op), 2);
    layer_fail((layer_failure){LAYER_clCommandNDRangeKernelKHR, 2, false, CL_OUT_OF_HOST_MEMORY});
    const tally_status status = record(&at, commands, &error);
    layer_heal();
    ck_assert_int_eq(status, TALLY_OUT_OF_MEMORY);
    ck_assert_ptr_nonnull(strstr(error.message, "clCommandNDRangeKernelKHR"));
    replay_release(commands);
    commands = replay_create(at.queue);
    stage_spoil(&at);
    fixture_ok(record(&at, commands, &error), &error, "tally_op_record");
    replay_finalize(commands);
    replay_run(commands);
    stage_compare(&at);
    replay_release(commands);
    stage_spoil(&at);
    fixture_ok(stage_enqueue(&at, &error), &error, "tally_op_enqueue");
    stage_check(&at);
    stage_release_op(&at);
    stage_close(&at);
}
END_TEST

static void release_programs(void) {
    layer_heal();
    layer_release_programs();
}

Suite *suite_commands(void) {
    Suite *suite = suite_create("commands");
    TCase *tests = tcase_create("commands");
    tcase_set_timeout(tests, 0); /* what hangs is ended by ctest */
    tcase_add_checked_fixture(tests, NULL, layer_heal);
    tcase_add_unchecked_fixture(tests, NULL, release_programs);
    tcase_add_loop_test(tests, versions, 0, ROWS * SUBJECTS);
    tcase_add_test(tests, several_queues);
    tcase_add_loop_test(tests, missing_functions, 0, 4);
    tcase_add_test(tests, half_an_operator);
    suite_add_tcase(suite, tests);
    return suite;
}
