/*
 * test_update_versions.c: devices with other versions of cl_khr_command_buffer_mutable_dispatch
 * than this one's, known and unknown, or without any: what a runtime says of them, and what an
 * updatable recording comes to.
 */
#include <check.h>
#include <string.h>

#include "fault/layer/layer_commands.h"
#include "support/fixtures/replay.h"
#include "support/refusal.h"
#include "updated.h"

Suite *suite_update_versions(void);

/* What devices say, and what is said of them. */
static const struct offer_row {
    layer_offer commands;
    uint32_t commands_version;
    layer_updates updates;
    const char *words; /* of the reason; "": recordings can be updated */
} rows[] = {
#define QUESTION "clGetDeviceInfo(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR) failed with "
#define ROW(version, ...)                                                                          \
    { OFFER_AS_IT_IS, 0, {true, version, 15, .flags = LAYER_MUTABLE}, __VA_ARGS__ }
    ROW(LAYER_VERSION(9, 0), ""),
    ROW(LAYER_VERSION(9, 1), ""),
    ROW(LAYER_VERSION(9, 2), ""),
    ROW(LAYER_VERSION(9, 5), ""),
    ROW(LAYER_VERSION(8, 9), "version 0.8.9 of cl_khr_command_buffer_mutable_dispatch"),
    ROW(LAYER_VERSION(9, 6),
        "0.9.6 of cl_khr_command_buffer_mutable_dispatch, but this version of Tally knows "
        "0.9.0 to 0.9.5"),
    ROW(1u << 22, "version 1.0.0 of cl_khr_command_buffer_mutable_dispatch"),
    ROW(0, "cl_khr_command_buffer_mutable_dispatch but does not say of which version"),
    {OFFER_AS_IT_IS,
     0,
     {.listed = false},
     "its extensions do not have cl_khr_command_buffer_mutable"},
    {OFFER_AS_IT_IS, 0, {true, LAYER_VERSION(9, 1), 7, .flags = 2}, "its capabilities are 0x7"},
#define REFUSED(code, words)                                                                       \
    {                                                                                              \
        OFFER_AS_IT_IS, 0,                                                                         \
            {true, LAYER_VERSION(9, 1), 15, .able_code = (code), .flags = LAYER_MUTABLE},          \
            QUESTION words                                                                         \
    }
    REFUSED(CL_INVALID_VALUE, "CL_INVALID_VALUE (-30)"),
    REFUSED(CL_INVALID_OPERATION, "CL_INVALID_OPERATION (-59)"),
    REFUSED(CL_MAP_FAILURE, "a code that is not known here (-12)"),
    REFUSED(-9999, "an unknown code, perhaps as an earlier command broke the context (-9999)"),
    {OFFER_AS_IT_IS,
     0,
     {true, LAYER_VERSION(9, 4), 15, .lacks_call = true},
     "no clUpdateMutableCommandsKHR"},
    {OFFER_NONE,
     0,
     {true, LAYER_VERSION(9, 1), 15, .flags = 2},
     "the device has no command buffers"},
    {OFFER_NO_LIST,
     0,
     {true, LAYER_VERSION(9, 1), 15, .flags = 2},
     "does not say of which version"},
    {OFFER_VERSION,
     LAYER_VERSION(9, 9),
     {true, LAYER_VERSION(9, 5), 15, .flags = 2},
     "0.9.9 of cl_khr_command_buffer,"},
    {OFFER_VERSION, LAYER_VERSION(9, 8), {true, LAYER_VERSION(9, 5), 15, .flags = 2}, ""},
};
#define ROWS ((int)(sizeof rows / sizeof rows[0]))

START_TEST(versions) {
    const struct offer_row *row = &rows[_i];
    const bool updatable = row->words[0] == '\0';
    layer_offer_commands(row->commands, row->commands_version);
    layer_offer_updates(row->updates);
    stage at = updated_open(&subjects[5], 0);
    memories with = memories_make(at.what, at.op, 3, (memories_way){0});
    const tally_binding binding = memories_binding(&with);
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_recorded *recorded = NULL;
    tally_error error;
    cl_command_buffer_khr commands = replay_create(at.queue);
    fixture_ok(tally_runtime_recording(at.runtime, &recording, &error), &error, "recording");
    ck_assert_int_eq(recording.updatable, updatable);
    ck_assert_msg(strstr(recording.update_reason, row->words) != NULL, "no '%s' in '%s'",
                  row->words, recording.update_reason);
    ck_assert_int_eq(recording.update_reason[0] == '\0', updatable);
    if (row->commands == OFFER_AS_IT_IS) {
        ck_assert(recording.supported);
        ck_assert_uint_eq(recording.update_version, row->updates.listed ? row->updates.version : 0);
    }
    const tally_status status = tally_op_record_updatable(at.op, commands, at.queue, &binding, 0,
                                                          NULL, NULL, &recorded, &error);
    if (updatable)
        fixture_ok(status, &error, "tally_op_record_updatable");
    else
        refusal_check(UNSUPPORTED(row->words), status, &error);
    ck_assert_int_eq(recorded != NULL, updatable);
    if (recording.supported) /* the other way to record is as good as ever */
        fixture_ok(tally_op_record(at.op, commands, at.queue, &binding, 0, NULL, NULL, &error),
                   &error, "tally_op_record");
    replay_release(commands);
    tally_recorded_release(recorded);
    memories_free(&with);
    layer_offer_commands(OFFER_AS_IT_IS, 0);
    updated_close(&at);
}
END_TEST

/* Memory that is short is no answer to the question about updates: it is asked again. */
START_TEST(a_question_without_memory_is_asked_again) {
    static const cl_int codes[] = {CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES};
    layer_updates offer = updated_offer(LAYER_VERSION(9, 5));
    offer.able_code = codes[_i];
    layer_offer_updates(offer);
    stage at = updated_open(&subjects[5], 0);
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_error error;
    ck_assert_int_eq(tally_runtime_recording(at.runtime, &recording, &error), TALLY_OUT_OF_MEMORY);
    ck_assert_int_eq(error.cl_code, codes[_i]);
    ck_assert_ptr_nonnull(strstr(error.message, QUESTION));
    offer.able_code = CL_SUCCESS;
    layer_change_updates(offer);
    fixture_ok(tally_runtime_recording(at.runtime, &recording, &error), &error, "recording");
    ck_assert(recording.supported && recording.updatable);
    updated_close(&at);
}
END_TEST

Suite *suite_update_versions(void) {
    Suite *suite = suite_create("update_versions");
    TCase *devices = updated_add_case(suite, "versions");
    tcase_add_loop_test(devices, versions, 0, ROWS);
    tcase_add_loop_test(devices, a_question_without_memory_is_asked_again, 0, 2);
    return suite;
}
